import type { Static } from 'typebox'
import type { SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import { type SentType, sentTypes } from '../../contract/messages/send-requests.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { findTemplate } from '../../templates/find-template.ts'
import { readValues } from '../../templates/values/read-values.ts'
import type { RenderedTemplate } from '../../templates/values/render-template.ts'
import type { InteractiveContent } from '../content/interactive-content.ts'
import { customerOf, publicId } from '../message-record.ts'
import type { Sent } from './dispatch-message.ts'
import type { Draft, Sender } from './draft.ts'
import { draftInteractive, type InteractiveRequest } from './send-interactive.ts'
import { draftMedia, type MediaRequest } from './send-media.ts'
import { draftTemplate, type TemplateRequest } from './send-template.ts'
import { draftText, type TextRequest } from './send-text.ts'

/** What a caller wants to send. */
export type SendRequest =
  | { kind: 'text'; body: TextRequest }
  | { kind: 'template'; body: TemplateRequest }
  | { kind: 'media'; body: MediaRequest }
  | { kind: 'interactive'; body: InteractiveRequest }

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
  }
}

/**
 * Whether nothing has to be done before the call. A file may have to be uploaded first, which is a call of the
 * platform; a fallback is for a window known to be closed.
 */
export function isPlain({ kind, body }: SendRequest): boolean {
  switch (kind) {
    case 'text':
      return !body.fallback
    case 'template':
      return !/"(image|video|document)":/.test(JSON.stringify(body.components ?? null))
    case 'interactive':
      return body.header == null || body.header.type === 'text'
    case 'media':
      return false
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

export type ApiRequest = { path: string; body: { to: string } & Record<string, unknown> }

type Content = {
  text?: string
  media?: { media_id?: string | null; link?: string | null; caption?: string | null; filename?: string | null }
  interactive?: InteractiveContent
} & Partial<RenderedTemplate>

/** The API call that makes the same message. Null for what a customer wrote, and where the words are gone. */
export async function requestOf(rt: Runtime, row: MessageRow): Promise<ApiRequest | null> {
  const to = customerOf(row)
  if (row.direction !== 'outbound' || row.content === null || to === null) return null
  const path = sentTypes[row.type as SentType]
  const body = await bodies[path](rt, row, JSON.parse(row.content) as Content)
  return { path: `/v1/chat/messages/${path}`, body: { to, ...(await placeOf(rt, row)), ...body } }
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
  send: (_rt, _row, { text }) => ({ message: text ?? '' }),
  template: (rt, row, content) => templateBody(rt, row, content as RenderedTemplate),
  media: (_rt, { type }, content) => mediaBody(type, content.media ?? {}),
  interactive: (_rt, _row, { interactive }) => (interactive ? interactiveBody(interactive) : {}),
}

function mediaBody(type: string, { media_id, link, caption, filename }: NonNullable<Content['media']>): Body {
  return {
    type,
    ...(link ? { link } : { media_id }),
    ...(caption ? { caption } : {}),
    ...(filename && type === 'document' ? { filename } : {}),
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
