import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tailRequests } from '../../server/src/access/request-log.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { AppError, invalidField } from '../../server/src/contract/app-error.ts'
import { type ErrorCode, errorCodes } from '../../server/src/contract/errors.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { graphDialect } from '../../server/src/platform/cloud/graph/graph-dialect.ts'
import { updateApiKey } from '../../server/src/store/accounts/api-keys.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Answer } from '../support/world.ts'

const refused = (error: AppError) =>
  graphDialect.refusal({ code: error.code, sentence: error.message, requestId: 'req_1', extras: error.extras })
const shown = (error: AppError) => {
  const { status, body } = refused(error)
  const { code, error_subcode: subcode } = body.error as Record<string, unknown>
  return subcode === undefined ? [status, code] : [status, code, subcode]
}

describe('a refusal in Meta’s words', () => {
  test.each<[ErrorCode, unknown[]]>([
    ['missing_credentials', [401, 190]],
    ['invalid_token', [401, 190]],
    ['invalid_credentials', [401, 190]],
    ['token_expired', [401, 190, 463]],
    ['api_key_inactive', [401, 190, 463]],
    ['account_suspended', [401, 190]],
    ['insufficient_scope', [403, 10]],
    ['ip_not_allowed', [403, 10]],
    ['cross_site_request', [403, 10]],
    ['endpoint_not_found', [400, 100, 33]],
    ['media_not_found', [400, 100, 33]],
    ['message_not_found', [400, 100, 33]],
    ['malformed_json', [400, 100]],
    ['malformed_request', [400, 100]],
    ['payload_too_large', [400, 100]],
    ['media_type_not_supported', [400, 100]],
    ['customer_window_closed', [400, 131_047]],
    ['recipient_opted_out', [400, 131_050]],
    ['recipient_blocked', [400, 130_403]],
    ['rate_limit_exceeded', [429, 130_429]],
    ['channel_rate_limited', [429, 130_429]],
    ['too_many_attempts', [429, 130_429]],
    ['service_unavailable', [503, 130_429]],
    ['upstream_unavailable', [503, 130_429]],
    ['internal_error', [503, 130_429]],
    ['channel_auth_failed', [403, 131_005]],
    ['channel_permission_missing', [403, 131_005]],
    ['channel_number_not_registered', [403, 131_005]],
    ['channel_not_connected', [403, 131_005]],
    ['idempotency_key_reused', [400, 131_009]],
    ['thread_owned_elsewhere', [400, 131_009]],
  ])('%s is %j', (code, expected) => {
    expect(shown(new AppError(code, 'Why.'))).toEqual(expected)
  })

  test('says what is missing and what is wrong apart', () => {
    expect(shown(invalidField('to', 'required', 'Name it.'))).toEqual([400, 131_008])
    expect(shown(invalidField('to', 'invalid_value', 'Write it.'))).toEqual([400, 131_009])
  })

  test('tells the limit of one customer from that of the number', () => {
    const of = (extras: object) => refused(new AppError('channel_rate_limited', 'Wait.', extras)).body.error
    expect([of({ ofCustomer: true }), of({})]).toMatchObject([{ code: 131_056 }, { code: 130_429 }])
  })

  test('exists for every code, with our sentence and the id of the request', () => {
    for (const code of errorCodes) {
      const { status, body } = refused(new AppError(code, 'Why it is so.'))
      const wrong = `${code} is ${status}`
      expect([400, 401, 403, 429, 503], wrong).toContain(status)
      expect(body, wrong).toEqual({
        error: {
          message: expect.stringMatching(/^\(#\d+\) \S/),
          type: expect.stringMatching(/^(OAuthException|GraphMethodException)$/),
          code: expect.any(Number),
          error_data: { messaging_product: 'whatsapp', details: 'Why it is so.' },
          fbtrace_id: 'req_1',
          ...(status === 503 && { is_transient: true }),
          ...('error_subcode' in (body.error as object) && { error_subcode: expect.any(Number) }),
        },
      })
    }
  })

  test('keeps what Meta says, but for what it says of our own access', () => {
    const upstream = (code: number) => ({ code, title: 'Theirs', detail: 'Their words', trace_id: null })
    const of = (code: number) =>
      refused(new AppError('channel_rejected', 'Ours', { upstream: upstream(code) })).body.error
    expect(of(131_026)).toMatchObject({ code: 131_026, message: 'Theirs', error_data: { details: 'Their words' } })
    for (const code of [0, 3, 10, 33, 190, 200, 299]) expect(of(code)).not.toMatchObject({ code })
  })
})

describe.each(engines)('refusals below /graph, on %s', { timeout: 60_000 }, (engine) => {
  let world: GraphWorld
  let tool: Tool
  const codeOf = ({ status, body }: Answer) => [status, body.error?.code]
  const send = (as: { token: string } = tool, to = world.customer) =>
    world.graph(
      'POST',
      `/${world.number}/messages`,
      { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Hi' } },
      as,
    )

  beforeAll(async () => {
    world = await aGraphWorld(engine)
    tool = await world.connect()
  })
  afterAll(() => world.stop())

  test('tell a tool that may not from one that is not known', async () => {
    const reader = await world.connect({ scopes: ['templates:read'] })
    expect(codeOf(await send(reader))).toEqual([403, 10])
    const elsewhere = await world.connect({ allowedIps: ['192.0.2.1'] })
    expect(codeOf(await send(elsewhere))).toEqual([403, 10])
    const { key } = await world.connect()
    const { rt } = world.service
    const expired = await world.connect()
    await rt.store.write(unitOf(updateApiKey, { ...expired.key, expires_at: rt.clock.now() - 1 }))
    expect(codeOf(await send(expired))).toEqual([401, 190])
    expect(key.kind).toBe('connection')
  })

  test('come when the connection makes more requests than it may', async () => {
    const hasty = await world.connect({ options: { max_per_minute: 2 } })
    const look = () => world.graph('GET', `/${world.number}`, undefined, hasty)
    expect([(await look()).status, (await look()).status]).toEqual([200, 200])
    const third = await look()
    expect(codeOf(third)).toEqual([429, 130_429])
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send()).status).toBe(200)
  })

  test('of a suspended account are about the token', async () => {
    const stranger = await world.connectStranger()
    const { rt } = world.service
    await changeAccount(rt, stranger.row.account_id, { status: 'suspended' }, operator)
    expect(codeOf(await world.graph('GET', '/me', undefined, stranger))).toEqual([401, 190])
  })

  test('have Meta’s shape also where no route is reached', async () => {
    const { port, hostname } = new URL(world.service.urls.base)
    const raw = (text: string) =>
      new Promise<{ error?: { code: number } }>((resolve, reject) => {
        let got = ''
        const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname, () => socket.end(text))
        socket.on('data', (chunk) => {
          got += String(chunk)
        })
        socket.on('error', reject)
        socket.on('close', () => resolve(JSON.parse(got.slice(got.indexOf('\r\n\r\n')))))
      })
    const head = `GET /graph/v20.0/${world.number} HTTP/1.1\r\nHost: a.test\r\n`
    expect((await raw(`${head}Bad Header: x\r\n\r\n`)).error?.code).toBe(100)
    expect((await raw(`${head}Expect: magic\r\n\r\n`)).error?.code).toBe(100)
    expect(
      (await raw(`GET /graph/${'9'.repeat(2_000)} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`)).error?.code,
    ).toBe(100)
    expect((await raw(`GET /graph/%zz HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n`)).error?.code).toBe(100)
    expect((await raw('GET /v1/x HTTP/1.1\r\nBad Header: x\r\n\r\n')).error?.code).toBe('malformed_request')
    const large = await world.graph(
      'POST',
      `/${world.number}/messages`,
      { to: world.customer, text: { body: 'x'.repeat(300_000) } },
      tool,
    )
    expect(codeOf(large)).toEqual([400, 100])
  })

  test('are counted by route and code, and each call is in the request log of its connection', async () => {
    const own = await world.connect()
    await world.graph('GET', `/${world.number}?access_token=${own.token}`, undefined, own)
    await world.graph('GET', '/123', undefined, own)
    expect(await world.service.rt.metrics.render()).toMatch(
      /postern_graph_requests_total\{route="\/graph\/:id",code="100"\} \d/,
    )

    const logged = async () => {
      const tail = {
        accountId: world.accountId,
        statusMin: 0,
        statusMax: 999,
        route: '/graph',
        count: 100,
        since: null,
      }
      const { requests } = await tailRequests(world.service.rt, tail)
      return requests.filter(({ key_id }) => key_id === own.row.key_id)
    }
    await waitFor(async () => (await logged()).length === 2)
    expect((await logged()).map(({ method, route, status }) => [method, route, status])).toEqual([
      ['GET', '/graph/:id', 200],
      ['GET', '/graph/:id', 400],
    ])
  })
})
