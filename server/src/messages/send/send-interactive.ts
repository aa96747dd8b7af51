import { requireNamedFile } from '../../media/resolve-media.ts'
import type { Runtime } from '../../runtime.ts'
import { checkInteractive } from '../content/interactive/check-interactive.ts'
import { interactiveContent } from '../content/interactive/interactive-content.ts'
import { filesOf, toOutbound } from '../content/interactive/interactive-files.ts'
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

export type InteractiveRequest = SendCommon & Interactive

/** Something to tap, within the 24-hour window. The customer's tap comes back as an event. */
export async function draftInteractive(rt: Runtime, sender: Sender, request: InteractiveRequest): Promise<Draft> {
  const draft = await draftOf(rt, sender, request, () => {
    requireValid(checkInteractive(request))
    if (filesOf(interactiveContent(request)).length > 0) requireReads(sender)
  })
  const interactive = interactiveContent(request)
  for (const { media_id } of filesOf(interactive)) await requireNamedFile(rt, sender.accountId, media_id)
  await requireOpenWindow(rt, sender, draft)
  const { outbound, files } = await toOutbound(rt, draft.number, interactive, resolveOptions(sender))
  return {
    ...draft,
    type: 'interactive',
    outbound: { type: 'interactive', interactive: outbound },
    content: { text: interactive.body, interactive },
    files,
  }
}
