import { validationFailed } from '../../contract/app-error.ts'
import { requireNamedFile } from '../../media/resolve-media.ts'
import type { Runtime } from '../../runtime.ts'
import { checkInteractive } from '../content/interactive/check-interactive.ts'
import { interactiveContent } from '../content/interactive/interactive-content.ts'
import { filesOf, toOutbound } from '../content/interactive/interactive-files.ts'
import type { InteractiveRequest as Interactive } from '../content/interactive/interactive-request.ts'
import {
  type Draft,
  numberToSendFrom,
  requireAddress,
  requireOpenWindow,
  requireReads,
  requireReplyTo,
  resolveOptions,
  type SendCommon,
  type Sender,
} from './draft.ts'

export type InteractiveRequest = SendCommon & Interactive

/** Something to tap, within the 24-hour window. The customer's tap comes back as an event. */
export async function draftInteractive(rt: Runtime, sender: Sender, request: InteractiveRequest): Promise<Draft> {
  const address = requireAddress(request.to)
  const problems = checkInteractive(request)
  if (problems.length > 0) throw validationFailed(problems)
  const interactive = interactiveContent(request)
  const named = filesOf(interactive)
  if (named.length > 0) requireReads(sender)
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  for (const { media_id } of named) await requireNamedFile(rt, sender.accountId, media_id)
  await requireOpenWindow(rt, sender, number, address)
  const { outbound, files } = await toOutbound(rt, number, interactive, resolveOptions(sender))
  return {
    number,
    address,
    type: 'interactive',
    outbound: { type: 'interactive', interactive: outbound },
    content: { text: interactive.body, interactive },
    template: null,
    replyTo,
    clientReference: request.client_reference ?? null,
    used: null,
    files,
  }
}
