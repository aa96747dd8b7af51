import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { type ButtonSubType, buttonSubTypes } from '../../contract/template-values.ts'
import { placeholdersIn } from '../../lib/text/placeholders.ts'
import type { TemplateButton, TemplateContent } from '../content/template-types.ts'
import { findComponent } from '../content/template-types.ts'
import type { GivenValue } from './read-parameters.ts'
import type { GivenButton, GivenComponents } from './read-send-components.ts'
import type { Matched, SendComponent } from './send-components.ts'
import { mismatch } from './send-components.ts'

export type MatchedButtons = { components: SendComponent[]; values: Map<number, string>; problems: FieldProblem[] }

/** Fits the values of buttons to those of the template, each at its place. */
export function matchButtons(template: TemplateContent, given: readonly GivenButton[]): MatchedButtons {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  const result: MatchedButtons = { components: [], values: new Map(), problems: [] }
  for (const [index, button] of buttons.entries()) {
    const part = given.find((candidate) => candidate.index === index)
    const { parameters, problems } = matchButton(button, index, part)
    const [parameter] = parameters
    result.problems.push(...problems)
    if (parameter?.type === 'text') result.values.set(index, parameter.text)
    if (parameter?.type === 'payload') result.values.set(index, parameter.payload)
    if (parameter?.type === 'coupon_code') result.values.set(index, parameter.coupon_code)
    const sub_type = subTypeOf(button)
    // Meta refuses a send that does not name its flow button (131009), even where it has no values.
    if (sub_type && (parameter || sub_type === 'flow')) {
      result.components.push({ type: 'button', sub_type, index, parameters })
    }
  }
  const strangers = given.filter(({ index }) => index >= buttons.length)
  const has = buttons.length === 0 ? 'no buttons' : `${buttons.length} (the first is 0)`
  result.problems.push(
    ...strangers.map(({ place, index }) =>
      bodyProblem(`${place}.index`, 'out_of_range', `There is no button ${index}: the template has ${has}`),
    ),
  )
  return result
}

function matchButton(button: TemplateButton, index: number, given: GivenButton | undefined): Matched {
  if (given?.subType && given.subType !== subTypeOf(button)) {
    const message = `button ${index} is of type ${typeOf(button)}, got ${given.subType}`
    return mismatch(`${given.place}.sub_type`, 'invalid_value', message)
  }
  const parameters = given?.parameters ?? []
  const { type, least, most } = demandOf(button)
  const name = `button ${index} (${button.text || typeOf(button)})`
  const field = given ? `${given.place}.parameters` : 'components'
  if (parameters.length < least) {
    return mismatch(field, 'required', `${name} needs 1 ${type} value, got none`)
  }
  if (parameters.length > most) {
    const takes = most === 0 ? 'takes no values' : `takes 1 ${type} value`
    return mismatch(field, 'too_many_items', `${name} ${takes}, got ${parameters.length}`)
  }
  const [first] = parameters
  if (!first) return { parameters: [], problems: [] }
  const { value } = first
  if (value.type !== type || !isButtonValue(value)) {
    const message = `${name} takes a ${type} value, got ${value.type}`
    return mismatch(`${first.place}.type`, 'invalid_value', message)
  }
  return { parameters: [value], problems: [] }
}

type ButtonValue = Extract<GivenValue, { type: 'text' | 'payload' | 'coupon_code' | 'action' }>

function isButtonValue(value: GivenValue): value is ButtonValue {
  return ['text', 'payload', 'coupon_code', 'action'].includes(value.type)
}

const typeOf = (button: TemplateButton): string => (button.type === 'other' ? button.platform_type : button.type)

/** Once created, the button that copies a one-time code is a url button. */
function subTypeOf(button: TemplateButton): ButtonSubType | null {
  const type = button.type === 'otp' ? 'url' : typeOf(button)
  return buttonSubTypes.find((known) => known === type) ?? null
}

function demandOf(button: TemplateButton): { type: ButtonValue['type']; least: 0 | 1; most: 0 | 1 } {
  const type = typeOf(button)
  if (type === 'copy_code') return { type: 'coupon_code', least: 1, most: 1 }
  if (type === 'flow') return { type: 'action', least: 0, most: 1 }
  // Without a payload the platform reports the label of a quick reply.
  if (button.type === 'quick_reply') return { type: 'payload', least: 0, most: 1 }
  if (button.type === 'otp') return { type: 'text', least: 1, most: 1 }
  const variable = button.type === 'url' && placeholdersIn(button.url).length > 0
  if (!variable) return { type: 'text', least: 0, most: 0 }
  return { type: 'text', least: button.optional ? 0 : 1, most: 1 }
}

/** The platform wants the one-time code twice, in the body and for the button that copies it; once is enough for us. */
export function withCodeButton(template: TemplateContent, given: GivenComponents): GivenComponents {
  const index = findComponent(template, 'buttons')?.buttons.findIndex(({ type }) => type === 'otp') ?? -1
  if (index === -1 || !given.body || given.buttons.some((button) => button.index === index)) return given
  return { ...given, buttons: [...given.buttons, { ...given.body, index, subType: 'url' }] }
}
