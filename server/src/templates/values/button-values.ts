import type { ButtonSubType } from '../../contract/template-values.ts'
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
}

const demands: Record<TemplateButton['type'], Demand | null> = {
  // Without a payload the platform reports the label of a quick reply.
  quick_reply: { subType: 'quick_reply', type: 'payload', least: 0 },
  url: { subType: 'url', type: 'text', least: 1 },
  phone_number: null,
  // Once created, the button that copies a one-time code is a url button.
  otp: { subType: 'url', type: 'text', least: 1 },
  copy_code: { subType: 'copy_code', type: 'coupon_code', least: 1 },
  flow: { subType: 'flow', type: 'action', least: 0, isAlwaysNamed: true },
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
  return button.type === 'copy_code' ? { type: 'coupon_code', coupon_code: button.example ?? 'SAMPLE25' } : null
}

/** What a customer would see of a value. */
export function shownValue(value: ButtonParameter | undefined): string | null {
  if (value?.type === 'text') return value.text
  if (value?.type === 'payload') return value.payload
  return value?.type === 'coupon_code' ? value.coupon_code : null
}
