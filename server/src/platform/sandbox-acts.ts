import type { Static } from 'typebox'
import type { CustomerAct as CustomerActSchema } from '../contract/console/sandbox.ts'

/** What a customer does on the phone. A tap names the message whose button or row it was. */
export type CustomerAct = Static<typeof CustomerActSchema>

/** The same in the words of the sandbox's control API. */
export function inboundOf(act: CustomerAct): Record<string, unknown> {
  switch (act.kind) {
    case 'text':
      return { text: act.text }
    case 'button':
      return { type: 'interactive', button_reply: { id: act.id, title: act.title }, context: act.message_id }
    case 'list':
      return { type: 'interactive', list_reply: { id: act.id, title: act.title }, context: act.message_id }
    case 'quick_reply':
      return { type: 'button', button: { payload: act.payload, text: act.title }, context: act.message_id }
    case 'media': {
      const { kind: _, type, ...given } = act
      return { type, media: Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) }
    }
    case 'location':
      return {
        type: 'location',
        location: { latitude: act.latitude, longitude: act.longitude },
        context: act.message_id,
      }
    case 'form': {
      const nfm_reply = { name: act.name, body: 'Sent', response_json: JSON.stringify(act.answers) }
      return { type: 'interactive', nfm_reply, context: act.message_id }
    }
    case 'order': {
      const product_items = act.product_ids.map((id) => ({ product_retailer_id: id, ...samplePrice }))
      return { type: 'order', order: { catalog_id: act.catalog_id, product_items }, context: act.message_id }
    }
    case 'call_permission':
      return { type: 'interactive', call_permission_reply: permissionReply(act.granted), context: act.message_id }
  }
}

/** The catalog is at Meta, and its prices with it. */
const samplePrice = { quantity: 1, item_price: 10, currency: 'USD' }

function permissionReply(granted: boolean): Record<string, unknown> {
  const response = granted ? 'accept' : 'reject'
  return { response, is_permanent: granted, response_source: 'user_action' }
}
