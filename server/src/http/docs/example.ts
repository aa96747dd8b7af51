import { alternativesOf, resolveSchema, type Schema, type Schemas, typesOf } from './schema.ts'

/** Stands for a text whose schema has no example; a test looks for it in the document. */
export const noExample = '…'

/**
 * A value as the schema describes it, from the examples of its fields. Optional fields appear when they have an example
 * of their own.
 */
export function exampleOf(given: Schema, schemas: Schemas): unknown {
  const schema = resolveSchema(given, schemas)
  if (schema.examples !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = alternativesOf(schema)
  if (first !== undefined) return exampleOf(first, schemas)
  const [type] = typesOf(schema)
  if (type === 'object') return exampleObject(schema, schemas)
  if (type === 'array') return [exampleOf(schema.items ?? {}, schemas)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  return schema.format === 'date-time' ? '2026-11-15T10:30:02.114Z' : noExample
}

function exampleObject({ properties = {}, required = [] }: Schema, schemas: Schemas): Record<string, unknown> {
  const shown = Object.entries(properties).filter(
    ([name, property]) => required.includes(name) || property.examples !== undefined,
  )
  return Object.fromEntries(shown.map(([name, property]) => [name, exampleOf(property, schemas)]))
}
