import { setTimeout as pause } from 'node:timers/promises'
import type { ContactCard } from '../../contract/messages/send-content.ts'
import type { Place } from '../../contract/template-values.ts'
import type { ChatPlatform, NumberCredentials, SendReceipt } from '../chat-platform.ts'
import type { OutboundContent, OutboundMessage, TemplateMessage, WireEdge } from '../outbound-message.ts'
import { PlatformError } from '../platform-error.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import type { CloudCaller, CloudRequest } from './cloud-request.ts'
import { graphDialect } from './graph/graph-dialect.ts'
import { interactiveToWire } from './interactive-to-wire.ts'
import { type JsonObject, listOf, objectOf, textOf } from './lenient-json.ts'
import { given, media } from './template-to-wire.ts'

export function cloudMessages(caller: CloudCaller): Pick<ChatPlatform, 'send' | 'markRead'> {
  return {
    async send(number, message, options) {
      const context = sendContext(message)
      const { content } = message
      const json =
        content.type === 'wire'
          ? graphDialect.sendBody(content.body, options.correlation)
          : cloudSendBody(message, content, options.correlation)
      const { totalMs } = caller.limits
      const limits = { startedMs: performance.now(), totalMs: Math.min(totalMs, options.timeoutMs || totalMs) }
      const postTo = (endpoint: WireEdge) =>
        postAtMostTwice(caller, number, { method: 'POST', path: pathOf(number, endpoint), json, context }, limits)
      const first = endpointFor(number, message)
      // Only templates have two endpoints, and who wrote the body chose the endpoint too.
      const answer = content.type === 'template' ? onEitherEndpoint(first, postTo, limits) : postTo(first)
      return receiptOf(await answer, context)
    },

    async markRead(number, channelMessageId, options = {}) {
      await caller.command(number, {
        method: 'POST',
        path: pathOf(number, 'messages'),
        json: {
          messaging_product: 'whatsapp',
          status: 'read',
          message_id: channelMessageId,
          ...(options.typing && { typing_indicator: { type: 'text' } }),
        },
        context: { purpose: 'write' },
      })
    },
  }
}

/** All posts of a send share one deadline. */
type Limits = { startedMs: number; totalMs: number }

function endpointFor({ marketingMessages }: NumberCredentials, { content }: OutboundMessage): WireEdge {
  if (content.type === 'wire') return content.edge
  return marketingMessages && content.type === 'template' && content.isMarketing ? 'marketing_messages' : 'messages'
}

/** Codes by which an endpoint turns a template away that the other one takes: nothing was sent. */
const wrongEndpoint: Readonly<Record<WireEdge, readonly (number | null)[]>> = {
  messages: [131063],
  marketing_messages: [131055, 134100],
}

/** If the other endpoint rejects it too, the first error is more informative. */
async function onEitherEndpoint(
  first: WireEdge,
  postTo: (endpoint: WireEdge) => Promise<JsonObject>,
  { startedMs, totalMs }: Limits,
): Promise<JsonObject> {
  const isTurnedAway = (error: unknown, endpoint: WireEdge) =>
    error instanceof PlatformError && wrongEndpoint[endpoint].includes(error.upstream.code)
  try {
    return await postTo(first)
  } catch (refusal) {
    if (!isTurnedAway(refusal, first) || performance.now() - startedMs >= totalMs) throw refusal
    const other = first === 'messages' ? 'marketing_messages' : 'messages'
    return await postTo(other).catch((error: unknown) => {
      throw isTurnedAway(error, other) ? refusal : error
    })
  }
}

/**
 * The second post happens only where no byte of the first was written, or where a proxy turned it away
 * with a bare 429: nothing else is certain to have sent nothing.
 */
async function postAtMostTwice(
  caller: CloudCaller,
  number: NumberCredentials,
  request: CloudRequest,
  { startedMs, totalMs }: Limits,
): Promise<JsonObject> {
  const { repeatPauseMs } = caller.limits
  try {
    return await caller.call(number, { ...request, timeoutMs: totalMs - (performance.now() - startedMs) })
  } catch (error) {
    const leftMs = totalMs - (performance.now() - startedMs) - repeatPauseMs
    const harmless = error instanceof PlatformError && error.outcome === 'not_sent'
    if (!harmless || leftMs <= 0) throw error
    await pause(repeatPauseMs)
    return await caller.call(number, { ...request, timeoutMs: leftMs })
  }
}

function receiptOf(answer: JsonObject, context: FailureContext): SendReceipt {
  const message = objectOf(listOf(answer.messages)[0])
  const contact = objectOf(listOf(answer.contacts)[0])
  const messageId = textOf(message?.id)
  const messageStatus = textOf(message?.message_status)
  if (messageStatus === 'paused') {
    throw new PlatformError({ kind: 'rejected', outcome: 'refused', code: 'template_paused' })
  }
  if (messageId === null) throw unreadableAnswer(context)
  return {
    messageId,
    held: messageStatus === 'held_for_quality_assessment',
    waId: textOf(contact?.wa_id),
    userId: textOf(contact?.user_id),
    answer,
  }
}

function sendContext({ to, content }: OutboundMessage): FailureContext {
  const recipient = 'phone' in to ? to.phone.replace(/^\+/, '') : to.userId
  return { purpose: 'send', mediaByLink: namesLink(content), secrets: [recipient] }
}

function namesLink(content: OutboundContent): boolean {
  if ('media' in content) return 'link' in content.media
  if (content.type === 'interactive') {
    const { header, ...form } = content.interactive
    const headers = form.kind === 'carousel' ? form.cards.map((card) => card.header) : [header]
    return headers.some((one) => one !== null && 'media' in one && 'link' in one.media)
  }
  if (content.type !== 'template') return false
  return content.components.some(
    (values) => values.type === 'header' && values.parameters.some((one) => 'media' in one && 'link' in one.media),
  )
}

function pathOf(number: NumberCredentials, endpoint: WireEdge): string {
  return `/${encodeURIComponent(number.phoneNumberId)}/${endpoint}`
}

/** The body of `POST /{phone_number_id}/messages`. */
export function cloudSendBody(message: OutboundMessage, content: Composed, correlation: string): JsonObject {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...recipient(message),
    ...(message.replyTo !== undefined && { context: { message_id: message.replyTo } }),
    ...typedContent(content),
    ...directFields(content),
    biz_opaque_callback_data: correlation,
  }
}

function directFields(content: Composed): JsonObject {
  const direct = 'direct' in content ? content.direct : undefined
  if (!direct) return {}
  const { category, ttl_seconds, template_name } = direct
  return { category, ...given({ ttl_seconds }), ...(template_name && { direct_send_config: { template_name } }) }
}

/** Without `+` the platform may put the business number's own country code in front of a customer's number. */
function recipient({ to }: OutboundMessage): JsonObject {
  if ('userId' in to) return { recipient: to.userId }
  return { to: to.phone.startsWith('+') ? to.phone : `+${to.phone}` }
}

type Composed = Exclude<OutboundContent, { type: 'wire' }>

function typedContent(content: Composed): JsonObject {
  switch (content.type) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: content.previewUrl ?? false } }
    case 'template':
      return { type: 'template', template: template(content) }
    case 'image':
    case 'video':
      return { type: content.type, [content.type]: { ...media(content.media), ...given({ caption: content.caption }) } }
    case 'document': {
      const { caption, filename } = content
      return { type: 'document', document: { ...media(content.media), ...given({ caption, filename }) } }
    }
    case 'audio':
      return { type: 'audio', audio: { ...media(content.media), ...given({ voice: content.voice }) } }
    case 'sticker':
      return { type: 'sticker', sticker: media(content.media) }
    case 'interactive':
      return { type: 'interactive', interactive: interactiveToWire(content.interactive) }
    case 'location':
      return { type: 'location', location: location(content) }
    case 'contacts':
      return { type: 'contacts', contacts: content.contacts.map(contactCard) }
    case 'reaction':
      return { type: 'reaction', reaction: { message_id: content.channelMessageId, emoji: content.emoji } }
  }
}

function template({ name, language, components }: TemplateMessage): JsonObject {
  return {
    name,
    language: { code: language },
    ...(components.length > 0 && { components: components.map(componentValues) }),
  }
}

type Values = TemplateMessage['components'][number]
type Part = Exclude<Values, { type: 'carousel' }>

function componentValues(component: Values): JsonObject {
  if (component.type !== 'carousel') return partValues(component)
  const cards = component.cards.map((card) => ({ ...card, components: card.components.map(partValues) }))
  return { type: 'carousel', cards }
}

function partValues(component: Part): JsonObject {
  const { parameters, ...named } = component
  return {
    ...named,
    ...(named.type === 'button' && { index: String(named.index) }),
    ...(parameters.length > 0 && { parameters: parameters.map(templateValue) }),
  }
}

/** The contract writes values as Meta does, all but files and degrees. */
function templateValue(value: Part['parameters'][number]): JsonObject {
  if (value.type === 'location') return { type: value.type, location: location(value.location) }
  if (!('media' in value)) return value
  const { type, media: reference } = value
  const filename = type === 'document' ? reference.filename : undefined
  return { type, [type]: { ...media(reference), ...given({ filename }) } }
}

function location({ latitude, longitude, name, address }: Place): JsonObject {
  return { latitude: degrees(latitude), longitude: degrees(longitude), ...given({ name, address }) }
}

/** Six decimals are 11 cm; smaller values would be written as 1e-7. */
function degrees(value: number): string {
  return String(Number(value.toFixed(6)))
}

/** The platform wants one more part of the name than the whole. */
function contactCard(card: ContactCard): JsonObject {
  return { ...card, name: { first_name: card.name.formatted_name, ...card.name } }
}
