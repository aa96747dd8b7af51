import fc, { type Arbitrary } from 'fast-check'
import { breakagesOf } from './openapi-breakages.ts'
import type { Operation, Parameter } from './openapi-operations.ts'
import { arbitraryOf, type Schema, type SchemaContext } from './schema-arbitrary.ts'

type Values = Record<string, unknown>

/** What to ask of an operation. `body` is absent, not null, when none is sent. */
export type ApiRequest = { path: Values; query: Values; header: Values; body?: unknown; broken?: string }

/** Requests the document allows. */
export function validRequests(operation: Operation, context: SchemaContext): Arbitrary<ApiRequest> {
  const { body } = operation
  const parts = fc.record({
    path: arbitraryOf(partSchema(operation, 'path'), context) as Arbitrary<Values>,
    query: arbitraryOf(partSchema(operation, 'query'), context) as Arbitrary<Values>,
    header: arbitraryOf(partSchema(operation, 'header'), context) as Arbitrary<Values>,
  })
  if (!body) return parts
  const values = arbitraryOf(body.schema, context)
  const sent = body.required ? values : fc.option(values, { nil: undefined })
  return fc.tuple(parts, sent).map(([rest, value]) => (value === undefined ? rest : { ...rest, body: value }))
}

/** The same with one thing wrong: a field missing, unknown, of a wrong type, or beyond a limit. */
export function brokenRequests(
  operation: Operation,
  context: SchemaContext,
  isValid: (request: ApiRequest) => boolean,
): Arbitrary<ApiRequest> {
  return fc.tuple(validRequests(operation, context), fc.nat()).map(([request, choice]) => {
    const candidates = breakages(operation, context, request)
    const start = choice % candidates.length
    for (const make of [...candidates.slice(start), ...candidates.slice(0, start)]) {
      const broken = make()
      if (!isValid(broken)) return broken
    }
    throw new Error(`No way was found to break ${operation.id}.`)
  })
}

/** The parameters of one place as the schema of an object. */
export function partSchema({ parameters }: Operation, place: Parameter['in']): Schema {
  const own = parameters.filter((parameter) => parameter.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
    // Headers are open: every client sends its own.
    additionalProperties: place === 'header',
  }
}

/** What arrives: in a URL and in a form everything is text, and is read by the type its field has. */
export function asReceived(operation: Operation, request: ApiRequest): ApiRequest {
  const { properties = {} } = partSchema(operation, 'query')
  const query = Object.fromEntries(
    Object.entries(request.query).flatMap(([name, value]) => readParameter(name, value, properties[name] ?? {})),
  )
  if (operation.body?.mediaType !== 'multipart/form-data' || request.body === undefined) return { ...request, query }
  const fields = Object.entries(request.body as Values).map(([name, value]) => [name, String(value)])
  return { ...request, query, body: Object.fromEntries(fields) }
}

/** A list is the parameter repeated, so an empty one is none. */
function readParameter(name: string, value: unknown, schema: Schema): [string, unknown][] {
  const texts = [value].flat().map(String)
  if (schema.type === 'array') return texts.length > 0 ? [[name, texts]] : []
  const [only = '', ...more] = texts
  return texts.length === 0 ? [] : [[name, more.length > 0 ? texts : readText(schema, only)]]
}

function readText({ type }: Schema, text: string): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text)
  return type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

function breakages(operation: Operation, context: SchemaContext, request: ApiRequest): (() => ApiRequest)[] {
  const { body } = operation
  const inQuery = breakagesOf(partSchema(operation, 'query'), request.query, context, 'query')
  const inBody = body && request.body !== undefined ? breakagesOf(body.schema, request.body, context, 'body') : []
  return [
    ...inQuery.map(({ how, spoiled }) => () => ({ ...request, query: spoiled() as Values, broken: how })),
    ...inBody.map(({ how, spoiled }) => () => ({ ...request, body: spoiled(), broken: how })),
    ...(body?.required ? [() => withoutBody(request)] : []),
  ]
}

function withoutBody({ body: _, ...rest }: ApiRequest): ApiRequest {
  return { ...rest, broken: 'no body' }
}
