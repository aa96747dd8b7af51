import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noTracing, type Tracer } from './tracer.ts'
import { startTracing } from './tracing.ts'

type CollectedSpan = {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}
type Export = {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: CollectedSpan[] }[] }[]
}

const caller = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

describe('with an endpoint', () => {
  const received: { path: string; body: Export }[] = []
  let tracer: Tracer = noTracing
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    received.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.setHeader('content-type', 'application/json').end('{}')
  })

  beforeEach(async () => {
    received.length = 0
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const { port } = collector.address() as AddressInfo
    tracer = await startTracing({ endpoint: `http://127.0.0.1:${port}`, serviceName: 'postern-test' })
  })
  afterEach(async () => {
    await tracer.stop()
    collector.closeAllConnections()
    await new Promise((resolve) => collector.close(resolve))
  })

  async function collected(): Promise<Record<string, CollectedSpan>> {
    await tracer.stop()
    const spans = received.flatMap(({ body }) =>
      body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((s) => s.spans)),
    )
    return Object.fromEntries(spans.map((span) => [span.name, span]))
  }

  test('spans arrive at the collector under the name of the service', async () => {
    const result = await tracer.span('GET /v1/auth/me', { 'http.route': '/v1/auth/me' }, () => 7, { kind: 'server' })
    expect(result).toBe(7)
    const span = (await collected())['GET /v1/auth/me']
    expect(span).toMatchObject({ kind: 2, attributes: [{ key: 'http.route', value: { stringValue: '/v1/auth/me' } }] })
    expect(received[0]?.path).toBe('/v1/traces')
    expect(received[0]?.body.resourceSpans[0]?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'postern-test' },
    })
  })

  test('a span inside another is its child, also after waiting', async () => {
    await tracer.span('outer', {}, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.all([tracer.span('left', {}, () => 1), tracer.span('right', {}, () => 2)])
    })
    const { outer, left, right } = await collected()
    expect(outer?.parentSpanId).toBeUndefined()
    expect([left?.parentSpanId, right?.parentSpanId]).toEqual([outer?.spanId, outer?.spanId])
  })

  test("the caller's trace is continued, and a damaged header starts a new one", async () => {
    await tracer.span('continued', {}, () => 1, { traceparent: caller })
    await tracer.span('fresh', {}, () => 1, { traceparent: '00-zz-1' })
    const { continued, fresh } = await collected()
    expect(continued).toMatchObject({ traceId: caller.slice(3, 35), parentSpanId: caller.slice(36, 52) })
    expect(fresh?.traceId).not.toBe(caller.slice(3, 35))
    expect(fresh?.parentSpanId).toBeUndefined()
  })

  test('a linked span has a trace of its own that points to the cause', async () => {
    const cause = await tracer.span('cause', {}, (span) => span.traceparent)
    await tracer.span('around', {}, () => tracer.span('attempt', {}, () => 1, { kind: 'client', linkTo: cause }))
    const spans = await collected()
    expect(spans.attempt?.links).toMatchObject([{ traceId: spans.cause?.traceId, spanId: spans.cause?.spanId }])
    expect(new Set([spans.cause?.traceId, spans.around?.traceId, spans.attempt?.traceId]).size).toBe(3)
  })

  test('an error is passed on and leaves its code, not its sentence', async () => {
    const failing = tracer.span('failing', {}, (span) => {
      span.set({ attempt: 2 })
      throw Object.assign(new Error('for +351912345678'), { code: 'customer_window_closed' })
    })
    await expect(failing).rejects.toThrow('for +351912345678')
    const { failing: span } = await collected()
    expect(span?.status).toEqual({ code: 2 })
    expect(span?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'customer_window_closed' } })
    expect(JSON.stringify(received)).not.toContain('351912345678')
  })
})

test('a collector that is down neither breaks the work nor the end', async () => {
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  const tracer = await startTracing({ endpoint: `http://127.0.0.1:${port}`, serviceName: 'postern-test' })
  expect(await tracer.span('lost', {}, () => 'done')).toBe('done')
  await expect(tracer.stop()).resolves.toBeUndefined()
})

describe('without an endpoint', () => {
  test('work runs as it is and errors pass', async () => {
    const tracer = await startTracing({ endpoint: null, serviceName: 'postern' })
    expect(await tracer.span('x', {}, (span) => span.traceparent ?? 'off')).toBe('off')
    const failing = tracer.span('x', {}, () => {
      throw new Error('thrown')
    })
    await expect(failing).rejects.toThrow('thrown')
    await tracer.stop()
  })

  test('no module of OpenTelemetry is loaded', () => {
    expect(otelModulesLoaded(null)).toBe(0)
    expect(otelModulesLoaded('http://127.0.0.1:9')).toBeGreaterThan(0)
  })
})

/** Counts what a fresh process resolves while it starts tracing. */
function otelModulesLoaded(endpoint: string | null): number {
  const program = `import { registerHooks } from 'node:module'
    let loaded = 0
    registerHooks({ load(url, context, next) { if (url.includes('@opentelemetry')) loaded += 1; return next(url, context) } })
    const { startTracing } = await import(${JSON.stringify(import.meta.resolve('./tracing.ts'))})
    const tracer = await startTracing({ endpoint: ${JSON.stringify(endpoint)}, serviceName: 'postern' })
    await tracer.stop()
    console.log(loaded)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }))
}
