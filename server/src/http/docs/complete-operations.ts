import {
  alternativesOf,
  type Media,
  type OpenApiDocument,
  type Operation,
  type Response,
  resolveSchema,
  type Schema,
  type Schemas,
  typesOf,
} from './document.ts'
import { possibleErrors } from './possible-errors.ts'

/** A route that says nothing of itself still has a place in the document. */
const unnamed: { operationId: string; tags: string[] } = { operationId: '', tags: [] }

/** Adds what follows from the schemas: examples of bodies, descriptions of responses, and the errors of `/v1`. */
export function completeOperations(document: OpenApiDocument): OpenApiDocument {
  const schemas = document.components.schemas ?? {}
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const operation of Object.values(methods)) {
      const responses = Object.values(operation.responses)
      for (const response of responses) describeResponse(operation, response, schemas)
      if (!path.startsWith('/v1/')) continue
      for (const { content } of [operation.requestBody, ...responses].filter((one) => one !== undefined)) {
        addExamples(content, schemas)
      }
      operation['x-errors'] = possibleErrors({ ...unnamed, ...operation })
    }
  }
  return document
}

function describeResponse(operation: Operation, response: Response, schemas: Schemas): void {
  if (response.description !== 'Default Response') return
  const { data } = response.content?.['application/json']?.schema.properties ?? {}
  response.description = (data && resolveSchema(data, schemas).description) ?? operation.summary
}

function addExamples(content: Media = {}, schemas: Schemas): void {
  for (const [type, media] of Object.entries(content)) {
    if (type === 'application/json') media.example ??= exampleOf(media.schema, schemas)
  }
}

/** Stands for a text whose schema has no example; a test looks for it in the document. */
export const noExample = '…'

/**
 * A value as the schema describes it, from the examples of its fields. Optional fields appear when they have an example
 * of their own.
 */
function exampleOf(given: Schema, schemas: Schemas): unknown {
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
