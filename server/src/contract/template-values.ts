import type { MediaKind } from './template-content.ts'

/** The kinds of buttons that take a value, by Meta's names. */
export const buttonSubTypes = ['url', 'quick_reply', 'copy_code', 'flow', 'catalog', 'mpm'] as const
export type ButtonSubType = (typeof buttonSubTypes)[number]

/** Fields of a date that Meta documented once and ignores: it shows the text of `fallback_value`. */
export const dateTimeIgnored = [
  'day_of_week',
  'day_of_month',
  'year',
  'month',
  'hour',
  'minute',
  'calendar',
  'timestamp',
] as const

/** Degrees; Meta shows the address only below a name. */
export type Place = { latitude: number; longitude: number; name?: string; address?: string }
/** A product of the catalog, by the id the business gave it. */
export type Product = { product_retailer_id: string; catalog_id: string }
export type ProductSection = { title: string; product_items: { product_retailer_id: string }[] }
/** The start values of a Flow, or the products of a button; the thumbnail is that of a product. */
export type ButtonAction = {
  flow_token?: string
  flow_action_data?: Record<string, unknown>
  thumbnail_product_retailer_id?: string
  sections?: ProductSection[]
}

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
  | { type: 'product'; product: Product }
  | { type: 'action'; action: ButtonAction }
  | { type: 'limited_time_offer'; limited_time_offer: { expiration_time_ms: number } }

/** The values of one component, in the order of the template. Without values only a flow or catalog button is named. */
export type PartValues<Media> =
  | { type: 'header' | 'body' | 'limited_time_offer'; parameters: TemplateValue<Media>[] }
  | { type: 'button'; sub_type: ButtonSubType; index: number; parameters: TemplateValue<Media>[] }
export type CarouselValues<Media> = {
  type: 'carousel'
  cards: { card_index: number; components: PartValues<Media>[] }[]
}
export type ComponentValues<Media> = PartValues<Media> | CarouselValues<Media>
