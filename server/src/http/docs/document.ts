import type { ErrorCode } from '../../contract/errors.ts'
import type { Schema, Schemas } from './schema.ts'

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
