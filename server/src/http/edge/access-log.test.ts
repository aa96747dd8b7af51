import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { StoreUnavailable } from '../../store/engine/store-error.ts'
import { createApp } from '../app.ts'
import type { App } from './context.ts'

let world: TestRuntime
let app: App
let answerLate: () => void
beforeEach(async () => {
  world = await aRuntime('sqlite')
  const late = new Promise<void>((resolve) => {
    answerLate = resolve
  })
  const addRoutes = (to: App) => {
    to.get('/late', { config: { access: 'public' } }, async () => late)
    to.get('/broken', { config: { access: 'public' } }, async () => {
      throw new StoreUnavailable('not_stored', new Error('the disk is full'))
    })
  }
  app = await createApp(world.rt, { readiness: { check: async () => [] }, resources: [addRoutes] })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(async () => {
  answerLate()
  await app.close()
  await world.dispose()
})

const metric = async (line: string) => (await world.rt.metrics.render()).includes(`\n${line}\n`)

describe('the log of requests', () => {
  test('counts a client that left before its answer, and is not one request off for ever', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /late HTTP/1.1\r\nhost: gateway.test\r\n\r\n')
    await waitFor(() => metric('postern_http_requests_in_flight 1'))
    socket.destroy()
    await waitFor(() => metric('postern_http_requests_in_flight 0'))
    expect(await metric('postern_http_requests_total{method="GET",route="/late",status="499"} 1')).toBe(true)
    expect(world.logLines.some((line) => line.includes('"status":499'))).toBe(true)
  })

  test('counts a request that is refused before its route once up and once down', async () => {
    const refused = await app.inject({ url: '/late?x=%00' })
    expect(refused.statusCode).toBe(400)
    expect(await metric('postern_http_requests_in_flight 0')).toBe(true)
  })

  test('has the cause of every failure on our side', async () => {
    const failed = await app.inject({ url: '/broken' })
    expect(failed.statusCode).toBe(500)
    const line = world.logLines.find((text) => text.includes('request.failed')) ?? ''
    expect(line).toContain('"code":"service_unavailable"')
    expect(line).toContain('the disk is full')
  })
})
