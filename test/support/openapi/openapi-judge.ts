import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import type { HttpAnswer } from './openapi-client.ts'
import type { Operation } from './openapi-operations.ts'
import { type ApiRequest, asReceived, partSchema } from './openapi-requests.ts'
import type { Schema } from './schema-arbitrary.ts'

export type Judge = {
  isValid(operation: Operation, request: ApiRequest): boolean
  /** What is wrong with an answer; empty when it is as the document says. */
  complaints(operation: Operation, request: ApiRequest, answer: HttpAnswer): string[]
}

type Refusal = { error: { code: string; status: number; request_id: string; details?: { field: string }[] } }

const documentId = 'openapi.json'
/** Codes that blame the form of a request. */
const formCodes = /^(?:validation_failed|malformed_\w+|unsupported_media_type|endpoint_not_found)$/

/** Knows the document and nothing of the program; decides what is valid, and what an answer has to look like. */
export function createJudge(document: OpenApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: true })
  addFormats.default(ajv)
  ajv.addSchema(document, documentId)
  const compiled = new Map<string, ValidateFunction>()
  const validator = (key: string, schema: () => object): ValidateFunction => {
    const known = compiled.get(key)
    if (known) return known
    const fresh = ajv.compile(schema())
    compiled.set(key, fresh)
    return fresh
  }
  const fits = (operation: Operation, place: 'path' | 'query' | 'header', values: Record<string, unknown>) =>
    validator(`${operation.id} ${place}`, () => inDocument(partSchema(operation, place)))(values)
  const bodyFits = ({ id, body }: Operation, value: unknown) =>
    body === null || validator(`${id} body`, () => inDocument(body.schema))(value)

  const isValid: Judge['isValid'] = (operation, request) => {
    const { path, query, header, body } = asReceived(operation, request)
    const urlFits = fits(operation, 'path', path) && fits(operation, 'query', query)
    const wholeBodyFits = body === undefined ? !operation.body?.required : bodyFits(operation, body)
    return urlFits && fits(operation, 'header', header) && wholeBodyFits
  }

  return {
    isValid,
    complaints(operation, request, answer) {
      const documented = operation.answers[answer.status]
      if (!documented) return [`status ${answer.status} is not documented`]
      const validate = validator(`${operation.id} ${answer.status}`, () => ({ $ref: documentId + documented.pointer }))
      const json = documented.mediaType === 'application/json'
      return [
        ...(answer.status >= 500 ? [`a healthy gateway never answers 5xx: ${JSON.stringify(answer.body)}`] : []),
        ...(json && !validate(answer.body) ? [`breaks its schema: ${ajv.errorsText(validate.errors)}`] : []),
        ...headerComplaints(answer, json),
        ...(answer.status >= 400 ? bodyComplaints(answer) : []),
        ...verdictComplaints(operation, isValid(operation, request), answer),
      ]
    },
  }
}

/** References of a schema taken out of the document still lead into it. */
function inDocument(schema: Schema): object {
  const text = JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`)
  return JSON.parse(text) as object
}

function verdictComplaints(operation: Operation, valid: boolean, { status, headers, body }: HttpAnswer): string[] {
  // A repeat ends before its form is looked at.
  if (headers['idempotent-replayed'] === 'true') return []
  const { code, details = [] } = status < 400 ? { code: 'ok' } : (body as Refusal).error
  if (!valid) return status === 400 ? [] : [`taken with ${status} ${code} although the document forbids it`]
  const ownRules = details.every(({ field }) => operation.furtherChecks.includes(field.split(/[.[]/)[0] ?? ''))
  if (!formCodes.test(code) || (code === 'validation_failed' && ownRules)) return []
  return [`refused with ${code} although the document allows it: ${JSON.stringify(body)}`]
}

function headerComplaints({ headers }: HttpAnswer, json: boolean): string[] {
  const wanted = {
    'x-request-id': /^req_[0-9a-z]{26}$/,
    'cache-control': /^no-store$/,
    'x-content-type-options': /^nosniff$/,
    ...(json ? { 'content-type': /^application\/json; charset=utf-8$/ } : {}),
  }
  return Object.entries(wanted)
    .filter(([name, form]) => !form.test(headers[name] ?? ''))
    .map(([name]) => `header ${name} is ${headers[name]}`)
}

function bodyComplaints({ status, headers, body }: HttpAnswer): string[] {
  const { error } = body as Refusal
  return [
    ...(error.status === status ? [] : [`error.status is ${error.status}, the answer has ${status}`]),
    ...(error.request_id === headers['x-request-id'] ? [] : ['error.request_id is not the X-Request-Id']),
  ]
}
