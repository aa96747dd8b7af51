import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { offerCodeCharactersMax } from '../check/check-parts.ts'
import { findComponent, type TemplateContent } from '../content/template-types.ts'
import type { ButtonParameter } from './button-values.ts'
import type { GivenPart } from './read-send-components.ts'
import { type Matched, mismatch } from './send-components.ts'

/** The end of a limited-time offer. One that does not count down may go without; Meta decides. */
export function matchOffer(template: TemplateContent, given: GivenPart | null): Matched {
  const offer = findComponent(template, 'limited_time_offer')
  const [first, second] = given?.parameters ?? []
  const place = given?.place ?? 'components'
  if (!offer) {
    return given ? mismatch(place, 'too_many_items', 'The template has no limited-time offer.') : noOffer
  }
  if (!first) return offer.has_expiration ? mismatch(place, 'required', 'limited_time_offer needs its end') : noOffer
  if (second) return mismatch(second.place, 'too_many_items', 'limited_time_offer needs 1 value')
  const { value } = first
  if (value.type === 'limited_time_offer') return { parameters: [value], problems: [] }
  const message = `limited_time_offer needs a limited_time_offer value, got ${value.type}`
  return mismatch(`${first.place}.type`, 'invalid_value', message)
}

const noOffer: Matched = { parameters: [], problems: [] }

/** The code of an offer is shorter than that of other coupons. */
export function checkOfferCode(
  template: TemplateContent,
  values: ReadonlyMap<number, ButtonParameter>,
): FieldProblem[] {
  if (!findComponent(template, 'limited_time_offer')) return []
  const isLong = [...values.values()].some(
    (value) => value.type === 'coupon_code' && Array.from(value.coupon_code).length > offerCodeCharactersMax,
  )
  const message = `The code of an offer has at most ${offerCodeCharactersMax} characters`
  return isLong ? [bodyProblem('components', 'too_long', message)] : []
}
