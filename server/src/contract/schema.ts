import Type, { type Static, type TProperties, type TSchema } from 'typebox'

/** What a caller did wrong, in our words instead of the validator's. Read by http/edge/body/validation.ts, hidden from documents. */
export type ProblemHint = { code: FieldCode; message: string; keywords: readonly string[] | null }

/** An object that refuses what it does not know: a misspelt field is an error, not a silence. */
export function object<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

const registry = new Map<string, TSchema>()

/** Gives a schema its name in the document; use it through `ref`. */
export function named<S extends TSchema>(name: string, schema: S): S {
  if (registry.has(name)) throw new Error(`Two schemas are named ${name}.`)
  const identified = { ...schema, $id: name }
  registry.set(name, identified)
  return identified
}

/** A named object whose fields say enough. */
export function namedObject<P extends TProperties>(name: string, properties: P) {
  return named(name, object(properties))
}

/** A named object with its meaning before its fields. */
export function model<P extends TProperties>(name: string, description: string, properties: P) {
  return named(name, object(properties, { description }))
}

/** An object inside another, with its meaning before its fields. */
export function part<P extends TProperties>(description: string, properties: P) {
  return object(properties, { description })
}

/** Every named schema, for the application to register. */
export function namedSchemas(): TSchema[] {
  return [...registry.values()]
}

/** A reference that keeps the static type of what it points to. */
export function ref<S extends TSchema>(schema: S) {
  const { $id } = schema as { $id?: string }
  if (!$id) throw new Error('Only a named schema can be referenced.')
  return Type.Unsafe<Static<S>>({ $ref: `${$id}#` })
}

/** One of several objects told apart by a field: `oneOf` with a discriminator, so errors speak of the right variant. */
export function tagged<S extends TSchema[]>(field: string, ...variants: [...S]) {
  return Type.Unsafe<Static<S[number]>>({
    type: 'object',
    discriminator: { propertyName: field },
    required: [field],
    oneOf: variants,
  })
}

/** An input field that may be left out or `null`, which mean the same. */
export function optional<S extends TSchema>(schema: S) {
  return Type.Optional(nullable(schema))
}

/** A value that may be `null`; output fields that can be empty are present with it. */
export function nullable<S extends TSchema>(schema: S) {
  const { type } = schema as { type?: unknown }
  const simple = typeof type === 'string' && !('enum' in schema) && !('oneOf' in schema) && !('anyOf' in schema)
  if (simple) return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'] })
  // These two are the field's, so that readers find them in one place.
  const { description, examples, ...rest } = schema as { description?: string; examples?: unknown[] }
  return Type.Unsafe<Static<S> | null>({
    anyOf: [rest, { type: 'null' }],
    ...(description ? { description } : {}),
    ...(examples ? { examples } : {}),
  })
}

/** The three plain kinds of field, with their meaning first. */
export const text = (description: string, options: Record<string, unknown> = {}) =>
  Type.String({ description, ...options })
export const integer = (description: string, options: Record<string, unknown> = {}) =>
  Type.Integer({ description, ...options })
export const boolean = (description: string, options: Record<string, unknown> = {}) =>
  Type.Boolean({ description, ...options })

/** A closed list of words. */
export function oneOf<const W extends readonly string[]>(words: W, options: Record<string, unknown> = {}) {
  return Type.Unsafe<W[number]>({ type: 'string', enum: [...words], ...options })
}

/** What the validator says of this value, for these keywords or for all, is replaced by this sentence. */
export function withHint(
  code: FieldCode,
  message: string,
  keywords: readonly string[] | null = null,
): { 'x-problem': ProblemHint } {
  return { 'x-problem': { code, message, keywords } }
}

/** For a route: fields with rules no schema can say, so that a request its schema allows may still be refused for them. */
export function furtherChecks(...fields: string[]): { 'x-further-checks': string[] } {
  return { 'x-further-checks': fields }
}

/** ISO 8601 in UTC with three decimals, as every answer writes it. */
export const instant = (options: Record<string, unknown> = {}) => Type.String({ format: 'date-time', ...options })

/** A body that may be left out: an absent one is validated as `null`. */
export function optionalBody<Body extends TSchema>(body: Body) {
  return Type.Union([body, Type.Null()])
}

/** What can be wrong with one field; closed, so a client can translate each into its own words. */
export const fieldCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_short',
  'too_long',
  'out_of_range',
  'too_many_items',
  'duplicate',
  'invalid_phone_number',
  'invalid_language',
  'invalid_url',
  'https_required',
  'mutually_exclusive',
  'one_of_required',
  'invalid_secret',
] as const

export type FieldCode = (typeof fieldCodes)[number]
export type FieldLocation = 'body' | 'query' | 'path' | 'header'

/** One thing to fix. `received` only for short values that are no secret; `example` may hold a whole value to copy. */
export type FieldProblem = {
  field: string
  location: FieldLocation
  code: FieldCode
  message: string
  received?: string
  example?: unknown
}

export function bodyProblem(field: string, code: FieldCode, message: string): FieldProblem {
  return { field, location: 'body', code, message }
}

const day = '(?:0[1-9]|1[0-9]|2[0-8])'
const anyMonth = '(?:0[1-9]|1[0-2])'
const leapYear = '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)'

const date = [
  `[0-9]{4}-${anyMonth}-${day}`,
  '[0-9]{4}-(?:0[13-9]|1[0-2])-(?:29|30)',
  '[0-9]{4}-(?:0[13578]|1[02])-31',
  `${leapYear}-02-29`,
].join('|')

const minutes = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'

/**
 * A time as callers may write it: RFC 3339 with any offset and up to nine decimals, or a bare date. It takes exactly what
 * lib/instant.ts can read, days that do not exist left out, so that the document says the whole rule.
 */
export const momentPattern = `^(?:${date})(?:[Tt]${minutes}:[0-5][0-9](?:\\.[0-9]{1,9})?(?:[Zz]|[+-]${minutes}))?$`
