import type { OutboundMessage } from '../../outbound-message.ts'
import type { RelayDialect, RelayedEcho } from '../../relay-dialect.ts'
import { cloudSendBody } from '../cloud-send-body.ts'
import { asciiJson } from '../exact-json.ts'
import { type JsonObject, objectOf } from '../lenient-json.ts'
import { handshakeUrl, isHandshakeReply } from './ask-handshake.ts'
import { joinPieces, namesNobody, renderPiece, splitCallback } from './relay-payload.ts'
import { signedHeaders } from './sign-relay.ts'

/** How the Cloud API reports to its clients. */
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
