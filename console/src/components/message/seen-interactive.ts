import {
  type Content,
  list,
  record,
  type SeenButton,
  type SeenCard,
  type SeenMessage,
  text,
  toMedia,
} from './seen-message.ts'

/** Reads an interactive message as the API keeps it. */
export function fromInteractive(interactive: Content): SeenMessage {
  const header = record(interactive.header)
  return {
    header: header?.type === 'text' ? text(header.text) : null,
    media: header && header.type !== 'text' ? toMedia(String(header.type), header) : null,
    text: text(interactive.body),
    footer: text(interactive.footer),
    buttons: [...list(interactive.buttons).map(replyButton), ...actionButtons(interactive)],
    list: interactive.kind === 'list' ? toList(interactive) : null,
    cards: list(interactive.cards).map(toCard),
    offer: null,
    note: productsOf(interactive),
  }
}

function toCard(card: Content): SeenCard {
  const header = record(card.header) ?? {}
  return {
    media: toMedia(String(header.type), header),
    text: text(card.body),
    buttons: card.url ? actionButtons({ ...card, kind: 'cta_url' }) : list(card.buttons).map(replyButton),
  }
}

function replyButton({ id, title }: Content): SeenButton {
  return { kind: 'reply', label: text(title) ?? '', id: text(id), value: null }
}

/** Buttons that do more than answer; some have a label of WhatsApp's own. */
function actionButtons({ kind, button, url }: Content): SeenButton[] {
  switch (kind) {
    case 'cta_url':
      return [{ kind: 'url', label: text(button) ?? '', id: null, value: text(url) }]
    case 'flow':
      return [{ kind, label: text(button) ?? '', id: null, value: null }]
    case 'location_request':
      return [{ kind, label: 'Send location', id: null, value: null }]
    case 'product':
      return [{ kind, label: 'View', id: null, value: null }]
    case 'product_list':
      return [{ kind, label: 'View items', id: null, value: null }]
    case 'catalog':
      return [{ kind, label: 'View catalog', id: null, value: null }]
    case 'address':
      return [{ kind, label: 'Provide address', id: null, value: null }]
    case 'call_permission':
      return [{ kind, label: 'Choose preference', id: null, value: null }]
    default:
      return []
  }
}

/** Products by their ids: what they are is in the catalog, at Meta. */
function productsOf({ product_id, product_sections }: Content): string | null {
  const inSections = list(product_sections).flatMap(({ product_ids }) =>
    Array.isArray(product_ids) ? product_ids : [],
  )
  const ids = [product_id, ...inSections].map(text).filter((id) => id !== null)
  if (ids.length === 0) return null
  return ids.length === 1 ? `Product ${ids[0]}` : `${ids.length} products: ${ids.join(', ')}`
}

function toList(interactive: Content): SeenMessage['list'] {
  return {
    button: text(interactive.button) ?? 'Options',
    sections: list(interactive.sections).map((section) => ({
      title: text(section.title),
      rows: list(section.rows).map((row) => ({
        id: text(row.id) ?? '',
        title: text(row.title) ?? '',
        description: text(row.description),
      })),
    })),
  }
}
