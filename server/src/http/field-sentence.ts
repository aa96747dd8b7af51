import type { FastifySchemaValidationError } from 'fastify'
import type { ProblemHint } from '../contract/schema.ts'
import { isRecord } from '../lib/is-record.ts'
import { nearest } from '../lib/text/edit-distance.ts'

/** The parts of a schema that error messages use. */
type ErrorSchema = {
  required?: string[]
  properties?: Record<string, { const?: string; enum?: string[] }>
  discriminator?: { propertyName: string }
  oneOf?: ErrorSchema[]
  'x-problem'?: ProblemHint
  'x-secret'?: boolean
}
/** The parameters of an error depend on its keyword; `limit` belongs to all that compare with one. */
type ErrorParams = {
  limit: number
  type: string | string[]
  allowedValues: unknown[]
  allowedValue: unknown
  tag: string
  additionalProperty: string
  missingProperty: string
}
export type AjvError = Omit<FastifySchemaValidationError, 'params'> & {
  params: ErrorParams
  parentSchema?: ErrorSchema
  data?: unknown
}

/** The error message for one field; the validator's own messages never reach a caller. */
export function fieldSentence(error: AjvError): string {
  return (sentences[error.keyword] ?? (() => 'Is not valid.'))(error)
}

const limitOf = ({ params }: AjvError): number => params.limit
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const sentences: Record<string, (error: AjvError) => string> = {
  required: () => 'This field is required.',
  additionalProperties: unknownField,
  type: (error) => (isAbsentBody(error) ? absentBody(error) : `Must be ${typeWords([error.params.type].flat())}.`),
  enum: unknownValue,
  const: ({ params }) => `Must be ${JSON.stringify(params.allowedValue)}.`,
  discriminator: ({ params, parentSchema }) =>
    `'${params.tag}' must say which form this is: ${tagValues(parentSchema).join(', ')}.`,
  minLength: (error) =>
    limitOf(error) === 1 ? 'Must not be empty.' : `Must have at least ${limitOf(error)} characters.`,
  maxLength: (error) => `Must have at most ${counted(limitOf(error), 'character', 'characters')}.`,
  minItems: (error) => `Must have at least ${counted(limitOf(error), 'entry', 'entries')}.`,
  maxItems: (error) => `Must have at most ${counted(limitOf(error), 'entry', 'entries')}.`,
  uniqueItems: () => 'Must not have the same entry twice.',
  minProperties: ({ parentSchema }) => `Give at least one of: ${fieldsOf(parentSchema).join(', ')}.`,
  minimum: (error) => `Must be at least ${limitOf(error)}.`,
  maximum: (error) => `Must be at most ${limitOf(error)}.`,
  pattern: () => 'Does not have the expected form.',
}

/** Without a body there is nothing at the root; with a wrong one there is. */
export function isAbsentBody({ instancePath, keyword, data }: AjvError): boolean {
  return instancePath === '' && keyword === 'type' && (data === undefined || data === null)
}

function absentBody({ parentSchema }: AjvError): string {
  const required = parentSchema?.required ?? []
  return `The body is empty: send a JSON object${required.length > 0 ? ` with ${required.join(', ')}` : ''}.`
}

// Three edits: "componets" and "templte" find their way, unrelated words do not.
const guessDistanceMax = 3

const near = (name: string, known: readonly string[]) =>
  nearest(name, known, Math.min(guessDistanceMax, Math.ceil(name.length / 3)))

function unknownValue({ params, data }: AjvError): string {
  // An empty text, which removes a value, is none to choose from.
  const allowed = params.allowedValues.map(String).filter((value) => value !== '')
  const guess = typeof data === 'string' && data.length <= shownMax ? near(data.toLowerCase(), allowed) : undefined
  return `Must be one of: ${allowed.join(', ')}.${didYouMean(guess)}`
}

const didYouMean = (guess: string | undefined) => (guess === undefined ? '' : ` Did you mean '${guess}'?`)

const shownMax = 64

/** Names of these fields in other gateways, Meta and the SDK, which edit distance can't match. */
const otherNames: Record<string, readonly string[]> = {
  components: ['body', 'variables', 'parameters', 'params', 'values'],
  message: ['text', 'body', 'content'],
  to: ['phone', 'phone_number', 'number', 'recipient'],
  template: ['name', 'template_name', 'template_id'],
  language: ['locale', 'language_code'],
  latitude: ['lat'],
  longitude: ['lng', 'lon', 'long'],
}

export function noSuchField(name: string, guess: string | undefined, known: readonly string[] = []): string {
  const others = guess === undefined && known.length > 0 ? ` Known: ${known.join(', ')}.` : ''
  return `There is no field '${name.slice(0, shownMax)}'.${didYouMean(guess)}${others}`
}

/**
 * The field that was meant: one that others call so, one of a near name, both not there yet, the only one missing when
 * this is the only one too many, or one of a near name that is there already.
 */
function unknownField({ params, parentSchema, data }: AjvError): string {
  const name = params.additionalProperty
  const given = isRecord(data) ? Object.keys(data) : []
  const known = fieldsOf(parentSchema)
  const required = parentSchema?.required ?? []
  const missing = required.filter((field) => !given.includes(field))
  const strange = given.filter((field) => !known.includes(field))
  const onlyMissing = missing.length === 1 && strange.length === 1 ? missing[0] : undefined
  const free = known.filter((field) => !given.includes(field))
  const renamed = free.find((field) => Object.hasOwn(otherNames, field) && otherNames[field]?.includes(name))
  return noSuchField(name, renamed ?? near(name, free) ?? onlyMissing ?? near(name, known), known)
}

function fieldsOf(schema: ErrorSchema | undefined): string[] {
  return Object.keys(schema?.properties ?? {})
}

function typeWords(types: string[]): string {
  const words = types
    .filter((type) => type !== 'null')
    .map((type) => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`))
  return words.join(' or ') || 'null'
}

function tagValues(schema: ErrorSchema | undefined): string[] {
  const field = schema?.discriminator?.propertyName ?? ''
  const variants = schema?.oneOf ?? []
  return variants.flatMap(({ properties }) => properties?.[field]?.enum ?? properties?.[field]?.const ?? [])
}
