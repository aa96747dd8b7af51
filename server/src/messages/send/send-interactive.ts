import { requireNamedFile } from '../../media/resolve-media.ts'
import type { Runtime } from '../../runtime.ts'
import { checkDirectSend, type DirectSendRequest, directSendOf } from '../content/direct-send.ts'
import { checkInteractive, filesOf, interactiveContent, toOutbound } from '../content/interactive/check-interactive.ts'
import type { InteractiveRequest as Interactive } from '../content/interactive/interactive-request.ts'
import {
  type Draft,
  draftOf,
  requireOpenWindow,
  requireReads,
  requireValid,
  resolveOptions,
  type SendCommon,
  type Sender,
} from './draft.ts'

export type InteractiveRequest = SendCommon & Interactive & { direct_send?: DirectSendRequest | null }

/** Something to tap, within the 24-hour window. The customer's tap comes back as an event. */
export async function draftInteractive(rt: Runtime, sender: Sender, request: InteractiveRequest): Promise<Draft> {
  const given = request.direct_send
  const direct = given ? directSendOf(given) : undefined
  const draft = await draftOf(rt, sender, request, () => {
    const { to, type, body = null } = request
    const limits = given ? checkDirectSend(given, { to, type, body: { field: 'body', text: body } }) : []
    requireValid([...checkInteractive(request), ...limits])
    if (filesOf(interactiveContent(request)).length > 0) requireReads(sender)
  })
  const interactive = interactiveContent(request)
  for (const { media_id } of filesOf(interactive)) await requireNamedFile(rt, sender.accountId, media_id)
  if (!direct) await requireOpenWindow(rt, sender, draft)
  const { outbound, files } = await toOutbound(rt, draft.number, interactive, resolveOptions(sender))
  return {
    ...draft,
    type: 'interactive',
    outbound: { type: 'interactive', interactive: outbound, ...(direct && { direct }) },
    content: { text: interactive.body, interactive, ...(direct && { direct_send: direct }) },
    files,
    ...(direct && { direct, leavesWindow: true }),
  }
}
