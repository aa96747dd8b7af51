/** A file in a template header. */
export type TemplateMedia = { link: string; mediaId?: never } | { mediaId: string; link?: never }

/** What the value of a text may have beside it: the name of its variable, where the template names them. */
type Named = { parameterName?: string }

/** A value of a template body. */
export type BodyParameter = Named &
  (
    | { type: 'text'; text: string }
    | {
        type: 'currency'
        /** `amount_1000` is the amount times 1000: 42.50 is 42500. */
        currency: { code: string; amount_1000: number; fallbackValue?: string }
      }
    | { type: 'date_time'; dateTime: { fallbackValue: string } }
  )

/** A value of a template header. */
export type HeaderParameter =
  | (Named & { type: 'text'; text: string })
  | { type: 'image'; image: TemplateMedia }
  | { type: 'document'; document: TemplateMedia & { filename?: string } }
  | { type: 'video'; video: TemplateMedia }
  | { type: 'product'; product: { productRetailerId: string; catalogId: string } }
  | { type: 'location'; location: { latitude: number; longitude: number; name?: string; address?: string } }

/** A value of a button: the end of a url, the payload of a quick reply, a coupon code, what a Flow starts with, or products. */
export type ButtonParameter =
  | { type: 'text'; text: string }
  | { type: 'payload'; payload: string }
  | { type: 'coupon_code'; couponCode: string }
  | {
      type: 'action'
      /** The keys of `flowActionData` are those of your Flow, and are sent as they are. */
      action: {
        flowToken?: string
        flowActionData?: Record<string, unknown>
        /** The product whose picture the message shows. */
        thumbnailProductRetailerId?: string
        /** The products behind a button of type `mpm`. */
        sections?: readonly { title: string; productItems: readonly { productRetailerId: string }[] }[]
      }
    }

/** The values of one part of a template, or of a card. */
export type TemplatePartValues =
  | {
      type: 'limited_time_offer'
      /** The end of the offer, in milliseconds since 1970. */
      parameters: readonly [{ type: 'limited_time_offer'; limitedTimeOffer: { expirationTimeMs: number } }]
    }
  | { type: 'header'; parameters: readonly HeaderParameter[] }
  | { type: 'body'; parameters: readonly BodyParameter[] }
  | {
      type: 'button'
      subType: 'url' | 'quick_reply' | 'copy_code' | 'flow' | 'catalog' | 'mpm'
      /** Position of the button, from 0. */
      index: number
      parameters: readonly ButtonParameter[]
    }

/** The values of a template: of its parts, and of each card of a carousel. */
export type TemplateComponent =
  | TemplatePartValues
  | { type: 'carousel'; cards: readonly { cardIndex?: number; components: readonly TemplateCardValues[] }[] }

/** A card has a header, a body and buttons. */
type TemplateCardValues = Exclude<TemplatePartValues, { type: 'limited_time_offer' }>

/** A body value in short: text and numbers become `text` parameters. */
export type TemplateValue = string | number | BodyParameter
