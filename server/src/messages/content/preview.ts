import type { MessageRow } from '../../store/messages/messages.ts'

type Content = {
  text?: string | null
  media?: { caption?: string | null; filename?: string | null; mime_type?: string | null } | null
  reply?: { title?: string | null } | null
  location?: { name?: string | null } | null
  reaction?: { emoji?: string | null } | null
  order?: { products: readonly unknown[] } | null
  deletion?: object | null
}

const charactersMax = 120

/** The beginning of what a message says, for a line in a list; null when there are no words, or no longer. */
export function previewOf({ content }: Pick<MessageRow, 'content'>): string | null {
  if (content === null) return null
  const { text, media, reply, location, reaction, order, deletion } = JSON.parse(content) as Content
  const words =
    text ??
    media?.caption ??
    media?.filename ??
    media?.mime_type ??
    reply?.title ??
    location?.name ??
    reaction?.emoji ??
    (order ? `Order of ${order.products.length} products` : null) ??
    (deletion ? 'Deleted a message' : null)
  return words === null ? null : Array.from(words).slice(0, charactersMax).join('')
}
