import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { eventsAt, localReceivers } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'

type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string; spanId: string }[]
}

const caller = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }

describe.each(engines)('traces of a gateway on %s', (engine) => {
  const spans: Span[] = []
  let collector: Server
  let receiver: HostileReceiver
  let world: World
  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
      }
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
      response.setHeader('content-type', 'application/json').end('{}')
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const { port } = collector.address() as AddressInfo
    receiver = await startHostileReceiver()
    world = await aWorld(engine, { ...localReceivers, OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
  })
  afterAll(async () => {
    await world.stop()
    await receiver.close()
    collector.closeAllConnections()
    await new Promise((resolve) => collector.close(resolve))
  })

  const attributesOf = (span: Span | undefined) =>
    Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

  test("a send continues the caller's trace down to the platform and the disk, and its webhook attempts point to it", async () => {
    const registered = await world.post('/v1/webhooks', { url: `${receiver.url}/hook`, events: ['message.sent'] })
    const { id } = registered.body.data
    await waitFor(async () => (await world.get(`/v1/webhooks/${id}`)).body.data.verification.status === 'verified')
    const headers = { traceparent: `00-${caller.trace}-${caller.span}-01` }
    const message = { to: world.customer, message: 'A secret word' }
    const sent = await world.post('/v1/chat/messages/send', message, headers)
    expect(sent.status).toBe(200)
    await waitFor(() => eventsAt(receiver, '/hook').length === 1)
    const named = (name: string) => spans.filter((span) => span.name === name)
    await waitFor(() => named('webhook.attempt').length > 0 && named('POST /v1/chat/messages/send').length > 0, 10_000)

    const [server] = named('POST /v1/chat/messages/send')
    expect(server).toMatchObject({ traceId: caller.trace, parentSpanId: caller.span })
    expect(attributesOf(server)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/messages/send',
      'http.response.status_code': 200,
    })
    const inside = spans.filter(({ parentSpanId }) => parentSpanId === server?.spanId).map(({ name }) => name)
    expect(new Set(inside)).toEqual(new Set(['validate', 'db.tx', 'channel.send']))

    const [attempt] = named('webhook.attempt')
    expect(attempt?.parentSpanId).toBeUndefined()
    expect(attempt?.traceId).not.toBe(caller.trace)
    expect(attempt?.links).toMatchObject([{ traceId: caller.trace, spanId: server?.spanId }])
    expect(attributesOf(attempt)).toMatchObject({ 'http.response.status_code': 200 })
    // Receivers are strangers: our traces are none of their business.
    expect(receiver.requests.every((request) => request.headers.traceparent === undefined)).toBe(true)
    expect(JSON.stringify(spans)).not.toMatch(/secret word|12025550100/)
  })

  test('a refusal leaves its code', async () => {
    const refused = await world.get('/v1/chat/messages/wamid.none')
    expect(refused.status).toBe(404)
    const found = () => spans.find(({ name }) => name === 'GET /v1/chat/messages/*')
    await waitFor(() => found() !== undefined, 10_000)
    expect(attributesOf(found())).toMatchObject({
      'error.type': 'message_not_found',
      'http.response.status_code': 404,
    })
  })
})
