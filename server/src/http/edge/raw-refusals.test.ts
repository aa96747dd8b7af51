import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../contract/app-error.ts'
import { steadyClock } from '../../lib/clock.ts'
import { createIds } from '../../lib/ids.ts'
import { createMetrics } from '../../observe/metrics.ts'
import { graphDialect } from '../../platform/cloud/graph/graph-dialect.ts'
import { refuseBelowFastify } from './raw-refusals.ts'

const refusal = new AppError('service_unavailable', 'Too much.', { retryAfterSeconds: 1 })

let server: Server
let client: Client
let passed: IncomingMessage[]
let metrics: ReturnType<typeof createMetrics>

beforeEach(async () => {
  passed = []
  metrics = createMetrics({ version: '1.2.3', commit: 'abc' })
  server = createServer((request, response) => {
    passed.push(request)
    response.end('passed')
  })
  const rt = {
    newId: createIds(steadyClock()),
    metrics,
    urls: { console: 'https://console.test' },
    platform: { dialect: graphDialect },
  }
  refuseBelowFastify(server, rt, ({ headers }) => (headers.authorization === 'flood' ? refusal : null))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterEach(async () => {
  await client.close()
  server.close()
})

test('a refusal below Fastify is the answer of the table, with an id, and is counted', async () => {
  const { statusCode, headers, body } = await client.request({
    method: 'GET',
    path: '/v1/chat/templates',
    headers: { authorization: 'flood' },
  })
  const { error } = (await body.json()) as { error: Record<string, unknown> }
  expect(statusCode).toBe(500)
  expect(headers['retry-after']).toBe('1')
  expect(error).toMatchObject({ code: 'service_unavailable', message: 'Too much.', retryable: true, retry_after: 1 })
  expect(error.request_id).toBe(headers['x-request-id'])
  expect(passed).toEqual([])
  const page = await metrics.render()
  expect(page).toContain('postern_http_requests_total{method="GET",route="unknown",status="500"} 1')
  expect(page).toContain('postern_api_errors_total{code="service_unavailable",route="unknown"} 1')
})

test('the connection of a refused request goes on with the next one, whatever body the first had', async () => {
  const large = 'x'.repeat(200_000)
  const flood = {
    method: 'POST',
    path: '/v1/chat/messages/send',
    headers: { authorization: 'flood' },
    body: large,
  } as const
  expect((await client.request(flood)).statusCode).toBe(500)
  const { statusCode, body } = await client.request({ method: 'GET', path: '/', headers: { authorization: 'other' } })
  expect([statusCode, await body.text()]).toEqual([200, 'passed'])
  expect(passed.length).toBe(1)
})
