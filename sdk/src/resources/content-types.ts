import type { Answer, Input } from '../http/wire.ts'

/**
 * What a message says. Which members there are depends on the type of the message; the document of the API leaves them
 * open, and newer gateways can add to them.
 */
export type MessageContent = {
  /** Of a text, the body of a template or of an interactive message. */
  text?: string | null
  media?: ContentMedia
  /** The button or row the customer tapped: `id` is the one you gave it. */
  reply?: { id: string; title: string | null; description: string | null }
  /** An interactive message as it was sent; quick replies are buttons or a list there. */
  interactive?: ContentInteractive
  /** Of a text or an interactive message that was sent without a template outside the window. */
  directSend?: { category: 'utility' | 'authentication'; ttlSeconds?: number; templateName?: string }
  /** Of a template. */
  header?: Answer<'TemplatePreview'>['header']
  /** Of a template. */
  footer?: string | null
  /** Of a template. */
  buttons?: Answer<'TemplatePreview'>['buttons']
  location?: { latitude: number; longitude: number; name: string | null; address: string | null }
  contacts?: Record<string, unknown>[]
  /** `emoji` is `null` when the reaction was taken back. */
  reaction?: { messageId: string; emoji: string | null }
  /**
   * What a customer filled in in a Flow, or as an address (`name` is `address_message`): `answers`, or `json` where they
   * are no JSON object.
   */
  flowReply?: { name: string | null; answers: Record<string, unknown> | null; json: string | null }
  /** Whether you may call the customer, and until when; `automatic` where a call of theirs allowed it. */
  callPermission?: { granted: boolean; permanent: boolean; expiresAt: string | null; automatic: boolean }
  /**
   * A saved card with which the customer wants to pay your order (Brazil). Meta charges nothing: charge the card by its
   * `credentialId`, then send the status of the order.
   */
  paymentMethod?: {
    method: string
    referenceId: string
    lastFourDigits: string | null
    credentialId: string | null
    chosenAt: string | null
  }
  /** A cart; `price` is that of one piece. */
  order?: { catalogId: string | null; products: OrderedProduct[] }
  /** The customer changed this message; `text` is what it says now. */
  edit?: { messageId: string; type: string }
  /** The customer deleted this message for everyone. */
  deletion?: { messageId: string }
  /** A note about the customer, such as `user_changed_number`; `from` and `userId` are the new ones. */
  system?: { type: string }
  /** What has no form of its own: Meta's name for it, the message it is about, and Meta's code for why there is no more. */
  unsupported?: {
    type: string
    about: string | null
    metaCode: number | null
    detail: Record<string, unknown> | null
  }
  /** Of a message that began with an advertisement or post. */
  referral?: ContentReferral
  /** The product of your catalog that the customer asks about. */
  referredProduct?: { catalogId: string | null; productId: string }
  /** The customer forwarded it from another chat. */
  forwarded?: true
  /** User name of the customer in WhatsApp, where they have one. */
  username?: string
}

/** The advertisement or post that led the customer to you, as Meta describes it. */
export type ContentReferral = {
  sourceUrl?: string
  sourceId?: string
  /** `ad` or `post`. */
  sourceType?: string
  headline?: string
  body?: string
  mediaType?: string
  imageUrl?: string
  videoUrl?: string
  thumbnailUrl?: string
  /** Id of the click, for Meta's Conversions API. */
  ctwaClid?: string
  welcomeMessage?: { text?: string }
}

/** A product in an order. */
export type OrderedProduct = {
  productId: string
  quantity: number | null
  price: number | null
  currency: string | null
}

/** A file in a message. The facts of a link that was passed on, and of a file still being fetched, are `null`. */
export type ContentMedia = {
  /** For `media.get()` and `media.content()`. */
  mediaId: string | null
  mimeType: string | null
  /** In bytes. */
  size: number | null
  /** Hexadecimal. */
  sha256: string | null
  caption: string | null
  filename: string | null
  /** Of outbound messages that were sent with a link. */
  link?: string | null
  /** Of audio: recorded in the chat, or sent as if it were. */
  voice?: boolean
  /** Of inbound images. */
  sticker?: boolean
}

/** An interactive message as it was sent. */
export type ContentInteractive = {
  header: InteractiveHeader | null
  /** `null` of a product or a request to call without a text. */
  body: string | null
  footer: string | null
} & (
  | { kind: 'buttons'; buttons: { id: string; title: string }[] }
  | {
      kind: 'list'
      button: string
      sections: { title: string | null; rows: { id: string; title: string; description: string | null }[] }[]
    }
  | { kind: 'cta_url'; button: string; url: string }
  | { kind: 'location_request' }
  | { kind: 'flow'; button: string; flow: ContentFlow }
  | { kind: 'product'; catalogId: string; productId: string }
  | { kind: 'product_list'; catalogId: string; productSections: { title: string | null; productIds: string[] }[] }
  | { kind: 'catalog'; thumbnailProductId: string | null }
  | { kind: 'product_carousel'; catalogId: string; productIds: string[] }
  | { kind: 'carousel'; cards: ContentCard[] }
  | { kind: 'address'; address: ContentAddress }
  | { kind: 'call_permission' }
  | { kind: 'contact_info' }
  | { kind: 'order_details'; order: ContentOrder }
  | { kind: 'order_status'; orderStatus: ContentOrderStatus }
)

/** An order to be paid. Amounts are in hundredths of the currency. */
export type ContentOrder = {
  referenceId: string
  goods: 'digital' | 'physical'
  currency: string
  items: { name: string; quantity: number; amount: number; productId: string | null }[]
  tax: number
  shipping: number
  discount: number
  /** In the words of Meta. */
  paymentSettings: Record<string, unknown>[]
}

/** What became of an order. */
export type ContentOrderStatus = {
  referenceId: string
  status: string
  description: string | null
  paidAt: string | null
}

/** A card of a carousel: `button` and `url`, or `buttons`. */
export type ContentCard = {
  header: { type: 'image' | 'video'; mediaId?: string | null; link?: string | null }
  body: string | null
  button: string | null
  url: string | null
  buttons: { id: string; title: string }[] | null
}

/** What the form for an address begins with. */
export type ContentAddress = {
  country: string
  values: AddressValues | null
  savedAddresses: { id: string; values: AddressValues }[] | null
  validationErrors: AddressValues | null
}

/** An address in India, as far as it is known. */
export type AddressValues = {
  name?: string
  phoneNumber?: string
  inPinCode?: string
  houseNumber?: string
  floorNumber?: string
  towerNumber?: string
  buildingName?: string
  address?: string
  landmarkArea?: string
  city?: string
  state?: string
}

/** The Flow that a button opens. */
export type ContentFlow = {
  id: string | null
  name: string | null
  token: string | null
  mode: 'published' | 'draft'
  action: 'navigate' | 'data_exchange'
  screen: string | null
  screenData: Record<string, unknown> | null
}

/** Header of an interactive message; a list has text headers only, and some types have none. */
export type InteractiveHeader = NonNullable<Input<'SendInteractive'>['header']>
