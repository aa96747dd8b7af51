import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { type ButtonSubType, buttonSubTypes } from '../../contract/template-values.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isGiven, type Raw } from '../content/template-types.ts'
import { type GivenParameter, type MediaSource, readParameters } from './read-parameters.ts'
import { requireObject, Unreadable, wordOf } from './unreadable.ts'
import { unsupportedParts } from './unsupported-parts.ts'

export type GivenPart = { place: string; parameters: GivenParameter[] }
export type GivenButton = GivenPart & { index: number; subType: ButtonSubType }
export type GivenComponents = {
  header: GivenPart | null
  body: GivenPart | null
  limited_time_offer: GivenPart | null
  buttons: GivenButton[]
  carousel: GivenCarousel | null
}
export type GivenCarousel = { place: string; cards: GivenCard[] }
type GivenCard = { place: string; index: number; parts: GivenComponents }

/** The values of a send as a caller wrote them. Looks at their form only; whether they fit is for `matchParameters`. */
export function readSendComponents(
  given: unknown,
  language: string,
): { components: GivenComponents; problems: FieldProblem[] } {
  const components = noComponents()
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

const noComponents = (): GivenComponents => ({
  header: null,
  body: null,
  limited_time_offer: null,
  buttons: [],
  carousel: null,
})

/** The files that the values name, those of cards too. */
export function filesNamedIn({ header, carousel }: GivenComponents): MediaSource[] {
  const own = (header?.parameters ?? []).flatMap(({ value }) => ('media' in value ? [value.media] : []))
  return [...own, ...(carousel?.cards ?? []).flatMap(({ parts }) => filesNamedIn(parts))]
}

function addComponent(components: GivenComponents, given: unknown, place: string, language: string): void {
  const named = requireObject(given, place, null).type
  const type = wordOf(named)
  if (type === 'carousel') {
    if (components.carousel) throw new Unreadable(place, 'duplicate', 'Give one component of type carousel.')
    const { cards } = requireObject(given, place, ['type', 'cards'])
    components.carousel = { place, cards: readCards(cards, `${place}.cards`, language) }
    return
  }
  if (type !== 'header' && type !== 'body' && type !== 'button' && type !== 'limited_time_offer') {
    const hint = type === 'buttons' ? ' Each button is a component of its own.' : unsupportedHint(type)
    throw new Unreadable(
      `${place}.type`,
      'invalid_value',
      `Use header, body, button, limited_time_offer or carousel.${hint}`,
    )
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

function readCards(given: unknown, place: string, language: string): GivenCard[] {
  if (!Array.isArray(given)) throw new Unreadable(place, 'required', 'Give a list of cards.')
  return given.map((raw: unknown, at) => {
    const card = `${place}[${at}]`
    const { card_index, components = [] } = requireObject(raw, card, ['card_index', 'components'])
    const index = card_index ?? at
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) {
      throw new Unreadable(`${card}.card_index`, 'invalid_value', 'Give the position as an integer; the first is 0.')
    }
    if (!Array.isArray(components)) throw new Unreadable(`${card}.components`, 'invalid_type', 'Give a list.')
    const parts = noComponents()
    for (const [number, part] of components.entries()) {
      const field = `${card}.components[${number}]`
      const isNested = isRecord(part) && wordOf(part.type) === 'carousel'
      if (isNested) throw new Unreadable(`${field}.type`, 'invalid_value', 'A card has no carousel.')
      addComponent(parts, part, field, language)
    }
    return { place: card, index, parts }
  })
}

function readButton(components: GivenComponents, raw: Raw, place: string): Omit<GivenButton, keyof GivenPart> {
  const digits = typeof raw.index === 'number' || typeof raw.index === 'string' ? String(raw.index) : ''
  if (!isGiven(raw.index)) {
    throw new Unreadable(`${place}.index`, 'required', 'Give the position of the button; the first is 0.')
  }
  if (!/^\d{1,2}$/.test(digits)) {
    throw new Unreadable(`${place}.index`, 'invalid_value', 'Give the position as an integer; the first is 0.')
  }
  const word = wordOf(raw.sub_type)
  const subType = buttonSubTypes.find((known) => known === word)
  if (subType === undefined) {
    const code = isGiven(raw.sub_type) ? 'invalid_value' : 'required'
    throw new Unreadable(`${place}.sub_type`, code, `Use ${buttonSubTypes.join(', ')}.${unsupportedHint(word)}`)
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
