import type { Input } from '../http/wire.ts'
import type { InteractiveHeader } from './content-types.ts'
import type { SendBase } from './message-types.ts'

/** What all interactive messages have; the rest is for one type each. */
interface InteractiveBase
  extends SendBase,
    Pick<Input<'SendInteractive'>, 'body' | 'header' | 'footer' | 'directSend'> {
  /** The text of the message. */
  body: string
  /** Not for all types. */
  header?: InteractiveHeader | null
  /** Not for all types. */
  footer?: string | null
}

/** The fields of the types, all of them there. */
type Own = { [Name in keyof Input<'SendInteractive'>]-?: NonNullable<Input<'SendInteractive'>[Name]> }

/** Up to three buttons under a text. */
export interface ButtonsMessage extends InteractiveBase {
  type: 'buttons'
  /** Their ids come back with the tap. */
  buttons: Own['buttons']
}

/** A menu of up to ten rows. */
export interface ListMessage extends InteractiveBase {
  type: 'list'
  /** Label of the button that opens the menu. */
  button: string
  /** The rows, whose ids come back with the tap. */
  sections: Own['sections']
}

/** One to ten labels the customer can tap; up to three show as buttons, more as a menu. */
export interface QuickRepliesMessage extends InteractiveBase {
  type: 'quick_replies'
  /** The labels. */
  replies: Own['replies']
}

/** A button that opens a web page. */
export interface CtaUrlMessage extends InteractiveBase {
  type: 'cta_url'
  /** Label of the button. */
  button: string
  /** The page. */
  url: string
}

/** A button by which the customer sends their location, which comes as a message of type `location`. */
export interface LocationRequestMessage extends Omit<InteractiveBase, 'header' | 'footer'> {
  type: 'location_request'
}

/** A button that opens a Flow. What the customer enters comes as a message of type `flow_reply`. */
export interface FlowMessage extends InteractiveBase {
  type: 'flow'
  /** Label of the button. */
  button: string
  /** Which Flow, and how it opens. */
  flow: Own['flow']
}

/** A product of your catalog. What the customer buys comes as a message of type `order`. */
export interface ProductMessage extends Omit<InteractiveBase, 'header' | 'body'> {
  type: 'product'
  body?: string | null
  /** The catalog connected to your WhatsApp Business account. */
  catalogId: string
  /** Its SKU, or content id. */
  productId: string
}

/** Up to 30 products of your catalog, under a header. */
export interface ProductListMessage extends InteractiveBase {
  type: 'product_list'
  header: InteractiveHeader
  /** The catalog connected to your WhatsApp Business account. */
  catalogId: string
  /** One to ten; each needs a title when there are several. */
  productSections: Own['productSections']
}

/** A button that opens your catalog. */
export interface CatalogMessage extends Omit<InteractiveBase, 'header'> {
  type: 'catalog'
  /** The product whose picture stands for the catalog; Meta chooses one without. */
  thumbnailProductId?: string | null
}

/** Two to ten products of your catalog, side by side. What the customer buys comes as a message of type `order`. */
export interface ProductCarouselMessage extends Omit<InteractiveBase, 'header' | 'footer'> {
  type: 'product_carousel'
  /** The catalog connected to your WhatsApp Business account. */
  catalogId: string
  /** Their SKUs, or content ids. */
  productIds: readonly string[]
}

/** Two to ten cards side by side, which have the same type of file and the same number of buttons. */
export interface CarouselMessage extends Omit<InteractiveBase, 'header' | 'footer'> {
  type: 'carousel'
  cards: readonly CarouselCard[]
}

/** A card with a picture or video, and either a button that opens a page or up to three whose ids come back. */
export type CarouselCard = Own['cards'][number]

/** A form for an address, in India only. What the customer enters comes as a message of type `flow_reply`. */
export interface AddressMessage extends InteractiveBase {
  type: 'address'
  /** What the form begins with. */
  address: Own['address']
}

/** Asks the customer whether you may call. The answer comes as a message of type `call_permission_reply`. */
export interface CallPermissionMessage extends Omit<InteractiveBase, 'header' | 'footer' | 'body'> {
  type: 'call_permission'
  body?: string | null
}

/** Asks the customer for their phone number. What they share comes as a message of type `contacts`. */
export interface ContactInfoMessage extends Omit<InteractiveBase, 'header' | 'footer'> {
  type: 'contact_info'
}

/** Asks a customer in India or Brazil to pay. What becomes of it comes as `payment.updated`. */
export interface OrderDetailsMessage extends InteractiveBase {
  type: 'order_details'
  /** What is paid for, and how it can be paid. */
  order: Own['order']
}

/** What became of an order that you sent. */
export interface OrderStatusMessage extends InteractiveBase {
  type: 'order_status'
  orderStatus: Own['orderStatus']
}

/** An interactive message. */
export type InteractiveMessage =
  | ButtonsMessage
  | ListMessage
  | QuickRepliesMessage
  | CtaUrlMessage
  | LocationRequestMessage
  | FlowMessage
  | ProductMessage
  | ProductListMessage
  | CatalogMessage
  | ProductCarouselMessage
  | CarouselMessage
  | AddressMessage
  | CallPermissionMessage
  | ContactInfoMessage
  | OrderDetailsMessage
  | OrderStatusMessage
