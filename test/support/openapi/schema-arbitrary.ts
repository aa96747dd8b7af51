import fc, { type Arbitrary } from 'fast-check'
import { anyCharacter } from '../any-character.ts'

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly examples?: readonly unknown[]
}

export type SchemaContext = {
  /** Finds what a `$ref` points to. */
  resolve(schema: Schema): Schema
  /** Values of this world for fields of this name, beside those the schema alone allows. */
  valuesFor?(name: string, plain: Arbitrary<unknown>): Arbitrary<unknown>
}

/** Values a schema allows: small ones mostly, sometimes at its limits, and its own examples. */
export function arbitraryOf(given: Schema, context: SchemaContext): Arbitrary<unknown> {
  const schema = context.resolve(given)
  const { anyOf, oneOf, ...rest } = schema
  const branches = anyOf ?? oneOf
  if (branches) {
    return fc.oneof(...branches.map((branch) => arbitraryOf({ ...rest, ...context.resolve(branch) }, context)))
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return anyJson
  const plain = fc.oneof(...types.map((type) => ofType(type, schema, context)))
  return schema.examples ? fc.oneof(plain, fc.constantFrom(...schema.examples)) : plain
}

function ofType(type: string, schema: Schema, context: SchemaContext): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(bounds(schema))
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true, ...bounds(schema) })
    case 'string':
      return textOf(schema)
    case 'array':
      return listOf(schema, context)
    case 'object':
      return recordOf(schema, context)
    default:
      throw new Error(`No values are known for type ${type}.`)
  }
}

function bounds({ minimum, maximum }: Schema) {
  return { ...(minimum === undefined ? {} : { min: minimum }), ...(maximum === undefined ? {} : { max: maximum }) }
}

/** Any character but U+0000, which no request may hold; unpaired surrogates do not occur. */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }) },
)
const safeCharacter = character.filter((text) => text !== '\u0000')

const anyJson = fc.jsonValue({ maxDepth: 3, stringUnit: safeCharacter }) as Arbitrary<unknown>

function textOf({ minLength = 0, maxLength = 4_096, pattern }: Schema): Arbitrary<string> {
  if (pattern !== undefined) return matching(pattern, minLength, maxLength)
  const plain = fc.string({ unit: safeCharacter, minLength, maxLength })
  return fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) })
}

/** Made once for a pattern: fast-check takes up to a second for it, and schemas repeat each other's patterns. */
const builders = new Map<string, Arbitrary<string>>()

function matching(pattern: string, minLength: number, maxLength: number): Arbitrary<string> {
  const whole = new RegExp(pattern, 'u')
  // Values are built from a pattern without its look-aheads, and those that they forbid are dropped.
  const buildable = new RegExp(pattern.replace(/\(\?[=!][^()]*\)/g, ''), 'u')
  const builder = builders.get(pattern) ?? fc.stringMatching(buildable)
  builders.set(pattern, builder)
  return builder.filter((text) => {
    const length = [...text].length
    const allowed = text.isWellFormed() && !text.includes('\u0000')
    return allowed && length >= minLength && length <= maxLength && whole.test(text)
  })
}

function listOf(schema: Schema, context: SchemaContext): Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = 10, uniqueItems = false } = schema
  const item = arbitraryOf(items, context)
  const room = context.resolve(items).enum?.length ?? maxItems
  const size = { minLength: minItems, maxLength: Math.max(minItems, uniqueItems ? Math.min(room, maxItems) : maxItems) }
  return uniqueItems
    ? fc.uniqueArray(item, { ...size, selector: (value) => JSON.stringify(value) })
    : fc.array(item, size)
}

function recordOf(schema: Schema, context: SchemaContext): Arbitrary<Record<string, unknown>> {
  const { properties, required = [], additionalProperties = true, minProperties = 0 } = schema
  if (!properties) return openRecord(additionalProperties, context)
  const fields = Object.entries(properties).map(([name, field]) => {
    const plain = arbitraryOf(field, context)
    return [name, context.valuesFor?.(name, plain) ?? plain] as const
  })
  const needed = fields.filter(([name]) => required.includes(name))
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true })
  const least = fc.record(Object.fromEntries(needed), { noNullPrototype: true })
  return fc
    .oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: least })
    .filter((value) => Object.keys(value).length >= minProperties)
}

function openRecord(values: boolean | Schema, context: SchemaContext): Arbitrary<Record<string, unknown>> {
  if (values === false) return fc.constant({})
  const value = values === true ? anyJson : arbitraryOf(values, context)
  return fc.dictionary(fc.string({ unit: safeCharacter, maxLength: 10 }), value, { noNullPrototype: true })
}
