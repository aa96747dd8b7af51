import type {
  AddressForm,
  AddressValues,
  Card,
  Flow,
  Header,
  NamedFile,
  ReplyButton,
} from '../../../contract/messages/interactive-content.ts'
import type { Order, OrderItem, OrderStatus } from '../../../contract/messages/orders.ts'

export type InteractiveHeader = Header<NamedFile>
export type ListRow = { id: string; title: string; description?: string | null }
export type ListSection = { title?: string | null; rows: readonly ListRow[] }

type Framed = { header?: InteractiveHeader | null; body?: string | null; footer?: string | null }
export type ButtonsRequest = Framed & { type: 'buttons'; buttons: readonly ReplyButton[] }
export type ListRequest = Framed & { type: 'list'; button: string; sections: readonly ListSection[] }
export type QuickRepliesRequest = Framed & { type: 'quick_replies'; replies: readonly string[] }
export type CtaUrlRequest = Framed & { type: 'cta_url'; button: string; url: string }
export type LocationRequest = Framed & { type: 'location_request' }

export type FlowRequest = Framed & { type: 'flow'; button: string; flow: Given<Flow> }
export type ProductRequest = Framed & { type: 'product'; catalog_id: string; product_id: string }
export type ProductListRequest = Framed & {
  type: 'product_list'
  catalog_id: string
  product_sections: readonly { title?: string | null; product_ids: readonly string[] }[]
}
export type CatalogRequest = Framed & { type: 'catalog'; thumbnail_product_id?: string | null }
export type ProductCarouselRequest = Framed & {
  type: 'product_carousel'
  catalog_id: string
  product_ids: readonly string[]
}
export type CarouselRequest = Framed & { type: 'carousel'; cards: readonly CardRequest[] }
export type AddressRequest = Framed & {
  type: 'address'
  to: string
  address: Pick<AddressForm, 'country'> & {
    values?: Given<AddressValues> | null
    saved_addresses?: readonly { id: string; values: Given<AddressValues> }[] | null
    validation_errors?: Given<AddressValues> | null
  }
}
export type OrderDetailsRequest = Framed & {
  type: 'order_details'
  order: Omit<Order, 'items' | 'shipping' | 'discount'> &
    Given<Pick<Order, 'shipping' | 'discount'>> & {
      items: readonly (Omit<OrderItem, 'product_id'> & Given<Pick<OrderItem, 'product_id'>>)[]
    }
}
export type OrderStatusRequest = Framed & {
  type: 'order_status'
  order_status: Pick<OrderStatus, 'reference_id' | 'status'> & Given<Pick<OrderStatus, 'description' | 'paid_at'>>
}
export type CallPermissionRequest = Framed & { type: 'call_permission' }
export type ContactInfoRequest = Framed & { type: 'contact_info' }
export type CardRequest = Pick<Card<NamedFile>, 'header'> & Given<Omit<Card<NamedFile>, 'header'>>

export type InteractiveRequest =
  | ButtonsRequest
  | ListRequest
  | QuickRepliesRequest
  | CtaUrlRequest
  | LocationRequest
  | FlowRequest
  | ProductRequest
  | ProductListRequest
  | CatalogRequest
  | ProductCarouselRequest
  | CarouselRequest
  | AddressRequest
  | CallPermissionRequest
  | ContactInfoRequest
  | OrderDetailsRequest
  | OrderStatusRequest

/** As a request may write it: what is left out is null in what is kept. */
type Given<Kept> = { [Name in keyof Kept]?: Kept[Name] | null }
