import { bodyProblem, type FieldProblem } from '../../contract/field-codes.ts'
import { type ButtonSubType, buttonSubTypes } from '../../contract/template-values.ts'
import { isGiven, type Raw } from '../content/raw-component.ts'
import { type GivenParameter, readParameters } from './read-parameters.ts'
import { requireObject, Unreadable } from './unreadable.ts'
import { unsupportedParts } from './unsupported-parts.ts'

export type GivenPart = { place: string; parameters: GivenParameter[] }
export type GivenButton = GivenPart & { index: number; subType: ButtonSubType | null }
export type GivenComponents = {
  header: GivenPart | null
  body: GivenPart | null
  limited_time_offer: GivenPart | null
  buttons: GivenButton[]
}

/** The values of a send as a caller wrote them. Looks at their form only; whether they fit is for `matchParameters`. */
export function readSendComponents(
  given: unknown,
  language: string,
): { components: GivenComponents; problems: FieldProblem[] } {
  const components: GivenComponents = { header: null, body: null, limited_time_offer: null, buttons: [] }
  const problems: FieldProblem[] = []
  if (given === undefined || given === null) return { components, problems }
  if (!Array.isArray(given)) {
    return { components, problems: [bodyProblem('components', 'invalid_type', 'Give a list of components.')] }
  }
  for (const [index, raw] of given.entries()) {
    try {
      addComponent(components, raw, `components[${index}]`, language)
    } catch (err) {
      if (!(err instanceof Unreadable)) throw err
      problems.push(err.problem)
    }
  }
  return { components, problems }
}

function addComponent(components: GivenComponents, given: unknown, place: string, language: string): void {
  const named = requireObject(given, place, null).type
  const type = typeof named === 'string' ? named.toLowerCase() : ''
  if (type !== 'header' && type !== 'body' && type !== 'button' && type !== 'limited_time_offer') {
    const hint = type === 'buttons' ? ' Each button is a component of its own.' : unsupportedHint(type)
    throw new Unreadable(`${place}.type`, 'invalid_value', `Use header, body, button or limited_time_offer.${hint}`)
  }
  const raw = requireObject(given, place, ['type', 'sub_type', 'index', 'parameters'])
  const readValues = () => readParameters(raw.parameters ?? [], place, language)
  if (type === 'button') {
    components.buttons.push({ ...readButton(components, raw, place), place, parameters: readValues() })
    return
  }
  if (isGiven(raw.index) || isGiven(raw.sub_type)) {
    throw new Unreadable(place, 'invalid_value', 'Only a button has `sub_type` and `index`.')
  }
  if (components[type]) throw new Unreadable(place, 'duplicate', `Give one component of type ${type}.`)
  components[type] = { place, parameters: readValues() }
}

function readButton(components: GivenComponents, raw: Raw, place: string): Omit<GivenButton, keyof GivenPart> {
  const digits = typeof raw.index === 'number' || typeof raw.index === 'string' ? String(raw.index) : ''
  if (!isGiven(raw.index)) {
    throw new Unreadable(`${place}.index`, 'required', 'Give the position of the button; the first is 0.')
  }
  if (!/^\d{1,2}$/.test(digits)) {
    throw new Unreadable(`${place}.index`, 'invalid_value', 'Give the position as an integer; the first is 0.')
  }
  const word = typeof raw.sub_type === 'string' ? raw.sub_type.toLowerCase() : ''
  const subType = buttonSubTypes.find((known) => known === word) ?? null
  if (isGiven(raw.sub_type) && subType === null) {
    throw new Unreadable(
      `${place}.sub_type`,
      'invalid_value',
      `Use ${buttonSubTypes.join(', ')}.${unsupportedHint(word)}`,
    )
  }
  const index = Number(digits)
  if (components.buttons.some((button) => button.index === index)) {
    throw new Unreadable(`${place}.index`, 'duplicate', `Button ${index} is given twice.`)
  }
  return { index, subType }
}

function unsupportedHint(word: string): string {
  const part = unsupportedParts.get(word)
  return part ? ` A template with ${part} cannot be sent with this gateway.` : ''
}
