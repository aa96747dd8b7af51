import type { RenderedTemplate } from './render-template.ts'
import { findComponent, type TemplateContent } from './template-types.ts'

/** The `components` of a send, as a caller writes them. */
export type WrittenComponent = { type: string; sub_type?: string; index?: number; parameters: object[] }

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
    if (button.type !== 'url') return []
    const sent = seen.buttons.find(({ type, text }) => type === 'url' && text === button.text)
    const parameters = readTexts(button.url, sent?.value ?? '') ?? []
    return parameters.length > 0 ? [{ type: 'button', sub_type: 'url', index, parameters }] : []
  })
  const parts = [{ type: 'header', parameters: head }, { type: 'body', parameters: body }, ...buttons]
  return parts.filter(({ parameters }) => parameters.length > 0)
}

/** `Hi {{1}}, see you` against `Hi Ana, see you` gives Ana. A variable used twice must have been the same twice. */
function readTexts(text: string, seen: string): object[] | null {
  const order: number[] = []
  const pattern = text
    .split(/(\{\{\d+\}\})/)
    .map((part) => {
      const number = /^\{\{(\d+)\}\}$/.exec(part)?.[1]
      if (number === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      if (order.includes(Number(number))) return `\\${order.indexOf(Number(number)) + 1}`
      order.push(Number(number))
      return '([\\s\\S]+?)'
    })
    .join('')
  const found = new RegExp(`^${pattern}$`).exec(seen)
  if (!found) return order.length === 0 ? [] : null
  const values = order.map((number, index) => ({ number, value: found[index + 1] ?? '' }))
  return values.sort((a, b) => a.number - b.number).map(({ value }) => ({ type: 'text', text: value }))
}

function mediaOf(header: RenderedTemplate['header']): object[] {
  if (!header || header.kind === 'text') return []
  const { kind, ...media } = header
  return [{ type: kind, [kind]: media }]
}
