import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { findComponent, type TemplateContent } from '../content/template-types.ts'
import { checkLength, type Placed } from './check-text.ts'

/** Shorter than that of other coupons. */
export const offerCodeCharactersMax = 15

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
