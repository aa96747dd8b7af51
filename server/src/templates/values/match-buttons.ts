import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import type { ButtonAction, ButtonSubType } from '../../contract/template-values.ts'
import { placeholdersIn } from '../../lib/text/placeholders.ts'
import { findComponent, type TemplateButton, type TemplateContent } from '../content/template-types.ts'
import type { GivenValue } from './read-parameters.ts'
import type { GivenButton, GivenComponents } from './read-send-components.ts'
import type { SendParameter, SendPart } from './send-components.ts'

type MatchedButtons = {
  components: SendPart[]
  values: Map<number, ButtonParameter>
  problems: FieldProblem[]
}

/** Fits the values of buttons to those of the template, each at its place. */
export function matchButtons(template: TemplateContent, given: readonly GivenButton[]): MatchedButtons {
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  const result: MatchedButtons = { components: [], values: new Map(), problems: [] }
  for (const [index, button] of buttons.entries()) {
    const demand = demandOf(button)
    const part = given.find((candidate) => candidate.index === index)
    const { value, problems } = matchButton(button, index, part)
    result.problems.push(...problems)
    if (value) result.values.set(index, value)
    if (demand && (value || demand.isAlwaysNamed)) {
      const parameters = value ? [value] : []
      result.components.push({ type: 'button', sub_type: demand.subType, index, parameters })
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

type MatchedButton = { value: ButtonParameter | null; problems: FieldProblem[] }

function matchButton(button: TemplateButton, index: number, given: GivenButton | undefined): MatchedButton {
  const demand = demandOf(button)
  if (given && given.subType !== (demand?.subType ?? button.type)) {
    const message = `button ${index} is of type ${typeOf(button)}, got ${given.subType}`
    return wrong(`${given.place}.sub_type`, 'invalid_value', message)
  }
  const parameters = given?.parameters ?? []
  const name = `button ${index} (${button.text || typeOf(button)})`
  const field = given ? `${given.place}.parameters` : 'components'
  if (parameters.length < (demand?.least ?? 0)) {
    return wrong(field, 'required', `${name} needs 1 ${demand?.type} value, got none`)
  }
  if (parameters.length > (demand ? 1 : 0)) {
    const takes = demand ? `takes 1 ${demand.type} value` : 'takes no values'
    return wrong(field, 'too_many_items', `${name} ${takes}, got ${parameters.length}`)
  }
  const [first] = parameters
  if (!first || !demand) return { value: null, problems: [] }
  const { value } = first
  if (value.type !== demand.type || !isButtonValue(value)) {
    return wrong(`${first.place}.type`, 'invalid_value', `${name} takes a ${demand.type} value, got ${value.type}`)
  }
  const problem = value.type === 'action' ? actionProblem(value.action, demand, first.place) : null
  return problem ? { value: null, problems: [problem] } : { value, problems: [] }
}

function actionProblem(
  action: ButtonAction,
  { subType, fields = [], needs = [] }: Demand,
  place: string,
): FieldProblem | null {
  const keys = Object.keys(action) as (keyof ButtonAction)[]
  const strange = keys.find((key) => !fields.includes(key))
  const missing = needs.find((key) => !keys.includes(key))
  if (strange) {
    const message = `A ${subType} button has no \`${strange}\`. It has: ${fields.join(', ')}`
    return bodyProblem(`${place}.action.${strange}`, 'unknown_field', message)
  }
  return missing
    ? bodyProblem(`${place}.action.${missing}`, 'required', `A ${subType} button needs \`${missing}\``)
    : null
}

function wrong(field: string, code: FieldCode, message: string): MatchedButton {
  return { value: null, problems: [bodyProblem(field, code, message)] }
}

function isButtonValue(value: GivenValue): value is Extract<GivenValue, ButtonParameter> {
  return ['text', 'payload', 'coupon_code', 'action'].includes(value.type)
}

const typeOf = (button: TemplateButton): string => (button.type === 'other' ? button.platform_type : button.type)

/** The platform wants the one-time code twice, in the body and for the button that copies it; once is enough for us. */
export function withCodeButton(template: TemplateContent, given: GivenComponents): GivenComponents {
  const index = findComponent(template, 'buttons')?.buttons.findIndex(({ type }) => type === 'otp') ?? -1
  if (index === -1 || !given.body || given.buttons.some((button) => button.index === index)) return given
  return { ...given, buttons: [...given.buttons, { ...given.body, index, subType: 'url' }] }
}

export type ButtonParameter = Extract<SendParameter, { type: 'text' | 'payload' | 'coupon_code' | 'action' }>

/** The value a kind of button takes at a send, and how many. */
type Demand = {
  subType: ButtonSubType
  type: ButtonParameter['type']
  least: 0 | 1
  /** Meta refuses a send that does not name the button, even where it has no values (131009). */
  isAlwaysNamed?: true
  /** The fields of an action that it takes, and those it needs. */
  fields?: readonly (keyof ButtonAction)[]
  needs?: readonly (keyof ButtonAction)[]
}

const productFields = ['thumbnail_product_retailer_id', 'sections'] as const

const demands: Record<TemplateButton['type'], Demand | null> = {
  // Without a payload the platform reports the label of a quick reply.
  quick_reply: { subType: 'quick_reply', type: 'payload', least: 0 },
  url: { subType: 'url', type: 'text', least: 1 },
  phone_number: null,
  // Once created, the button that copies a one-time code is a url button.
  otp: { subType: 'url', type: 'text', least: 1 },
  copy_code: { subType: 'copy_code', type: 'coupon_code', least: 1 },
  flow: {
    subType: 'flow',
    type: 'action',
    least: 0,
    isAlwaysNamed: true,
    fields: ['flow_token', 'flow_action_data'],
  },
  // Without a thumbnail it is that of the first product.
  catalog: {
    subType: 'catalog',
    type: 'action',
    least: 0,
    isAlwaysNamed: true,
    fields: ['thumbnail_product_retailer_id'],
  },
  mpm: { subType: 'mpm', type: 'action', least: 1, fields: productFields, needs: productFields },
  spm: null,
  request_contact_info: null,
  other: null,
}

/** Null for a button that takes no value. */
export function demandOf(button: TemplateButton): Demand | null {
  const demand = demands[button.type]
  if (button.type !== 'url' || !demand) return demand
  if (placeholdersIn(button.url).length === 0) return null
  return button.optional ? { ...demand, least: 0 } : demand
}

/** A value as it could be sent; null where none must be given, and for a code, which the body has. */
export function exampleValue(button: TemplateButton): ButtonParameter | null {
  if (demandOf(button)?.least !== 1) return null
  if (button.type === 'url') return { type: 'text', text: button.example ?? 'sample-1' }
  if (button.type === 'mpm') return { type: 'action', action: actionExample }
  return button.type === 'copy_code' ? { type: 'coupon_code', coupon_code: button.example ?? 'SAMPLE25' } : null
}

export const productExample = { product_retailer_id: 'sku-1', catalog_id: '194836987003835' }
const actionExample: ButtonAction = {
  thumbnail_product_retailer_id: 'sku-1',
  sections: [{ title: 'Our favourites', product_items: [{ product_retailer_id: 'sku-1' }] }],
}

/** A value as the customer sees it. */
export function shownValue(value: ButtonParameter | undefined): string | null {
  if (value?.type === 'text') return value.text
  if (value?.type === 'payload') return value.payload
  if (value?.type === 'action') return value.action.thumbnail_product_retailer_id ?? null
  return value?.type === 'coupon_code' ? value.coupon_code : null
}
