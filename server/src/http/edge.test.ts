import net from 'node:net'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aRuntime } from '../../../test/support/runtime.ts'
import { answer, ok } from '../contract/envelope.ts'
import { object, oneOf, optional, tagged } from '../contract/schema.ts'
import { createApp } from './app.ts'
import type { App } from './context.ts'

const Body = object({
  to: Type.String({ minLength: 3, maxLength: 20 }),
  count: optional(Type.Integer({ minimum: 1, maximum: 5 })),
  kind: optional(oneOf(['plain', 'fancy'])),
  tags: optional(Type.Array(Type.String(), { maxItems: 2, uniqueItems: true })),
  part: optional(
    tagged(
      'type',
      object({ type: Type.Literal('a'), a: Type.String() }),
      object({ type: Type.Literal('b'), b: Type.Integer() }),
    ),
  ),
})

let app: App
let port: number
let dispose: () => Promise<void>

beforeAll(async () => {
  const world = await aRuntime('sqlite')
  dispose = world.dispose
  const readiness = { check: async () => [] }
  app = await createApp(world.rt, {
    readiness,
    resources: [
      (routes) => {
        routes.post(
          '/v1/echo',
          { config: { access: 'public' }, schema: { body: Body, response: { 200: answer(Type.Unknown()) } } },
          async (request) => ok(request.body),
        )
        routes.get(
          '/v1/echo',
          {
            config: { access: 'public' },
            schema: {
              querystring: object({ limit: Type.Optional(Type.Integer({ minimum: 1 })) }),
              response: { 200: answer(Type.Unknown()) },
            },
          },
          async (request) => ok(request.query),
        )
        routes.get(
          '/v1/crash',
          { config: { access: 'public' }, schema: { response: { 200: answer(Type.Null()) } } },
          async () => {
            throw new Error('the secret is 42')
          },
        )
      },
    ],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as net.AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await dispose()
})

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/v1/echo',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  })

describe('a body', () => {
  test('is answered in the envelope with the headers of every answer', async () => {
    const response = await post({ to: 'abc', count: null })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ success: true, data: { to: 'abc', count: null } })
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
    })
  })

  test('with several mistakes hears of all of them at once, with a hint for a misspelt name', async () => {
    const response = await post({ cuont: 2, to: 'x', count: '3', kind: 'odd', tags: ['a', 'a', 'b'] })
    expect(response.statusCode).toBe(400)
    const { error } = response.json()
    expect(error).toMatchObject({ code: 'validation_failed', type: 'invalid_request', status: 400, retryable: false })
    expect(error.request_id).toBe(response.headers['x-request-id'])
    expect(error.doc_url).toMatch(/\/docs\/errors#validation_failed$/)
    expect(error.details).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          field: 'cuont',
          code: 'unknown_field',
          message: "There is no such field. Did you mean 'count'?",
        }),
        expect.objectContaining({ field: 'to', code: 'too_short', received: 'x' }),
        expect.objectContaining({ field: 'count', code: 'invalid_type', message: 'Must be an integer.' }),
        expect.objectContaining({ field: 'kind', code: 'invalid_value', message: 'Must be one of: plain, fancy.' }),
        expect.objectContaining({ field: 'tags', code: 'too_many_items' }),
        expect.objectContaining({ field: 'tags', code: 'duplicate' }),
      ]),
    )
  })

  test('with a wrong variant hears of that variant alone', async () => {
    const { error } = (await post({ to: 'abc', part: { type: 'b', b: 'x' } })).json()
    expect(error.details).toEqual([expect.objectContaining({ field: 'part.b', code: 'invalid_type' })])
    const unknown = (await post({ to: 'abc', part: { type: 'c' } })).json()
    expect(unknown.error.details).toEqual([expect.objectContaining({ field: 'part.type' })])
  })

  test.each([
    ['broken JSON', '{"to":', {}, 'malformed_json'],
    ['a duplicate key', '{"to":"abc","to":"abd"}', {}, 'malformed_json'],
    [
      'another content type',
      'to=abc',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'unsupported_media_type',
    ],
    ['more than 256 KiB', JSON.stringify({ to: 'a'.repeat(300_000) }), {}, 'payload_too_large'],
    ['nothing', '', {}, 'validation_failed'],
  ])('of %s is refused as 400', async (_, payload, headers, code) => {
    const response = await post(payload, headers)
    expect([response.statusCode, response.json().error.code]).toEqual([400, code])
  })
})

test('a query is converted, and unknown parameters are refused', async () => {
  expect((await app.inject('/v1/echo?limit=5')).json().data).toEqual({ limit: 5 })
  const refused = await app.inject('/v1/echo?limit=x&limi=1')
  expect(
    refused
      .json()
      .error.details.map(({ field, location }: Record<string, string>) => `${location} ${field}`)
      .sort(),
  ).toEqual(['query limi', 'query limit'])
})

test('a bug answers 500 and keeps its reason to itself', async () => {
  const response = await app.inject('/v1/crash')
  expect(response.statusCode).toBe(500)
  expect(response.json().error).toMatchObject({ code: 'internal_error', retryable: true })
  expect(response.body).not.toContain('secret')
})

describe('a request line', () => {
  test.each([
    ['an unknown path', 'GET', '/v1/nothing', 404, 'endpoint_not_found', undefined],
    ['a known path with a trailing slash', 'GET', '/v1/echo/', 404, 'endpoint_not_found', undefined],
    ['a wrong method', 'DELETE', '/v1/echo', 404, 'endpoint_not_found', 'POST, GET'],
    ['HEAD', 'HEAD', '/v1/echo', 404, undefined, 'POST, GET'],
  ] as const)('with %s is refused', async (_, method, url, status, code, allow) => {
    const response = await app.inject({ method, url })
    expect(response.statusCode).toBe(status)
    if (code) expect(response.json().error.code).toBe(code)
    expect(response.headers.allow).toBe(allow)
  })
})

/** Sends bytes as they are and returns the whole answer; the server must close or the request must ask it to. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
    socket.setTimeout(15_000, () => socket.destroy(new Error('no answer')))
  })
}

describe('below Fastify', () => {
  const close = 'Connection: close\r\n'
  const host = 'Host: gateway.test\r\n'
  test.each([
    ['garbage', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['a method nobody knows', `FLY /v1/echo HTTP/1.1\r\n${host}${close}\r\n`, 400, 'malformed_request'],
    ['a method only Node knows', `PROPFIND /v1/echo HTTP/1.1\r\n${host}${close}\r\n`, 404, 'endpoint_not_found'],
    ['no Host', `GET /v1/echo HTTP/1.1\r\n${close}\r\n`, 400, 'malformed_request'],
    [
      'an impossible expectation',
      `POST /v1/echo HTTP/1.1\r\n${host}${close}Expect: wonders\r\nContent-Length: 0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    [
      'headers of 20 KiB',
      `GET /v1/echo HTTP/1.1\r\n${host}X-Long: ${'a'.repeat(20_480)}\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['a broken percent sign', `GET /v1/%zz HTTP/1.1\r\n${host}${close}\r\n`, 400, 'malformed_request'],
    [
      'a parameter of 5,000 characters',
      `GET /v1/${'a'.repeat(5_000)} HTTP/1.1\r\n${host}${close}\r\n`,
      404,
      'endpoint_not_found',
    ],
    [
      'two different lengths',
      `POST /v1/echo HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
      400,
      'malformed_request',
    ],
    [
      'a chunk that is none',
      `POST /v1/echo HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      'malformed_request',
    ],
    [
      'a body that never comes',
      `POST /v1/echo HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"to"`,
      400,
      'malformed_request',
    ],
    [
      'a body that is announced too large',
      `POST /v1/echo HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 999999\r\n\r\n{`,
      400,
      'payload_too_large',
    ],
  ])('%s gets a status of the table and the envelope', async (_, text, status, code) => {
    const received = await raw(text)
    expect(received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4))
    expect(body).toMatchObject({ success: false, data: null, error: { code, status } })
    expect(received).toMatch(/x-request-id: req_/i)
  })

  test('CONNECT is closed without an answer', async () => {
    expect(await raw(`CONNECT example.test:443 HTTP/1.1\r\n${host}\r\n`)).toBe('')
  })
})
