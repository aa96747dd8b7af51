import type { Static } from 'typebox'
import { AppError } from '../../contract/app-error.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import type { SendContacts, SendLocation } from '../../contract/messages/send-content.ts'
import { type SendText, sentTypes } from '../../contract/messages/send-requests.ts'
import { bodyProblem } from '../../contract/schema.ts'
import { formatInstant } from '../../lib/instant.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { WireBody } from '../../platform/dialect.ts'
import type { WireEdge } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { checkText } from '../content/check-text.ts'
import { checkDirectSend, type DirectSendRequest, directSendOf } from '../content/direct-send.ts'
import { customerOf, publicId } from '../message-record.ts'
import { mayFreeForm } from '../window.ts'
import type { Sent } from './dispatch-message.ts'
import {
  type Draft,
  draftInWindow,
  draftOf,
  requireReads,
  requireValid,
  type SendCommon,
  type Sender,
  type TemplateRequest,
  windowClosed,
  windowForSend,
} from './draft.ts'
import { draftInteractive, type InteractiveRequest } from './send-interactive.ts'
import { draftMedia, type MediaRequest, type StickerRequest } from './send-media.ts'
import { draftReaction, type ReactionRequest } from './send-reaction.ts'
import { draftFallback, draftTemplate } from './send-template.ts'

/** A send, as requested. */
export type SendRequest =
  | { kind: 'text'; body: TextRequest }
  | { kind: 'template'; body: TemplateRequest }
  | { kind: 'media'; body: MediaRequest }
  | { kind: 'interactive'; body: InteractiveRequest }
  | { kind: 'location'; body: LocationRequest }
  | { kind: 'contacts'; body: ContactsRequest }
  | { kind: 'sticker'; body: StickerRequest }
  | { kind: 'reaction'; body: ReactionRequest }
  | { kind: 'wire'; body: WireRequest }

/** Of the path, which has a method before it or not. */
export function kindOf(path: string): SendRequest['kind'] {
  if (path.startsWith(wireEndpoint)) return 'wire'
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
    case 'wire':
      return draftWire(rt, sender, request.body)
  }
}

/** The response to each kind of send; kept with the idempotency key. */
export type SendAnswers = { text: Static<typeof SentText>; template: Static<typeof SentTemplate> } & {
  [Kind in Exclude<SendRequest['kind'], 'text' | 'template' | 'wire'>]: Static<typeof SentOther>
} & { wire: WireSent }

/** Kinds without fields of their own are answered alike. */
export function answerOf(kind: SendRequest['kind']): (sent: Sent) => SendAnswers[SendRequest['kind']] {
  if (kind === 'text') return textAnswer
  if (kind === 'wire') return wireAnswer
  return kind === 'template' ? templateAnswer : typedAnswer
}

/** Options of a queued or scheduled send. */
function stateOf({ status, send_at, expires_at }: MessageRow): WaitingState | { status: 'sent' } {
  if (status !== 'waiting') return { status: 'sent' }
  return { status, send_at: formatInstant(send_at ?? 0), expires_at: formatInstant(expires_at ?? 0) }
}
type WaitingState = { status: 'waiting'; send_at: string; expires_at: string }

function textAnswer({ row }: Sent): SendAnswers['text'] {
  return {
    message_id: publicId(row),
    ...stateOf(row),
    ...(row.used === null ? {} : { used: row.used as 'text' | 'template' }),
  }
}

function templateAnswer({ row, timestamp }: Sent): SendAnswers['template'] {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    template: row.template ?? '',
    timestamp: formatInstant(timestamp),
    ...stateOf(row),
  }
}

function typedAnswer({ row, timestamp }: Sent): Static<typeof SentOther> {
  return {
    message_id: publicId(row),
    to: customerOf(row),
    type: row.type,
    timestamp: formatInstant(timestamp),
    ...stateOf(row),
  }
}

/** A message in the platform's own words, from a client that speaks to us as to the platform. */
export type WireRequest = SendCommon & {
  edge: WireEdge
  body: WireBody
  /** The same as a request of ours, if it is a valid one. */
  said: Exclude<SendRequest, { kind: 'wire' }> | null
  metaType: string
  /** Meta's id of the message to quote. */
  quoted: string | null
  opaque: string | null
}

/** `answer` is null where the platform's was lost, and `alias` true where the client was told an id of ours for it. */
export type WireSent = { message_id: string; own_id: string; alias: boolean; answer: WireBody | null }

/** Prefix of these sends' idempotency keys, in place of a path. */
export const wireEndpoint = 'graph '

function wireAnswer({ row, answer }: Sent): WireSent {
  return { message_id: publicId(row), own_id: row.id, alias: row.alias === 1, answer: answer ?? null }
}

/**
 * Kept and shown as what it is here, and sent as the words that came. A form that is not known here is no reason to reject
 * it.
 */
async function draftWire(rt: Runtime, sender: Sender, request: WireRequest): Promise<Draft> {
  const { edge, body, quoted, opaque } = request
  const known = request.said && (await draftKnown(rt, sender, request.said))
  const { fallback: _, ...draft } = known ?? (await draftRaw(rt, sender, request))
  const leavesWindow = sender.leavesWindow || draft.type === 'raw'
  return { ...draft, replyTo: quoted, opaque, leavesWindow, outbound: { type: 'wire', edge, body } }
}

/** Fields that a Cloud API client can't set. */
const refusals: readonly ErrorCode[] = [
  'customer_window_closed',
  'recipient_opted_out',
  'recipient_blocked',
  'channel_not_connected',
  'service_unavailable',
]

async function draftKnown(rt: Runtime, sender: Sender, said: NonNullable<WireRequest['said']>): Promise<Draft | null> {
  try {
    return await draftMessage(rt, { ...sender, dryRun: true }, said)
  } catch (error) {
    // From memory it may only seem wrong.
    if (!(error instanceof AppError) || sender.recalled || refusals.includes(error.code)) throw error
    return null
  }
}

async function draftRaw(rt: Runtime, sender: Sender, request: WireRequest): Promise<Draft> {
  const { metaType, edge, body } = request
  const said = { meta_type: metaType, meta: body[metaType.split('.', 1)[0] ?? ''] ?? null }
  const { reply_to: _, ...common } = request
  return { ...(await draftOf(rt, sender, common)), type: 'raw', outbound: { type: 'wire', edge, body }, content: said }
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
  if (request.direct_send) return draftDirectText(rt, sender, request, request.direct_send)
  const fallback = choice ? { ...request, ...choice } : null
  const draft = await draftOf(rt, sender, request, () => {
    requireValid(checkText(text))
    // A fallback is for a window known to be closed.
    if (fallback) requireReads(sender)
  })
  const { number, address } = draft
  const window = sender.recalled || sender.leavesWindow ? null : await windowForSend(rt, number, address.value)
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

/** A text at any time. What it is sent instead of a template can have no template instead of it. */
async function draftDirectText(
  rt: Runtime,
  sender: Sender,
  request: TextRequest,
  given: DirectSendRequest,
): Promise<Draft> {
  const { message: text, to, preview_url, fallback } = request
  const not = (field: string) =>
    bodyProblem(field, 'mutually_exclusive', `Leave \`${field}\` out with \`direct_send\`.`)
  const direct = directSendOf(given)
  const draft = await draftOf(rt, sender, request, () => {
    requireValid([
      ...checkText(text),
      ...checkDirectSend(given, { to, body: { field: 'message', text } }),
      ...(fallback ? [not('fallback')] : []),
      ...(preview_url ? [not('preview_url')] : []),
    ])
  })
  return {
    ...draft,
    type: 'text',
    outbound: { type: 'text', text, direct },
    content: { text, direct_send: direct },
    leavesWindow: true,
    direct,
  }
}
