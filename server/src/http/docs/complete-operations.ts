import type { Media, OpenApiDocument, Operation, Response } from './document.ts'
import { exampleOf } from './example.ts'
import { possibleErrors } from './possible-errors.ts'
import { resolveSchema, type Schemas } from './schema.ts'

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
