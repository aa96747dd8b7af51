import { findComponent, hasProductCards, type TemplateContent } from '../content/template-types.ts'
import type { RenderedTemplate } from './render-template.ts'

/** The `components` of a send, as a caller writes them. */
export type WrittenComponent =
  | { type: string; sub_type?: string; index?: number; parameters: object[] }
  | { type: 'carousel'; cards: object[] }

/**
 * The values behind a message that was sent, read back from its words: a send keeps what the customer saw, not what the
 * caller wrote. Null when the template has changed so that the words no longer fit.
 */
export function readValues(template: TemplateContent, seen: RenderedTemplate): WrittenComponent[] | null {
  const header = findComponent(template, 'header')
  const body = readTexts(findComponent(template, 'body')?.text ?? '', seen.text)
  const head =
    header?.format === 'text'
      ? readTexts(header.text, seen.header && 'text' in seen.header ? seen.header.text : '')
      : mediaOf(seen.header)
  if (!body || !head) return null
  const buttons = (findComponent(template, 'buttons')?.buttons ?? []).flatMap((button, index) => {
    if (button.type === 'copy_code') {
      const code = seen.buttons.find(({ type }) => type === 'copy_code')?.value
      const parameters = [{ type: 'coupon_code', coupon_code: code }]
      return code ? [{ type: 'button', sub_type: 'copy_code', index, parameters }] : []
    }
    if (button.type === 'catalog' || button.type === 'mpm') {
      const { value, sections } = seen.buttons.find(({ type }) => type === button.type) ?? {}
      const action = { ...(value ? { thumbnail_product_retailer_id: value } : {}), ...(sections ? { sections } : {}) }
      const parameters = value ? [{ type: 'action', action }] : []
      return [{ type: 'button', sub_type: button.type, index, parameters }]
    }
    if (button.type !== 'url') return []
    const sent = seen.buttons.find(({ type, text }) => type === 'url' && text === button.text)
    const parameters = readTexts(button.url, sent?.value ?? '') ?? []
    return parameters.length > 0 ? [{ type: 'button', sub_type: 'url', index, parameters }] : []
  })
  const end = seen.offer?.expires_at ? [{ expiration_time_ms: Date.parse(seen.offer.expires_at) }] : []
  const offer = end.map((limited_time_offer) => ({ type: 'limited_time_offer', limited_time_offer }))
  const parts = [
    { type: 'header', parameters: head },
    { type: 'body', parameters: body },
    { type: 'limited_time_offer', parameters: offer },
    ...buttons,
  ]
  const filled = parts.filter(({ parameters }) => parameters.length > 0)
  const cards = readCards(template, seen)
  return cards === null ? null : [...filled, ...cards]
}

function readCards(template: TemplateContent, seen: RenderedTemplate): WrittenComponent[] | null {
  const carousel = findComponent(template, 'carousel')
  if (!carousel) return []
  const cards = (seen.cards ?? []).map((card, card_index) => {
    const own = carousel.cards[hasProductCards(carousel) ? 0 : card_index]
    const values = own && readValues({ ...template, ...own }, { ...card, text: card.text ?? '', footer: null })
    return values ? { card_index, components: values } : null
  })
  if (!cards.every((card) => card !== null)) return null
  return cards.length > 0 ? [{ type: 'carousel', cards }] : []
}

/**
 * `Hi {{1}}, see you` against `Hi Ana, see you` gives Ana: each value ends where the next fixed words begin. One walk
 * from left to right, because a pattern with ten variables could take forever on a text that does not fit.
 */
function readTexts(text: string, seen: string): object[] | null {
  const [first = '', ...rest] = text.split(/\{\{(\d+)\}\}/)
  if (rest.length === 0) return []
  if (!seen.startsWith(first)) return null
  const values = new Map<number, string>()
  let start = first.length
  for (let at = 0; at < rest.length; at += 2) {
    const number = Number(rest[at])
    const words = rest[at + 1] ?? ''
    const end = at + 2 === rest.length ? endOf(seen, words) : seen.indexOf(words, start + 1)
    const value = seen.slice(start, end)
    if (end <= start || (values.get(number) ?? value) !== value) return null
    values.set(number, value)
    start = end + words.length
  }
  return [...values].sort(([a], [b]) => a - b).map(([, value]) => ({ type: 'text', text: value }))
}

function endOf(seen: string, words: string): number {
  return seen.endsWith(words) ? seen.length - words.length : -1
}

function mediaOf(header: RenderedTemplate['header']): object[] {
  if (!header || header.kind === 'text') return []
  const { kind, ...media } = header
  return [{ type: kind, [kind]: media }]
}
