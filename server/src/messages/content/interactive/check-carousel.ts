import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkButtons } from './check-choices.ts'
import { checkCount, checkFile, checkGiven, checkPage, checkWords } from './check-parts.ts'
import type { CardRequest, CarouselRequest } from './interactive-request.ts'

/** Cards look alike: the same kind of file, and the same kind and number of buttons. */
export function checkCarousel({ cards }: CarouselRequest): FieldProblem[] {
  return [
    ...checkCount(cards.length, 'cards', { least: 2, most: 10, noun: 'cards' }),
    ...cards.flatMap((card, index) => [
      ...checkCard(card, `cards[${index}]`),
      ...checkAlike(card, cards[0] ?? card, `cards[${index}]`),
    ]),
  ]
}

function checkCard(card: CardRequest, place: string): FieldProblem[] {
  const { header, body } = card
  const lineBreaks = body?.match(/\n/g)?.length ?? 0
  return [
    ...checkFile(header, `${place}.header`),
    ...checkGiven(body, `${place}.body`, 160),
    ...(lineBreaks > 2 ? [bodyProblem(`${place}.body`, 'too_long', 'Use at most two line breaks.')] : []),
    ...checkTaps(card, place),
  ]
}

function checkTaps({ button, url, buttons }: CardRequest, place: string): FieldProblem[] {
  if (!buttons && button == null && url == null) {
    return [bodyProblem(place, 'one_of_required', 'Give `button` and `url`, or `buttons`.')]
  }
  if (buttons && (button != null || url != null)) {
    return [bodyProblem(place, 'mutually_exclusive', 'Give either `button` and `url`, or `buttons`.')]
  }
  if (buttons) return checkButtons(buttons, `${place}.buttons`)
  const needed = (field: string) => [bodyProblem(`${place}.${field}`, 'required', '`button` and `url` go together.')]
  return [
    ...(button == null ? needed('button') : checkWords(button, `${place}.button`, 20)),
    ...(url == null ? needed('url') : checkPage(url, `${place}.url`)),
  ]
}

function checkAlike(card: CardRequest, first: CardRequest, place: string): FieldProblem[] {
  const kind = bodyProblem(`${place}.header.type`, 'invalid_value', `Give all cards the type ${first.header.type}.`)
  const taps = bodyProblem(place, 'invalid_value', 'Give it the same kind and number of buttons as the first card.')
  return [
    ...(card.header.type === first.header.type ? [] : [kind]),
    ...((card.buttons?.length ?? 0) === (first.buttons?.length ?? 0) ? [] : [taps]),
  ]
}
