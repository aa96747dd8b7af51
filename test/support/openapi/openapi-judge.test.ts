import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '../../../server/src/http/docs/document.ts'
import type { HttpAnswer } from './openapi-client.ts'
import { createJudge } from './openapi-judge.ts'
import { type Operation, operationsOf } from './openapi-operations.ts'
import type { ApiRequest } from './openapi-requests.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const document = {
  openapi: '3.1.0',
  info: {},
  components: { schemas: { Note: closed({ text: { type: 'string', maxLength: 5 } }) } },
  paths: {
    '/v1/notes': {
      post: {
        operationId: 'createNote',
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Note' }) },
        responses: { 200: json(closed({ id: { type: 'string' } })), 400: json({}), 404: json({}), 500: json({}) },
        'x-further-checks': ['text'],
      },
    },
  },
} as unknown as OpenApiDocument

const [operation] = operationsOf(document) as [Operation]
const strict: Operation = { ...operation, furtherChecks: [] }
const judge = createJudge(document)
const good: ApiRequest = { path: {}, query: {}, header: {}, body: { text: 'short' } }
const bad: ApiRequest = { ...good, body: { text: 'much too long' } }

const headers = {
  'x-request-id': `req_${'0'.repeat(26)}`,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=utf-8',
}
const answer = (status: number, body: unknown): HttpAnswer => ({ status, headers, body })
const refusal = (status: number, code: string, field = 'text') =>
  answer(status, { error: { code, status, request_id: headers['x-request-id'], details: [{ field }] } })

describe('the judge of the fuzzer', () => {
  test('has nothing to say against answers as documented', () => {
    expect(judge.complaints(strict, good, answer(200, { id: 'a' }))).toEqual([])
    expect(judge.complaints(strict, good, refusal(404, 'note_not_found'))).toEqual([])
    expect(judge.complaints(strict, bad, refusal(400, 'validation_failed'))).toEqual([])
  })

  test.each([
    ['a status nobody documented', good, answer(204, {}), 'status 204 is not documented'],
    ['a failure of the server', good, refusal(500, 'internal_error'), 'never answers 5xx'],
    ['an answer with a field too many', good, answer(200, { id: 'a', secret: 'b' }), 'breaks its schema'],
    ['a valid request refused', good, refusal(400, 'validation_failed'), 'although the document allows it'],
    ['a valid request called malformed', good, refusal(400, 'malformed_json'), 'although the document allows it'],
    ['an invalid request taken', bad, answer(200, { id: 'a' }), 'although the document forbids it'],
    ['an unknown query parameter taken', { ...good, query: { x: '1' } }, answer(200, { id: 'a' }), 'forbids it'],
    ['a request without its body taken', { path: {}, query: {}, header: {} }, answer(200, { id: 'a' }), 'forbids it'],
    ['a missing header', good, { ...answer(200, { id: 'a' }), headers: {} }, 'header x-request-id is undefined'],
  ])('complains about %s', (_name, request, given, complaint) => {
    expect(judge.complaints(strict, request, given).join('\n')).toContain(complaint)
  })

  test('lets a valid request be refused for the fields that have further checks, and for no others', () => {
    expect(judge.complaints(operation, good, refusal(400, 'validation_failed', 'text[0].x'))).toEqual([])
    expect(judge.complaints(operation, good, refusal(400, 'validation_failed', 'other'))).toHaveLength(1)
    expect(judge.complaints(operation, good, refusal(400, 'malformed_json'))).toHaveLength(1)
  })
})
