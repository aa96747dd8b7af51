import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import type { Schema } from './schema-arbitrary.ts'

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }
export type Answers = Readonly<Record<string, { mediaType: string; pointer: string }>>

/** One operation as the document describes it, in the form the fuzzer needs. */
export type Operation = {
  id: string
  method: string
  path: string
  parameters: readonly Parameter[]
  body: { mediaType: string; schema: Schema; required: boolean } | null
  answers: Answers
  /** Fields with rules that no schema can say; for these alone a schema-valid request may be refused. */
  furtherChecks: readonly string[]
}

type Content = Record<string, { schema: Schema }>
type Described = {
  operationId: string
  parameters?: (Omit<Parameter, 'required'> & { required?: boolean })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { $ref?: string; content?: Content }>
  'x-further-checks'?: string[]
}

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => toOperation(document, path, method, described as Described)),
  )
}

/** Follows references into the components of the document. */
export function resolverOf(document: OpenApiDocument): (schema: Schema) => Schema {
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema
    const found = document.components.schemas?.[schema.$ref.replace('#/components/schemas/', '')]
    if (!found) throw new Error(`${schema.$ref} leads nowhere.`)
    return resolve(found as Schema)
  }
  return resolve
}

function toOperation(document: OpenApiDocument, path: string, method: string, described: Described): Operation {
  const [body] = Object.entries(described.requestBody?.content ?? {})
  return {
    id: described.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (described.parameters ?? []).map((parameter) => ({ required: false, ...parameter })),
    body: body
      ? { mediaType: body[0], schema: body[1].schema, required: described.requestBody?.required ?? false }
      : null,
    answers: Object.fromEntries(
      Object.entries(described.responses).map(([status, response]) => {
        const shared = response.$ref?.replace('#/components/responses/', '')
        const place = shared ? ['components', 'responses', shared] : ['paths', path, method, 'responses', status]
        const { content = {} } = shared ? (document.components.responses?.[shared] ?? {}) : response
        const [mediaType = ''] = Object.keys(content)
        const pointer = [...place, 'content', mediaType, 'schema']
        return [status, { mediaType, pointer: `#/${pointer.map(escapePointer).join('/')}` }]
      }),
    ),
    furtherChecks: described['x-further-checks'] ?? [],
  }
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}
