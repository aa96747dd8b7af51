import { authorOf, type Member } from '../../access/console-member.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import { type SentType, sendPath, sentTypes } from '../../contract/messages/send-requests.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { findTemplate } from '../../templates/find-template.ts'
import { readValues } from '../../templates/values/read-values.ts'
import type { RenderedTemplate } from '../../templates/values/render-template.ts'
import type { InteractiveContent } from '../content/interactive/check-interactive.ts'
import { requireMessage } from '../get-message.ts'
import { customerOf } from '../message-record.ts'
import { hidesPeople, ownIds } from '../privacy.ts'
import type { Sender } from './draft.ts'
import { send } from './send.ts'
import { kindOf, type SendAnswers, type SendRequest } from './send-request.ts'

type ApiRequest = { path: string; body: { to: string } & Record<string, unknown> }

type Content = {
  text?: string
  media?: {
    media_id?: string | null
    link?: string | null
    caption?: string | null
    filename?: string | null
    voice?: boolean
  }
  interactive?: InteractiveContent
  direct_send?: Body
  location?: Body
  contacts?: Body[]
  reaction?: { message_id: string; emoji: string | null }
} & Partial<RenderedTemplate>

/** The API call that makes the same message. Null for what a customer wrote, and where the words are gone. */
export async function requestOf(rt: Runtime, row: MessageRow): Promise<ApiRequest | null> {
  const to = customerOf(row)
  if (row.direction !== 'outbound' || row.content === null || to === null) return null
  if (!(row.type in sentTypes)) return null
  const path = sentTypes[row.type as SentType]
  const body = await bodies[path](rt, row, JSON.parse(row.content) as Content)
  return { path: sendPath(path), body: { to, ...(await placeOf(rt, row)), ...body } }
}

/** The number is named while there is another that the call would leave from without. */
async function placeOf(rt: Runtime, { account_id, number_id, reply_to, client_reference }: MessageRow): Promise<Body> {
  const [_default, ...others] = await rt.store.read(connectedNumbers, { account_id })
  return {
    ...(others.some(({ id }) => id === number_id) ? { from: number_id } : {}),
    ...(reply_to ? { reply_to } : {}),
    ...(client_reference ? { client_reference } : {}),
  }
}

type Body = Record<string, unknown>
type Path = (typeof sentTypes)[SentType]

const bodies: Record<Path, (rt: Runtime, row: MessageRow, content: Content) => Body | Promise<Body>> = {
  send: (_rt, _row, { text, direct_send }) => ({ message: text ?? '', ...(direct_send && { direct_send }) }),
  template: (rt, row, content) => templateBody(rt, row, content as RenderedTemplate),
  media: (_rt, { type }, content) => mediaBody(type, content.media ?? {}),
  interactive: (_rt, _row, { interactive, direct_send }) => ({
    ...(interactive && interactiveBody(interactive)),
    ...(direct_send && { direct_send }),
  }),
  location: (_rt, _row, { location = {} }) => given(location),
  sticker: (_rt, _row, { media = {} }) => sourceOf(media),
  contacts: (_rt, _row, { contacts }) => ({ contacts }),
  reaction: (_rt, _row, { reaction }) => ({ ...reaction, emoji: reaction?.emoji ?? '' }),
}

type Media = NonNullable<Content['media']>

function sourceOf({ media_id, link }: Media): Body {
  return link ? { link } : { media_id }
}

function mediaBody(type: string, media: Media): Body {
  const { caption, filename, voice } = media
  return {
    type,
    ...sourceOf(media),
    ...(caption ? { caption } : {}),
    ...(filename && type === 'document' ? { filename } : {}),
    ...(voice ? { voice } : {}),
  }
}

async function templateBody(
  rt: Runtime,
  { account_id, template, language }: MessageRow,
  seen: RenderedTemplate,
): Promise<Body> {
  const known = template && language ? await findTemplate(rt, account_id, template, language) : null
  const components = known && readValues(known, { ...seen, buttons: seen.buttons ?? [] })
  return { template, language, ...(components && components.length > 0 ? { components } : {}) }
}

function interactiveBody({ kind, header, body, footer, ...rest }: InteractiveContent): Body {
  return { type: kind, ...(header ? { header } : {}), body, ...(footer ? { footer } : {}), ...rest }
}

/** Fields omitted from the request are null in the record. */
function given(content: Body): Body {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null))
}

/**
 * A new message with the words of an old one, to the same customer or to another. Who may not see what was written may
 * not have it sent to a phone of their own either.
 */
export async function sendAgain(rt: Runtime, member: Member, id: string, to: string | null) {
  const hidden = await hidesPeople(rt, member)
  if (to !== null && hidden) {
    const sentence = 'Your role cannot see message contents, so it can resend a message only to its original customer.'
    throw new AppError('insufficient_role', sentence, { requiredScope: 'pii:read' })
  }
  const row = await requireMessage(rt, member.accountId, id)
  const request = await requestOf(rt, row)
  if (!request) {
    const why = row.direction === 'inbound' ? 'A customer wrote it.' : 'Its content is no longer stored.'
    throw new AppError('message_not_resendable', `This message cannot be sent again. ${why}`)
  }
  // Another message for another time: it quotes nothing, and has no order of its own.
  const { reply_to: _quoted, client_reference: _reference, ...body } = request.body
  const sent = await sendByHand(rt, member, { ...request, body: { ...body, to: to ?? body.to } })
  if (!hidden) return sent
  // The caller did not name the customer, and Meta's id would.
  return { message_id: (await ownIds(rt, member.accountId, [sent.message_id]))(sent.message_id) ?? row.id }
}

/** A person sends, with no API key behind. The body was checked: by its schema, or when it was first sent. */
async function sendByHand(rt: Runtime, member: Member, request: ApiRequest): Promise<{ message_id: string }> {
  const sender: Sender = { accountId: member.accountId, phoneNumberIds: null, keyId: null, author: authorOf(member) }
  const { data } = await send(rt, {
    sender,
    request: sendRequestOf(request),
    idempotencyKey: null,
    deadline: sendDeadline(rt),
  })
  const { message_id } = data as SendAnswers[keyof SendAnswers]
  return { message_id }
}

function sendRequestOf({ path, body }: ApiRequest): SendRequest {
  return { kind: kindOf(path), body } as unknown as SendRequest
}
