import net from 'node:net'
import { Readable } from 'node:stream'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aRuntime } from '../../../../test/support/runtime.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { moment, recipient } from '../../contract/messages/message-fields.ts'
import { object, oneOf, optional, tagged } from '../../contract/schema.ts'
import { createApp } from '../app.ts'
import type { App } from './context.ts'

const Body = object({
  to: Type.String({ minLength: 3, maxLength: 20 }),
  count: optional(Type.Integer({ minimum: 1, maximum: 5 })),
  kind: optional(oneOf(['plain', 'fancy'])),
  tags: optional(Type.Array(Type.String(), { maxItems: 2, uniqueItems: true })),
  either: optional(
    object(
      { left: optional(Type.String({ minLength: 1 })), right: optional(Type.String({ pattern: '^r$' })) },
      { minProperties: 1 },
    ),
  ),
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
/** What the route of a file last sent; it never ends by itself. */
let endless: Readable

beforeAll(async () => {
  const world = await aRuntime('sqlite', { POSTERN_BODY_TIMEOUT_MS: '500' })
  dispose = world.dispose
  const readiness = { check: async () => [] }
  app = await createApp(world.rt, {
    readiness,
    resources: [
      (routes) => {
        routes.post(
          '/v1/echo',
          {
            config: { access: 'public', bodyBytesMax: 256 * 1024 },
            schema: { body: Body, response: { 200: answer(Type.Unknown()) } },
          },
          async (request) => ok(request.body),
        )
        routes.get(
          '/v1/echo',
          {
            config: { access: 'public' },
            schema: {
              querystring: object({
                limit: Type.Optional(Type.Integer({ minimum: 1 })),
                phone_number: Type.Optional(recipient('A customer.')),
                since: Type.Optional(moment('A time.')),
              }),
              response: { 200: answer(Type.Unknown()) },
            },
          },
          async (request) => ok(request.query),
        )
        routes.post(
          '/v1/only-post',
          { config: { access: 'public' }, schema: { response: { 200: answer(Type.Null()) } } },
          async () => ok(null),
        )
        const open = { access: 'public' } as const
        const nothing = { response: { 200: answer(Type.Null()) } }
        // As messages are routed: the rest of the path is the id, and only some of it can be marked.
        routes.get('/v1/things/*', { config: open, schema: nothing }, async () => ok(null))
        for (const fixed of ['/v1/things/new', '/v1/things/old', '/v1/file/part']) {
          routes.post(fixed, { config: open, schema: nothing }, async () => ok(null))
        }
        routes.addConstraintStrategy({
          name: 'marked',
          storage: () => {
            const handlers = new Map<unknown, unknown>()
            return {
              get: (key) => (handlers.get(key) ?? null) as never,
              set: (key, handler) => void handlers.set(key, handler),
            }
          },
          deriveConstraint: ({ url = '' }) => (url.endsWith('/mark') ? 'yes' : undefined),
        })
        routes.post(
          '/v1/things/*',
          {
            constraints: { marked: 'yes' },
            config: { ...open, documentedUrl: '/v1/things/{thing_id}/mark' },
            schema: nothing,
          },
          async () => ok(null),
        )
        routes.get('/v1/items/:item_id', { config: open, schema: nothing }, async () => ok(null))
        routes.delete('/v1/items/:item_id', { config: open, schema: nothing }, async () => ok(null))
        routes.get(
          '/v1/file',
          { config: { access: 'public' }, schema: { response: { 200: Type.Any() } } },
          async (_request, reply) => {
            endless = new Readable({ read() {} })
            return reply
              .header('content-length', 12)
              .type('text/plain')
              .send(endless as never)
          },
        )
        routes.post(
          '/v1/open',
          { config: { access: 'public' }, schema: { response: { 200: answer(Type.Unknown()) } } },
          async (request) => ok(request.body),
        )
        routes.post(
          '/v1/closed',
          { config: { access: 'token' }, schema: { response: { 200: answer(Type.Null()) } } },
          async () => ok(null),
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
          message: "There is no field 'cuont'. Did you mean 'count'?",
        }),
        expect.objectContaining({ field: 'to', code: 'too_short', received: 'x' }),
        expect.objectContaining({ field: 'count', code: 'invalid_type', message: 'Must be an integer.' }),
        expect.objectContaining({ field: 'kind', code: 'invalid_value', message: 'Must be one of: plain, fancy.' }),
        expect.objectContaining({ field: 'tags', code: 'too_many_items' }),
        expect.objectContaining({ field: 'tags', code: 'duplicate' }),
      ]),
    )
  })

  test('that is empty hears what belongs into it', async () => {
    const { error } = (await post('')).json()
    expect(error.message).toBe('The body is empty: send a JSON object with to.')
    expect(error.details).toEqual([
      { field: 'body', location: 'body', code: 'required', message: 'The body is empty: send a JSON object with to.' },
    ])
  })

  test.each([
    [{ text: 'hi' }, 'text', "There is no field 'text'. Did you mean 'to'?"], // the only one missing
    [{ to: 'abc', text: 'hi' }, 'text', "There is no field 'text'. Known: to, count, kind, tags, either, part."],
    [{ to: 'abc', body: 'hi' }, 'body', "There is no field 'body'. Known: to, count, kind, tags, either, part."],
    [{ phone_number: 'abc', x: 1 }, 'phone_number', "There is no field 'phone_number'. Did you mean 'to'?"], // as others call it
    [{ to: 'abc', too: 'abd' }, 'too', "There is no field 'too'. Did you mean 'to'?"],
    [{ tags: [], tag: 'x', too: 'abc' }, 'too', "There is no field 'too'. Did you mean 'to'?"],
  ])('%j is given a guess only where the guess is likely', async (body, field, message) => {
    const { error } = (await post(body)).json()
    expect(error.details).toContainEqual(expect.objectContaining({ field, code: 'unknown_field', message }))
  })

  test.each([
    [{ to: 'abc', body: 'hi' }, "There is no field 'body'. Known: to, count, kind, tags, either, part."],
    [{ to: 'abc', either: { lft: 'x' } }, "'either.lft' is not valid: There is no field 'lft'. Did you mean 'left'?"],
    [{ to: 'abc', count: 0 }, "'count' is not valid: Must be at least 1."],
  ])('%j is named in the sentence of the answer, whatever it is called', async (body, message) => {
    expect((await post(body)).json().error.message).toBe(message)
  })

  test.each([
    [{ to: '' }, 'to', 'Must have at least 3 characters.'],
    [{ to: 'a'.repeat(21) }, 'to', 'Must have at most 20 characters.'],
    [{ to: 'abc', count: 0 }, 'count', 'Must be at least 1.'],
    [{ to: 'abc', count: 6 }, 'count', 'Must be at most 5.'],
    [{ to: 'abc', kind: 'fnacy' }, 'kind', "Must be one of: plain, fancy. Did you mean 'fancy'?"],
    [{ to: 'abc', kind: 'Plain' }, 'kind', "Must be one of: plain, fancy. Did you mean 'plain'?"],
    [{ to: 'abc', kind: 'other' }, 'kind', 'Must be one of: plain, fancy.'],
    [{ to: 'abc', tags: ['a', 'b', 'c'] }, 'tags', 'Must have at most 2 entries.'],
    [{ to: 'abc', tags: ['a', 'a'] }, 'tags', 'Must not have the same entry twice.'],
    [{ to: 'abc', either: {} }, 'either', 'Give at least one of: left, right.'],
    [{ to: 'abc', either: { left: '' } }, 'either.left', 'Must not be empty.'],
    [{ to: 'abc', either: { right: 'R' } }, 'either.right', 'Does not have the expected form.'],
  ])('%j is told what to change in plain words', async (body, field, message) => {
    const { error } = (await post(body)).json()
    expect(error.details).toContainEqual(expect.objectContaining({ field, message }))
  })

  test.each(['gzip', 'br', 'x-own'])('compressed as %s is refused as that', async (encoding) => {
    const refused = await post({ to: 'abc' }, { 'content-encoding': encoding })
    expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'unsupported_content_encoding'])
    expect(refused.json().error.message).toContain(encoding)
    expect((await post({ to: 'abc' }, { 'content-encoding': 'identity' })).statusCode).toBe(200)
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

test.each([
  ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ['Text/Plain; charset=utf-8; note=secret', 'text/plain'],
  ['json', 'json'],
  ['text/<script>', 'another'],
  [`text/${'x'.repeat(90)}`, 'another'],
  [undefined, 'none'],
])('a body of the type %s hears which header to add, and which came', async (type, shown) => {
  const headers = type === undefined ? {} : { 'content-type': type }
  const refused = await app.inject({ method: 'POST', url: '/v1/echo', headers, payload: '{"to":"abc"}' })
  const message = `Add the header Content-Type: application/json; this request has ${shown}.`
  expect([refused.statusCode, refused.json().error.message]).toEqual([400, message])
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

test.each([
  ['phone_number=+12025550100', 'Write + as %2B in a URL.'],
  ['since=2026-11-15T10:00:00+01:00', 'Write + as %2B in a URL.'],
  ['phone_number=12025550100', "Start with '+' and the country code, for example +351912345678."],
  ['since=2026-11-15%2010:00:00', 'Write a date or a date-time, for example 2026-11-15T10:30:00Z.'],
])('a query with %s is told about the plus only where a plus was lost', async (query, message) => {
  const refused = await app.inject(`/v1/echo?${query}`)
  expect([refused.statusCode, refused.json().error.details[0].message]).toEqual([400, message])
  expect((await app.inject(`/v1/echo?${query.replace('+', '%2B')}`)).statusCode).toBe(query.includes('+') ? 200 : 400)
})

test('a bug answers 500 and keeps its reason to itself', async () => {
  const response = await app.inject('/v1/crash')
  expect(response.statusCode).toBe(500)
  expect(response.json().error).toMatchObject({ code: 'internal_error', retryable: true })
  expect(response.body).not.toContain('secret')
})

describe('HEAD', () => {
  test('answers as GET does, without the body', async () => {
    const got = await app.inject('/v1/echo?limit=5')
    const head = await app.inject({ method: 'HEAD', url: '/v1/echo?limit=5' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect(head.headers['content-type']).toBe(got.headers['content-type'])
    expect((await app.inject({ method: 'HEAD', url: '/v1/echo?limit=x' })).statusCode).toBe(400)
  })

  test('of a file names its size and does not read it', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/v1/file' })
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '12', ''])
    expect(endless.destroyed).toBe(true)
  })
})

describe('a request line', () => {
  test.each([
    ['an unknown path', 'GET', '/v1/nothing', 404, 'endpoint_not_found', undefined],
    ['a known path with a trailing slash', 'GET', '/v1/echo/', 404, 'endpoint_not_found', undefined],
    ['an id that is too long', 'GET', `/v1/items/${'x'.repeat(1_025)}`, 404, 'endpoint_not_found', undefined],
    ['a wrong method', 'DELETE', '/v1/echo', 404, 'endpoint_not_found', 'GET, HEAD, POST'],
    ['HEAD where there is no GET', 'HEAD', '/v1/only-post', 404, undefined, 'POST'],
  ] as const)('with %s is refused', async (_, method, url, status, code, allow) => {
    const response = await app.inject({ method, url })
    expect(response.statusCode).toBe(status)
    if (code) expect(response.json().error.code).toBe(code)
    expect(response.headers.allow).toBe(allow)
  })

  test('with a trailing slash is told to leave it out, whatever the method', async () => {
    for (const [method, url] of [
      ['POST', '/v1/echo/'],
      ['GET', '/v1/echo/'],
      ['POST', '/v1/things/new/'],
    ] as const) {
      const { error } = (await app.inject({ method, url })).json()
      expect(error.message).toBe(
        `There is no endpoint ${method} ${url}. Leave out the trailing slash: ${url.slice(0, -1)}`,
      )
    }
  })

  test('with an unknown path is refused for the path, whatever the type of the body', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
      const headers = { 'content-type': type }
      const refused = await app.inject({ method: 'POST', url: '/v1/nothing', headers, payload: 'no JSON' })
      expect([type, refused.statusCode, refused.json().error.code]).toEqual([type, 404, 'endpoint_not_found'])
    }
  })

  test('with a path that is nearly right is told which one was meant', async () => {
    for (const [url, message] of [
      ['/v1/echos', 'There is no endpoint GET /v1/echos. Did you mean /v1/echo?'],
      ['/v1/only_post', 'There is no endpoint GET /v1/only_post. Did you mean POST /v1/only-post?'],
      ['/v1/thigns/x', 'There is no endpoint GET /v1/thigns/x. Did you mean /v1/things/x?'],
      ['/echo', 'There is no endpoint GET /echo. Did you mean /v1/echo?'],
      ['/api/v2/only-post', 'There is no endpoint GET /api/v2/only-post. Did you mean POST /v1/only-post?'],
      ['/v1/nothing', 'There is no endpoint GET /v1/nothing.'],
    ] as const) {
      expect((await app.inject(url)).json().error.message).toBe(message)
    }
  })

  test('that is meant for Meta or Twilio is told which guide to read', async () => {
    const meta = "This is a request for Meta's Cloud API; /docs/from-meta shows how to write it here."
    const twilio = 'This is a request for Twilio; /docs/from-twilio shows how to write it here.'
    const post = async (url: string, payload: object | string, type = 'application/json') =>
      (await app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })).json().error.message
    const text = { messaging_product: 'whatsapp', to: 'abc', type: 'text', text: { body: 'Hi' } }
    expect(await post('/v1/echo', text)).toMatch(new RegExp(`invalid: .* See details\\. ${meta}$`))
    expect(await post('/v1/echo', { To: 'whatsapp:+1', Body: 'Hi' })).toMatch(new RegExp(` ${twilio}$`))
    expect(await post('/v1/echo', 'To=whatsapp%3A%2B1&Body=Hi', 'application/x-www-form-urlencoded')).toBe(
      `Add the header Content-Type: application/json; this request has application/x-www-form-urlencoded. ${twilio}`,
    )
    expect(await post('/v25.0/1234/messages', text)).toBe(`There is no endpoint POST /v25.0/1234/messages. ${meta}`)
    expect(await post('/2010-04-01/Accounts/AC1/Messages.json', {})).toMatch(new RegExp(` ${twilio}$`))
    expect(await post('/v1/echo', { to: 'abc', body: 'Hi' })).not.toContain('/docs/from')
    expect(await post('/v1/echo', 'a=1', 'application/x-www-form-urlencoded')).not.toContain('/docs/from')
  })

  test.each([
    ['/v1/chat/groups', /Groups are not part of this API\..*\/groups \(docs: \/docs\/tools\)/],
    ['/v1/calls/123', /Voice calls are not part of this API/],
    ['/v1/chat/flows', /The management of Flows is not part of this API/],
  ])('for what Meta has and this API leaves out is told so: %s', async (url, message) => {
    const refused = await app.inject({ method: 'POST', url, payload: {} })
    expect([refused.statusCode, refused.json().error.message]).toEqual([404, expect.stringMatching(message)])
  })

  test('without the id it needs is no address', async () => {
    for (const method of ['GET', 'DELETE'] as const) {
      const refused = await app.inject({ method, url: '/v1/items/' })
      expect([refused.statusCode, refused.json().error.code]).toEqual([404, 'endpoint_not_found'])
    }
  })

  test('with a wrong method is not taken for an id where another address has a fixed name there', async () => {
    for (const [method, url, allow] of [
      ['GET', '/v1/things/new', 'POST'],
      ['HEAD', '/v1/things/new?x=1', 'POST'],
      ['DELETE', '/v1/things/new', 'POST'],
      ['GET', '/v1/things/a/b/mark', 'POST'],
    ] as const) {
      const refused = await app.inject({ method, url })
      expect([method, url, refused.statusCode, refused.headers.allow]).toEqual([method, url, 404, allow])
    }
    expect((await app.inject('/v1/things/new')).json().error.message).toBe('/v1/things/new accepts POST, not GET.')
    // An id that holds the name is still an id.
    expect((await app.inject('/v1/things/newer')).statusCode).toBe(200)
    expect((await app.inject('/v1/things/a%2Fmark')).statusCode).toBe(200)
  })

  test('with a guessed name in place of an id is told which paths take the method', async () => {
    const message = async (method: 'POST' | 'DELETE', url: string) =>
      (await app.inject({ method, url })).json().error.message
    expect(await message('POST', '/v1/things/guess')).toBe(
      '/v1/things/guess accepts GET, HEAD, not POST. For POST use /v1/things/new or /v1/things/old.',
    )
    expect(await message('POST', '/v1/echo/x')).toBe('There is no endpoint POST /v1/echo/x. Did you mean /v1/echo?')
    expect(await message('POST', '/v1/files')).toBe('There is no endpoint POST /v1/files. Did you mean /v1/file/part?')
    expect(await message('POST', '/v1/file')).toBe('/v1/file accepts GET, HEAD, not POST. For POST use /v1/file/part.')
    expect(await message('DELETE', '/v1/things/guess')).toBe('/v1/things/guess accepts GET, HEAD, not DELETE.')
  })

  test('with a method that is none names the same methods whatever was asked', async () => {
    const allowed = await Promise.all(
      (['POST', 'PUT', 'DELETE', 'OPTIONS'] as const).map((method) => app.inject({ method, url: '/v1/things/x' })),
    )
    expect(allowed.map(({ headers }) => headers.allow)).toEqual(Array(4).fill('GET, HEAD'))
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
    ['two Hosts', `GET /v1/echo HTTP/1.1\r\n${host}hOST: other.test\r\n${close}\r\n`, 400, 'malformed_request'],
    [
      'two Authorizations',
      `GET /v1/echo HTTP/1.1\r\n${host}Authorization: Bearer a\r\nauthorization: Bearer b\r\n${close}\r\n`,
      400,
      'malformed_request',
    ],
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
      'a body that is too large and was not announced',
      `POST /v1/open HTTP/1.1\r\n${host}${close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1400\r\n${'a'.repeat(5_120)}\r\n0\r\n\r\n`,
      400,
      'payload_too_large',
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

describe('a stranger', () => {
  const refused =
    'POST /v1/closed HTTP/1.1\r\nhost: gateway.test\r\ncontent-type: application/json\r\ncontent-length: 8\r\n\r\n'

  test('who sends half a header is cut off when its time is over', async () => {
    const socket = net.connect(port, '127.0.0.1')
    socket.write('GET /v1/echo HTTP/1.1\r\nhost: gateway.test\r\nx-slow: ')
    const startedAt = performance.now()
    const text = (await socket.toArray()).join('')
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive in time/)
    // Its time is 500 ms here; Node alone would look after 30 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('who is refused before the body was read is cut off when the time of the body is over', async () => {
    const socket = net.connect(port, '127.0.0.1')
    socket.write(`${refused}{"to"`)
    const startedAt = performance.now()
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 401 /)
    // Its time is 500 ms here; uploads have 300 s.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  test('who sends the rest of the body after the refusal can go on using the connection', async () => {
    const socket = net.connect(port, '127.0.0.1')
    const texts = socket.iterator({ destroyOnReturn: false })
    socket.write(`${refused}{"to"`)
    expect(String((await texts.next()).value)).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: keep-alive/i)
    socket.write(':1}')
    socket.write('GET /v1/echo HTTP/1.1\r\nhost: gateway.test\r\nconnection: close\r\n\r\n')
    expect(String((await texts.next()).value)).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })

  test('may send 4 KiB to a route that needs no credentials, and announcing more is refused at once', async () => {
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/v1/open', headers: { 'content-type': 'application/json' }, payload })
    expect((await send(JSON.stringify({ text: 'a'.repeat(4_000) }))).statusCode).toBe(200)
    const refused = await send(JSON.stringify({ text: 'a'.repeat(4_100) }))
    expect([refused.json().error.code, refused.json().error.message]).toEqual([
      'payload_too_large',
      'The body is larger than 4 KiB.',
    ])
  })

  test('who asks for the API document again gets the one that was built before', async () => {
    const built = vi.spyOn(app, 'swagger')
    const [first, second] = [await app.inject('/openapi.json'), await app.inject('/openapi.json')]
    expect(first.json().openapi).toBe('3.1.0')
    expect(second.body).toBe(first.body)
    expect(built.mock.calls.length).toBeLessThanOrEqual(1)
  })
})
