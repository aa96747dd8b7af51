import { validationFailed } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { checkText } from '../content/check-text.ts'
import {
  type Draft,
  numberToSendFrom,
  requireAddress,
  requireReads,
  requireReplyTo,
  type SendCommon,
  type Sender,
  type TemplateChoice,
  windowClosed,
  windowForSend,
} from './draft.ts'
import { draftFallback } from './send-template.ts'
import { mayFreeForm } from './window.ts'

export type TextRequest = SendCommon & {
  message: string
  preview_url?: boolean | null
  /** Sent instead when the customer's window is closed, as far as we know or as the platform says. */
  fallback?: TemplateChoice | null
}

/** Plain text within the 24-hour window; outside it the fallback template, if the caller gave one. */
export async function draftText(rt: Runtime, sender: Sender, request: TextRequest): Promise<Draft> {
  const address = requireAddress(request.to)
  const problems = checkText(request.message)
  if (problems.length > 0) throw validationFailed(problems)
  const fallback = request.fallback ?? null
  // It is for a window known to be closed.
  if (fallback) requireReads(sender)
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  const window = sender.recalled ? null : await windowForSend(rt, number, address.value)
  if (window && !mayFreeForm(window, rt.config.windowPolicy)) {
    if (!fallback) throw windowClosed(number, window)
    return draftFallback(rt, sender, { ...request, ...fallback })
  }
  return {
    number,
    address,
    type: 'text',
    outbound: { type: 'text', text: request.message, ...(request.preview_url ? { previewUrl: true } : {}) },
    content: { text: request.message },
    template: null,
    replyTo,
    clientReference: request.client_reference ?? null,
    used: fallback ? 'text' : null,
    ...(fallback && { fallback: { ...request, ...fallback } }),
  }
}
