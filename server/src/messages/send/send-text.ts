import type { Static } from 'typebox'
import type { SendText } from '../../contract/messages/send-requests.ts'
import type { Runtime } from '../../runtime.ts'
import { checkText } from '../content/check-text.ts'
import { type Draft, draftOf, requireReads, requireValid, type Sender, windowClosed, windowForSend } from './draft.ts'
import { draftFallback } from './send-template.ts'
import { mayFreeForm } from './window.ts'

export type TextRequest = Static<typeof SendText>

/** Plain text within the 24-hour window; outside it the fallback template, if the caller gave one. */
export async function draftText(rt: Runtime, sender: Sender, request: TextRequest): Promise<Draft> {
  const { message: text, preview_url, fallback: choice } = request
  const fallback = choice ? { ...request, ...choice } : null
  const draft = await draftOf(rt, sender, request, () => {
    requireValid(checkText(text))
    // A fallback is for a window known to be closed.
    if (fallback) requireReads(sender)
  })
  const { number, address } = draft
  const window = sender.recalled ? null : await windowForSend(rt, number, address.value)
  if (window && !mayFreeForm(window, rt.config.windowPolicy)) {
    if (!fallback) throw windowClosed(number, window)
    return draftFallback(rt, sender, fallback)
  }
  return {
    ...draft,
    type: 'text',
    outbound: { type: 'text', text, ...(preview_url ? { previewUrl: true } : {}) },
    content: { text },
    used: fallback ? 'text' : null,
    ...(fallback && { fallback }),
  }
}
