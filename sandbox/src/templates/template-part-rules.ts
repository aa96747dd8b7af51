import { managementError } from '../http/errors.ts'
import { type Json, lengthOf, list, record, text } from '../http/json.ts'

export const bodyProblem = (reason: string) => managementError(2388072, 'Message template body is not valid', reason)
export const headerProblem = (reason: string) =>
  managementError(2388047, 'Message template header is not valid', reason)
export const footerProblem = (reason: string) =>
  managementError(2388073, 'Message template footer is not valid', reason)

/** Marketing alone, without footer, with a url button and before it the code, which an end needs. */
export function checkOffer(components: Json[], category: string): void {
  const of = (type: string) => components.find((component) => component.type === type)
  const offer = record(of('LIMITED_TIME_OFFER')?.limited_time_offer)
  const source = text(offer.text) ?? ''
  if (category !== 'MARKETING') throw bodyProblem('A limited-time offer is a marketing template.')
  if (source === '' || lengthOf(source) > 16) throw bodyProblem('The text of an offer has between 1 and 16 characters.')
  if (of('FOOTER')) throw footerProblem('A limited-time offer has no footer.')
  const header = of('HEADER')
  if (header && header.format !== 'IMAGE' && header.format !== 'VIDEO') {
    throw headerProblem('The header of a limited-time offer is an image or a video.')
  }
  const buttons = list(of('BUTTONS')?.buttons).map(record)
  const kinds = buttons.map(({ type }) => type).join(' ')
  if (kinds !== 'COPY_CODE URL' && (kinds !== 'URL' || offer.has_expiration === true)) {
    throw bodyProblem('A limited-time offer has the buttons COPY_CODE and URL; without an end, URL alone will do.')
  }
  const [code] = buttons
  const example = text(Array.isArray(code?.example) ? code.example[0] : code?.example) ?? ''
  if (code?.type === 'COPY_CODE' && lengthOf(example) > 15) throw bodyProblem('The code of an offer has 15 characters.')
}

/** Buttons for products: marketing, alone, and with the header that goes with them. */
export function checkProducts(components: Json[], category: string): void {
  const of = (type: string) => components.find((component) => component.type === type)
  const buttons = list(of('BUTTONS')?.buttons).map(record)
  const kind = buttons.map(({ type }) => String(type)).find((type) => type in PRODUCT_HEADERS)
  const format = of('HEADER')?.format ?? null
  if (kind === undefined) {
    if (format === 'PRODUCT') throw headerProblem('A product in the header needs a button of type SPM.')
    return
  }
  if (category !== 'MARKETING') throw bodyProblem('A template with products is a marketing template.')
  if (buttons.length > 1) throw bodyProblem(`A ${kind} button stands alone.`)
  if (format !== PRODUCT_HEADERS[kind]) throw headerProblem(`This header does not go with a ${kind} button.`)
}

const PRODUCT_HEADERS: Record<string, string | null> = { CATALOG: null, MPM: 'TEXT', SPM: 'PRODUCT' }

/** Marketing alone, beside a body and nothing else: 2 to 10 cards that are built alike, of files or of products. */
export function checkCarousel(components: Json[], cards: Json[][], category: string): void {
  if (category !== 'MARKETING') throw bodyProblem('A carousel is a marketing template.')
  if (components.length > 2) throw bodyProblem('A carousel has a body beside it, and nothing else.')
  if (cards.length < 2 || cards.length > 10) throw bodyProblem('A carousel has between 2 and 10 cards.')
  const forms = cards.map((card) => {
    const of = (type: string) => card.find((component) => component.type === type)
    const kinds = list(of('BUTTONS')?.buttons).map((button) => String(record(button).type))
    const format = String(of('HEADER')?.format)
    const isProduct = format === 'PRODUCT' && !of('BODY') && ['SPM', 'URL'].includes(kinds.join())
    const plain = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER']
    const isFile =
      ['IMAGE', 'VIDEO'].includes(format) && kinds.length <= 2 && kinds.every((kind) => plain.includes(kind))
    if (!isProduct && !isFile)
      throw bodyProblem('A card has a header of a file or a product, and the buttons of its kind.')
    return JSON.stringify([format, of('BODY') !== undefined, kinds])
  })
  if (new Set(forms).size > 1) throw bodyProblem('All cards have the same components.')
}
