export type SeenMedia = {
  kind: string
  mediaId: string | null
  link: string | null
  name: string | null
  mimeType: string | null
  isVoice: boolean
}
export type SeenButton = {
  kind: string
  label: string
  id: string | null
  value: string | null
  /** What a tap says beside ids and labels. */
  tap?: Tap
}

/** What a finger does on a message. */
export type Tap =
  | { kind: 'button'; id: string; title: string }
  | { kind: 'list'; id: string; title: string }
  | { kind: 'quick_reply'; payload: string; title: string }
  | { kind: 'location'; latitude: number; longitude: number }
  | { kind: 'form'; name: 'flow' | 'address_message'; answers: Record<string, unknown> }
  | { kind: 'order'; catalog_id: string; product_ids: string[] }
  | { kind: 'call_permission'; granted: boolean }
  | { kind: 'contact_info' }
  | { kind: 'payment_method'; reference_id: string }

export type SeenSection = { title: string | null; rows: { id: string; title: string; description: string | null }[] }

export type SeenCard = Pick<SeenMessage, 'media' | 'text' | 'buttons'>

/** A message as a phone shows it, whatever its type. */
export type SeenMessage = {
  header: string | null
  media: SeenMedia | null
  text: string | null
  footer: string | null
  buttons: SeenButton[]
  list: { button: string; sections: SeenSection[] } | null
  /** Of a carousel. */
  cards: SeenCard[]
  /** A limited-time offer, and when it ends. */
  offer: { text: string; end: string | null } | null
  /** What has no words of its own, in ours. */
  note: string | null
  /** Of a message whose type is known to Meta alone, as it was sent. */
  json?: unknown
  /** Where a map shows it. */
  place?: string
}

export type Content = Record<string, unknown>

export function toMedia(kind: string, media: Content): SeenMedia {
  return {
    kind,
    mediaId: text(media.media_id),
    link: text(media.link),
    name: text(media.filename),
    mimeType: text(media.mime_type),
    isVoice: media.voice === true,
  }
}

export function record(value: unknown): Content | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Content) : null
}

export function list(value: unknown): Content[] {
  return Array.isArray(value) ? value.map(record).filter((one) => one !== null) : []
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
