import type { ButtonAction, ButtonSubType } from '../../contract/template-values.ts'
import { placeholdersIn } from '../../lib/text/placeholders.ts'
import type { TemplateButton } from '../content/template-types.ts'
import type { SendParameter } from './send-components.ts'

export type ButtonParameter = Extract<SendParameter, { type: 'text' | 'payload' | 'coupon_code' | 'action' }>

/** The value a kind of button takes at a send, and how many. */
export type Demand = {
  subType: ButtonSubType
  type: ButtonParameter['type']
  least: 0 | 1
  /** Meta refuses a send that does not name the button, even where it has no values (131009). */
  isAlwaysNamed?: true
  /** The fields of an action that it takes, and those it needs. */
  fields?: readonly (keyof ButtonAction)[]
  needs?: readonly (keyof ButtonAction)[]
}

const productFields = ['thumbnail_product_retailer_id', 'sections'] as const

const demands: Record<TemplateButton['type'], Demand | null> = {
  // Without a payload the platform reports the label of a quick reply.
  quick_reply: { subType: 'quick_reply', type: 'payload', least: 0 },
  url: { subType: 'url', type: 'text', least: 1 },
  phone_number: null,
  // Once created, the button that copies a one-time code is a url button.
  otp: { subType: 'url', type: 'text', least: 1 },
  copy_code: { subType: 'copy_code', type: 'coupon_code', least: 1 },
  flow: {
    subType: 'flow',
    type: 'action',
    least: 0,
    isAlwaysNamed: true,
    fields: ['flow_token', 'flow_action_data'],
  },
  // Without a thumbnail it is that of the first product.
  catalog: {
    subType: 'catalog',
    type: 'action',
    least: 0,
    isAlwaysNamed: true,
    fields: ['thumbnail_product_retailer_id'],
  },
  mpm: { subType: 'mpm', type: 'action', least: 1, fields: productFields, needs: productFields },
  spm: null,
  request_contact_info: null,
  other: null,
}

/** Null for a button that takes no value. */
export function demandOf(button: TemplateButton): Demand | null {
  const demand = demands[button.type]
  if (button.type !== 'url' || !demand) return demand
  if (placeholdersIn(button.url).length === 0) return null
  return button.optional ? { ...demand, least: 0 } : demand
}

/** A value as it could be sent; null where none must be given, and for a code, which the body has. */
export function exampleValue(button: TemplateButton): ButtonParameter | null {
  if (demandOf(button)?.least !== 1) return null
  if (button.type === 'url') return { type: 'text', text: button.example ?? 'sample-1' }
  if (button.type === 'mpm') return { type: 'action', action: actionExample }
  return button.type === 'copy_code' ? { type: 'coupon_code', coupon_code: button.example ?? 'SAMPLE25' } : null
}

export const productExample = { product_retailer_id: 'sku-1', catalog_id: '194836987003835' }
const actionExample: ButtonAction = {
  thumbnail_product_retailer_id: 'sku-1',
  sections: [{ title: 'Our favourites', product_items: [{ product_retailer_id: 'sku-1' }] }],
}

/** What a customer would see of a value. */
export function shownValue(value: ButtonParameter | undefined): string | null {
  if (value?.type === 'text') return value.text
  if (value?.type === 'payload') return value.payload
  if (value?.type === 'action') return value.action.thumbnail_product_retailer_id ?? null
  return value?.type === 'coupon_code' ? value.coupon_code : null
}
