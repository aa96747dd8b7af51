import type { MediaKind } from './template-content.ts'

/** The kinds of buttons that take a value, by Meta's names. */
export const buttonSubTypes = ['url', 'quick_reply', 'copy_code', 'flow'] as const
export type ButtonSubType = (typeof buttonSubTypes)[number]

/** Degrees; Meta shows the address only below a name. */
export type Place = { latitude: number; longitude: number; name?: string; address?: string }
/** What a Flow starts with. */
export type FlowAction = { flow_token?: string; flow_action_data?: Record<string, unknown> }

/** One value of a template; `parameter_name` only where variables have names. `Media` is how a file is named. */
export type TemplateValue<Media> =
  | { type: 'text'; parameter_name?: string; text: string }
  | {
      type: 'currency'
      parameter_name?: string
      currency: { fallback_value: string; code: string; amount_1000: number }
    }
  | { type: 'date_time'; parameter_name?: string; date_time: { fallback_value: string } }
  | { type: MediaKind; media: Media }
  | { type: 'location'; location: Place }
  | { type: 'payload'; payload: string }
  | { type: 'coupon_code'; coupon_code: string }
  | { type: 'action'; action: FlowAction }
  | { type: 'limited_time_offer'; limited_time_offer: { expiration_time_ms: number } }

/** The values of one component, in the order of the template. Without values only a flow button is named. */
export type ComponentValues<Media> =
  | { type: 'header' | 'body' | 'limited_time_offer'; parameters: TemplateValue<Media>[] }
  | { type: 'button'; sub_type: ButtonSubType; index: number; parameters: TemplateValue<Media>[] }
