import type { Schema, SchemaContext } from './schema-arbitrary.ts'

/** One way to spoil a value. Only the chosen one of thousands is made. */
export type Breakage = { how: string; spoiled: () => unknown }

const unknownField = 'no_such_field'
/** Some of these fit any schema that is not of their type; a judge drops the ones that happen to be right. */
const strangers = ['', 'no such word', -1, 0.5, 1e9, true, null, [], {}, [{}]].map((stranger) => ({
  name: `${JSON.stringify(stranger)} instead`,
  spoiled: () => stranger,
}))

/** Ways to spoil a value in one place. Candidates only: what a schema allows after all must be dropped by the caller. */
export function breakagesOf(given: Schema, value: unknown, context: SchemaContext, at: string): Breakage[] {
  const schemas = branchesOf(given, context)
  const elsewhere = strangers.map(({ name, spoiled }) => ({ how: `${at}: ${name}`, spoiled }))
  // The root of a request stays an object: anything else is broken JSON to the gateway, which other tests look at.
  const whole = at.includes('.') || at.includes('[') ? elsewhere : []
  return [...whole, ...schemas.flatMap((schema) => withinLimits(schema, value, context, at))]
}

function withinLimits(schema: Schema, value: unknown, context: SchemaContext, at: string): Breakage[] {
  if (typeof value === 'string') return spoiledText(schema, value, at)
  if (Array.isArray(value)) return spoiledList(schema, value, context, at)
  if (typeof value === 'object' && value !== null) return spoiledRecord(schema, { ...value }, context, at)
  return []
}

function spoiledText({ maxLength, pattern }: Schema, value: string, at: string): Breakage[] {
  return [
    ...(maxLength === undefined ? [] : [{ how: `${at}: too long`, spoiled: () => value.padEnd(maxLength + 1, 'x') }]),
    ...(pattern === undefined ? [] : [{ how: `${at}: bad form`, spoiled: () => `${value}\n!` }]),
  ]
}

function spoiledList(
  { items = {}, maxItems }: Schema,
  value: unknown[],
  context: SchemaContext,
  at: string,
): Breakage[] {
  const tooMany = { how: `${at}: too many`, spoiled: () => Array((maxItems ?? 0) + 1).fill(value[0]) }
  return [
    ...(maxItems === undefined || value.length === 0 ? [] : [tooMany]),
    ...value.flatMap((item, index) =>
      breakagesOf(items, item, context, `${at}[${index}]`).map(({ how, spoiled }) => ({
        how,
        spoiled: () => value.with(index, spoiled()),
      })),
    ),
  ]
}

function spoiledRecord(
  { properties = {}, required = [] }: Schema,
  value: Record<string, unknown>,
  context: SchemaContext,
  at: string,
): Breakage[] {
  const dropped = required.map((name) => {
    const { [name]: _, ...rest } = value
    return { how: `${at}.${name}: missing`, spoiled: () => rest }
  })
  const spoiled = Object.entries(value).flatMap(([name, field]) =>
    breakagesOf(properties[name] ?? {}, field, context, `${at}.${name}`).map(({ how, spoiled: other }) => ({
      how,
      spoiled: () => ({ ...value, [name]: other() }),
    })),
  )
  const unknown = { how: `${at}.${unknownField}: unknown`, spoiled: () => ({ ...value, [unknownField]: 'x' }) }
  return [...dropped, unknown, ...spoiled]
}

function branchesOf(given: Schema, context: SchemaContext): Schema[] {
  const { anyOf, oneOf, ...rest } = context.resolve(given)
  const branches = anyOf ?? oneOf
  if (!branches) return [rest]
  return branches.flatMap((branch) => branchesOf({ ...rest, ...context.resolve(branch) }, context))
}
