import type { NumberCredentials, PassedCall } from '../../chat-platform.ts'
import type { WireAnswer } from '../../dialect.ts'
import type { OutboundMessage } from '../../outbound-message.ts'
import type { RelayDialect, RelayedEcho } from '../../relay-dialect.ts'
import { cloudSendBody } from '../cloud-messages.ts'
import type { CloudCaller } from '../cloud-request.ts'
import { asciiJson, type JsonObject, objectOf } from '../lenient-json.ts'
import { joinPieces, namesNobody, renderPiece, splitCallback } from './relay-payload.ts'

/** The question that the platform asks of an address before it reports to it. */
const handshakeUrl: RelayDialect['handshakeUrl'] = (address, { verifyToken, challenge }) => {
  const { searchParams } = address
  searchParams.set('hub.mode', 'subscribe')
  searchParams.set('hub.challenge', challenge)
  searchParams.set('hub.verify_token', verifyToken)
  return address.href
}

/** Bare, quoted, or as JSON: there are clients that answer with a number. */
export const isHandshakeReply: RelayDialect['isHandshakeReply'] = (reply, challenge) => {
  const text = reply.replace(/^\uFEFF/, '').trim()
  return text === challenge || text === `"${challenge}"` || text === `'${challenge}'`
}

/** The format of Cloud API callbacks to clients. */
export const relayDialect: RelayDialect = {
  split: splitCallback,
  join: joinPieces,
  render: renderPiece,
  echo,
  namesNobody,
  signed: signedHeaders,
  handshakeUrl,
  isHandshakeReply,
}

/** As it reports what was sent with the WhatsApp Business app. */
function echo(sent: RelayedEcho): string {
  const { wabaId, phoneNumberId, ownPhone, customer, messageId, at } = sent
  const seconds = Math.floor(at / 1_000)
  const from = bare(ownPhone)
  const message = {
    from,
    ...(customer.phone !== null && { to: bare(customer.phone) }),
    ...(customer.userId !== null && { to_user_id: customer.userId }),
    id: messageId,
    timestamp: String(seconds),
    ...contentOf(sent),
  }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: from, phone_number_id: phoneNumberId },
    message_echoes: [message],
  }
  const change = { field: 'smb_message_echoes', value }
  return asciiJson({
    object: 'whatsapp_business_account',
    entry: [{ id: wabaId, time: seconds, changes: [change] }],
  })
}

function bare(phone: string): string {
  return phone.replace(/^\+/, '')
}

/** All but what says where it goes and what we wrote on it. */
const aroundContent = ['messaging_product', 'recipient_type', 'to', 'recipient', 'biz_opaque_callback_data', 'category']

function contentOf({ outbound, isSecret }: RelayedEcho): JsonObject {
  const body = bodyOf(outbound)
  const shown = Object.fromEntries(Object.entries(body).filter(([name]) => !aroundContent.includes(name)))
  const context = objectOf(shown.context)
  const quoted = context && { context: { ...context, id: context.message_id } }
  const template = objectOf(shown.template)
  const { components: _, ...named } = template ?? {}
  return { ...shown, ...quoted, ...(isSecret && template && { template: named }) }
}

function bodyOf(outbound: OutboundMessage): JsonObject {
  const { content } = outbound
  return content.type === 'wire' ? content.body : cloudSendBody(outbound, content, '')
}

/** The platform's header, as its clients check it. `mac` is the HMAC of the app's secret, in hex. */
function signedHeaders(mac: (body: Uint8Array) => string, body: Uint8Array): Record<string, string> {
  return { 'x-hub-signature-256': `sha256=${mac(body)}` }
}

const limits = { timeoutMs: 8_000, bytesMax: 4 * 1_048_576 }

/** A client's own call, with our credentials. Once: what a second one would do is not known here. */
export function passCall(
  caller: CloudCaller,
  number: NumberCredentials,
  { method, path, query, body = null, upload }: PassedCall,
): Promise<WireAnswer> {
  const context = { purpose: method === 'GET' ? 'read' : 'write' } as const
  const call = { method, path, query, context, ...limits }
  if (!upload) return caller.pass(number, { ...call, ...(body && { json: body }) })
  const { offset, ...file } = upload
  // This one call wants the token under another name.
  const headers = { authorization: `OAuth ${number.accessToken}`, file_offset: String(offset) }
  return caller.pass(number, { ...call, file, headers, timeoutMs: caller.limits.transferMs })
}
