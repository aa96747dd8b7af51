import type { Static } from 'typebox'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import type { SendContacts, SendLocation } from '../../contract/messages/send-content.ts'
import { type SendText, sentTypes } from '../../contract/messages/send-requests.ts'
import { formatInstant } from '../../lib/instant.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Runtime } from '../../runtime.ts'
import { checkText } from '../content/check-text.ts'
import { customerOf, publicId } from '../message-record.ts'
import type { Sent } from './dispatch-message.ts'
import {
  type Draft,
  draftInWindow,
  draftOf,
  requireReads,
  requireValid,
  type Sender,
  type TemplateRequest,
  windowClosed,
  windowForSend,
} from './draft.ts'
import { draftInteractive, type InteractiveRequest } from './send-interactive.ts'
import { draftMedia, type MediaRequest, type StickerRequest } from './send-media.ts'
import { draftReaction, type ReactionRequest } from './send-reaction.ts'
import { draftFallback, draftTemplate } from './send-template.ts'
import { mayFreeForm } from './window.ts'

/** What a caller wants to send. */
export type SendRequest =
  | { kind: 'text'; body: TextRequest }
  | { kind: 'template'; body: TemplateRequest }
  | { kind: 'media'; body: MediaRequest }
  | { kind: 'interactive'; body: InteractiveRequest }
  | { kind: 'location'; body: LocationRequest }
  | { kind: 'contacts'; body: ContactsRequest }
  | { kind: 'sticker'; body: StickerRequest }
  | { kind: 'reaction'; body: ReactionRequest }

/** Of the path, which has a method before it or not. */
export function kindOf(path: string): SendRequest['kind'] {
  const last = Object.values(sentTypes).find((name) => path.endsWith(`/${name}`)) ?? 'send'
  return last === 'send' ? 'text' : last
}

/** Checks a request in full and makes it ready for the platform. */
export function draftMessage(rt: Runtime, sender: Sender, request: SendRequest): Promise<Draft> {
  switch (request.kind) {
    case 'text':
      return draftText(rt, sender, request.body)
    case 'template':
      return draftTemplate(rt, sender, request.body)
    case 'media':
      return draftMedia(rt, sender, request.body)
    case 'interactive':
      return draftInteractive(rt, sender, request.body)
    case 'location':
      return draftLocation(rt, sender, request.body)
    case 'contacts':
      return draftContacts(rt, sender, request.body)
    case 'sticker':
      return draftMedia(rt, sender, { ...request.body, type: 'sticker' })
    case 'reaction':
      return draftReaction(rt, sender, request.body)
  }
}

/** The response to each kind of send; kept with the idempotency key. */
export type SendAnswers = { text: Static<typeof SentText>; template: Static<typeof SentTemplate> } & {
  [Kind in Exclude<SendRequest['kind'], 'text' | 'template'>]: Static<typeof SentOther>
}

/** Kinds without fields of their own are answered alike. */
export function answerOf(kind: SendRequest['kind']): (sent: Sent) => SendAnswers[SendRequest['kind']] {
  if (kind === 'text') return textAnswer
  return kind === 'template' ? templateAnswer : typedAnswer
}

function textAnswer({ row }: Sent): SendAnswers['text'] {
  return {
    message_id: publicId(row),
    status: 'sent',
    ...(row.used === null ? {} : { used: row.used as 'text' | 'template' }),
  }
}

function templateAnswer({ row, timestamp }: Sent): SendAnswers['template'] {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    template: row.template ?? '',
    status: 'sent',
    timestamp: formatInstant(timestamp),
  }
}

function typedAnswer({ row, timestamp }: Sent): Static<typeof SentOther> {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    type: row.type,
    status: 'sent',
    timestamp: formatInstant(timestamp),
  }
}

type LocationRequest = Static<typeof SendLocation>

/** A place on the map, within the 24-hour window. */
function draftLocation(rt: Runtime, sender: Sender, request: LocationRequest): Promise<Draft> {
  const { latitude, longitude, name, address } = request
  return draftInWindow(rt, sender, request, {
    type: 'location',
    outbound: { type: 'location', latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) },
    content: { location: { latitude, longitude, name: name ?? null, address: address ?? null } },
  })
}

type ContactsRequest = Static<typeof SendContacts>

/** Contact cards, within the 24-hour window. They are kept in the form that customers' cards come in. */
function draftContacts(rt: Runtime, sender: Sender, request: ContactsRequest): Promise<Draft> {
  const contacts = withoutNulls(request.contacts)
  return draftInWindow(rt, sender, request, {
    type: 'contacts',
    outbound: { type: 'contacts', contacts },
    content: { contacts },
  })
}

/** The platform refuses explicit nulls. */
function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutNulls) as Value
  if (!isRecord(value)) return value
  const given = Object.entries(value).filter(([, one]) => one !== null)
  return Object.fromEntries(given.map(([name, one]) => [name, withoutNulls(one)])) as Value
}

type TextRequest = Static<typeof SendText>

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
