import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import {
  type CarouselCard,
  cardCharactersMax,
  cardsMax,
  findComponent,
  hasProductCards,
  offerCodeCharactersMax,
  type TemplateContent,
} from '../content/template-types.ts'
import { checkLength, type Placed } from './check-text.ts'

/** Meta's form of a carousel: 2 to 10 cards that are built alike, below a body and nothing else. */
export function checkCarousel(template: TemplateContent, placed: readonly Placed[]): FieldProblem[] {
  const carousel = findComponent(template, 'carousel')
  if (!carousel) return []
  const { cards } = carousel
  const place = `${placed.find(({ component }) => component === carousel)?.place ?? 'components'}.cards`
  const others = placed.filter(({ component }) => component.type !== 'body' && component.type !== 'carousel')
  const isOfProducts = hasProductCards(carousel)
  const count = `A carousel has 2 to ${cardsMax} cards, this has ${cards.length}.`
  return [
    ...(template.category === 'marketing'
      ? []
      : [bodyProblem('category', 'invalid_value', 'A template with a carousel is a marketing template.')]),
    ...others.map((other) =>
      bodyProblem(other.place, 'invalid_value', 'A template with a carousel has a body beside it, and nothing else.'),
    ),
    ...(cards.length < 2 ? [bodyProblem(place, 'too_short', count)] : []),
    ...(cards.length > cardsMax ? [bodyProblem(place, 'too_many_items', count)] : []),
    ...cards.flatMap((card, index) => checkCard(card, isOfProducts, `${place}[${index}]`)),
    ...checkAlike(cards, place),
  ]
}

function checkCard(card: CarouselCard, isOfProducts: boolean, place: string): FieldProblem[] {
  const header = findComponent(card, 'header')
  const body = findComponent(card, 'body')
  const buttons = findComponent(card, 'buttons')?.buttons ?? []
  const kinds = buttons.map(({ type }) => type)
  const problem = (message: string) => [bodyProblem(place, 'invalid_value', message)]
  if (isOfProducts) {
    const isWhole = header?.format === 'product' && !body && (kinds.join() === 'spm' || kinds.join() === 'url')
    return isWhole ? [] : problem('A card of a product has a header of format product and one button, spm or url.')
  }
  const allowed = ['quick_reply', 'url', 'phone_number']
  return [
    ...(header?.format === 'image' || header?.format === 'video'
      ? []
      : problem('A card has a header of format image, video or product.')),
    ...(body ? checkLength(body.text, `${place}.components`, 'The body of a card', cardCharactersMax) : []),
    ...(kinds.length <= 2 && kinds.every((kind) => allowed.includes(kind))
      ? []
      : problem('A card has at most two buttons, of type quick_reply, url or phone_number.')),
  ]
}

function checkAlike(cards: readonly CarouselCard[], place: string): FieldProblem[] {
  const different = cards.findIndex((card) => formOf(card) !== formOf(cards[0]))
  if (different === -1) return []
  const message = 'All cards have the same parts: header format, body or none, and buttons.'
  return [bodyProblem(`${place}[${different}]`, 'invalid_value', message)]
}

function formOf(card: CarouselCard | undefined): string {
  const header = card && findComponent(card, 'header')
  const buttons = card && findComponent(card, 'buttons')
  const hasBody = card !== undefined && findComponent(card, 'body') !== undefined
  return JSON.stringify([header?.format, hasBody, buttons?.buttons.map(({ type }) => type)])
}

/** Shorter than that of other coupons. */

/** Meta's form of a template with a limited-time offer; its body is shorter, too. */
export function checkOffer(template: TemplateContent, placed: readonly Placed[]): FieldProblem[] {
  const offer = findComponent(template, 'limited_time_offer')
  if (!offer) return []
  const placeOf = (type: string) => placed.find(({ component }) => component.type === type)?.place ?? 'components'
  const header = findComponent(template, 'header')
  const hasWrongHeader = header && header.format !== 'image' && header.format !== 'video'
  return [
    ...(template.category === 'marketing'
      ? []
      : [bodyProblem('category', 'invalid_value', 'A limited-time offer is a marketing template.')]),
    ...checkLength(offer.text, `${placeOf('limited_time_offer')}.text`, 'The text of an offer', 16),
    ...(hasWrongHeader
      ? [bodyProblem(placeOf('header'), 'invalid_value', 'Beside an offer the header is an image or a video.')]
      : []),
    ...(findComponent(template, 'footer')
      ? [bodyProblem(placeOf('footer'), 'invalid_value', 'A template with an offer has no footer.')]
      : []),
    ...checkOfferButtons(template, placeOf('buttons')),
  ]
}

function checkOfferButtons(template: TemplateContent, place: string): FieldProblem[] {
  const offer = findComponent(template, 'limited_time_offer')
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  const [first] = buttons
  const kinds = buttons.map(({ type }) => type).join(' ')
  if (kinds !== 'url' && kinds !== 'copy_code url') {
    const message = 'A template with an offer has a url button, and before it at most one of type copy_code.'
    return [bodyProblem(place, 'invalid_value', message)]
  }
  if (first?.type !== 'copy_code') {
    const message = 'An offer that expires needs a button of type copy_code before its url button.'
    return offer?.has_expiration ? [bodyProblem(place, 'required', message)] : []
  }
  if (Array.from(first.example ?? '').length <= offerCodeCharactersMax) return []
  const message = `The code of an offer has at most ${offerCodeCharactersMax} characters.`
  return [bodyProblem(`${place}.buttons[0].example`, 'too_long', message)]
}

/** The header that each product button requires: none, a text, or the product. */
const headers = { catalog: null, mpm: 'text', spm: 'product' } as const

/** Meta's forms of templates that show products: marketing, with one button and the header that goes with it. */
export function checkProducts(template: TemplateContent, placed: readonly Placed[]): FieldProblem[] {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  const button = buttons.find(({ type }) => type === 'catalog' || type === 'mpm' || type === 'spm')
  const header = findComponent(template, 'header') ?? null
  const kind = button?.type === 'catalog' || button?.type === 'mpm' || button?.type === 'spm' ? button.type : null
  const placeOf = (type: string) => placed.find(({ component }) => component.type === type)?.place ?? 'components'
  if (kind === null) {
    const message = 'A template with a product in its header has a button of type spm.'
    return header?.format === 'product' ? [bodyProblem(placeOf('buttons'), 'required', message)] : []
  }
  const wanted = headers[kind]
  const words = wanted === null ? 'no header' : `a header of format ${wanted}`
  return [
    ...(template.category === 'marketing'
      ? []
      : [bodyProblem('category', 'invalid_value', 'A template that shows products is a marketing template.')]),
    ...(buttons.length === 1
      ? []
      : [bodyProblem(placeOf('buttons'), 'too_many_items', `Beside a button of type ${kind} there is no other.`)]),
    ...((header?.format ?? null) === wanted
      ? []
      : [bodyProblem(placeOf('header'), 'invalid_value', `A template with a button of type ${kind} has ${words}.`)]),
  ]
}
