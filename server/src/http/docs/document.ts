import type { ErrorCode } from '../../contract/errors.ts'

export type Media = Record<string, { schema: Schema; example?: unknown }>
export type Response = { $ref?: string; description?: string; content?: Media }
export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

/** An operation of the API document, with what follows from the route's access. */
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  deprecated?: boolean
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Media }
  responses: Record<string, Response>
  'x-scope'?: string
  'x-counts-against-plan'?: boolean
  'x-errors'?: ErrorCode[]
}

export type OpenApiDocument = {
  openapi: string
  info: Record<string, unknown>
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas?: Schemas
    responses?: Record<string, Response>
    securitySchemes?: Record<string, unknown>
  }
  [key: string]: unknown
}

/** The parts of a JSON schema that the reference shows. */
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
