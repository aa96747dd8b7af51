/** What the reference reads of a JSON schema. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
}

export type Schemas = Record<string, Schema>

export function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema
  return schemas[schemaName(schema.$ref)] ?? {}
}

export function schemaName(reference: string): string {
  return reference.replace('#/components/schemas/', '')
}

/** The forms a value may have, without `null`. */
export function alternativesOf({ anyOf, oneOf }: Schema): Schema[] {
  return (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null')
}

export function typesOf({ type }: Schema): string[] {
  return type === undefined ? [] : [type].flat()
}
