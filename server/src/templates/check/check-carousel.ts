import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { type CarouselCard, findComponent, hasProductCards, type TemplateContent } from '../content/template-types.ts'
import { checkLength, type Placed } from './check-text.ts'

export const cardsMax = 10
export const cardCharactersMax = 160

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
