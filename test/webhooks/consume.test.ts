import { afterEach, describe, expect, test } from 'vitest'
import { Postern } from '../../sdk/src/index.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import { aPlayground, type Gateway, stop } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const patienceMs = 60_000
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A gateway that comes back at the same address, and its client. */
async function aService(engine: EngineName) {
  const play = await aPlayground()
  closers.push(play.dispose)
  const { database, remove } = await freshDatabase(engine)
  closers.push(remove)
  const url: Record<string, string> = database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}
  // What a killed gateway had in hand on PostgreSQL comes when its lease ends, twice in these stories.
  const env = { ...url, POSTERN_JOB_LEASE_MS: '3000' }
  let gateway: Gateway = await play.serve([], env)
  const { base_url: baseUrl, sandbox_url, firstRun } = gateway
  const portOf = (url: string | null) => new URL(url ?? '').port
  const ports = ['--port', portOf(baseUrl), '--sandbox-port', portOf(sandbox_url)]
  const { api_key: apiKey = '', api_secret: apiSecret = '' } = firstRun ?? {}
  const client = new Postern({ baseUrl, apiKey, apiSecret })
  return {
    client,
    async kill() {
      gateway.process.signal('SIGKILL')
      await gateway.process.ended
    },
    async start() {
      gateway = await play.serve(ports, env)
    },
    stop: () => stop(gateway),
    resetFeed: () => play.runHere(['feed', 'reset'], env),
    trigger: () => client.request({ method: 'POST', path: '/v1/events/trigger', body: { type: 'message.received' } }),
    /** Ids of all events, in the order of the feed. */
    published: async () => (await client.events.list({ limit: 100 }).page()).items.map(({ id }) => id),
  }
}

type Service = Awaited<ReturnType<typeof aService>>

/** A program that keeps its position, and can be stopped and started. */
function aProgram({ client }: Service) {
  const handled: string[] = []
  const notices: string[] = []
  let saved: string | undefined
  return {
    handled,
    notices,
    isStarted: () => saved !== undefined,
    start() {
      const stopping = new AbortController()
      const ended = client.events.consume({
        load: () => saved,
        save: (position) => {
          saved = position
        },
        handle: ({ id }) => void handled.push(id),
        signal: stopping.signal,
        onRetry: ({ error }) => void notices.push(error.code),
        onRestart: ({ error }) => void notices.push(error.code),
      })
      return async () => {
        stopping.abort()
        await ended
      }
    },
  }
}

describe.each(engines)('a consumer of events, on %s', { timeout: processTimeoutMs }, (engine) => {
  test('gets every event once and in order, whether the gateway or the program restarts', async () => {
    const service = await aService(engine)
    await service.trigger()
    await waitFor(async () => (await service.published()).length === 1, patienceMs)
    const program = aProgram(service)
    const stopFirst = program.start()
    await waitFor(program.isStarted, patienceMs)
    const early = new Set(await service.published())
    await service.trigger()
    await waitFor(() => program.handled.some((id) => !early.has(id)), patienceMs)
    // The gateway dies under a consumer that runs.
    await service.trigger()
    await service.kill()
    await waitFor(() => program.notices.includes('connection_failed'), patienceMs)
    await service.start()
    await service.trigger()
    await waitFor(async () => (await service.published()).length === 4, patienceMs)
    await waitFor(() => new Set([...early, ...program.handled]).size === 4, patienceMs)
    await stopFirst()
    // Both are away, one after the other, and events come meanwhile.
    await service.trigger()
    await service.kill()
    const stopSecond = program.start()
    await service.start()
    await service.trigger()
    await waitFor(async () => (await service.published()).length === 6, patienceMs)
    await waitFor(() => new Set([...early, ...program.handled]).size === 6, patienceMs)
    await stopSecond()
    expect(program.handled.filter((id) => !early.has(id))).toEqual((await service.published()).slice(early.size))
    expect(new Set(program.handled).size).toBe(program.handled.length)
  })

  test('goes on by time when the position is from before a restore, and misses nothing', async () => {
    const service = await aService(engine)
    const program = aProgram(service)
    const stopFirst = program.start()
    await waitFor(program.isStarted, patienceMs)
    await service.trigger()
    await waitFor(() => program.handled.length === 1, patienceMs)
    await stopFirst()
    await service.trigger()
    await service.stop()
    expect((await service.resetFeed()).code).toBe(0)
    await service.start()
    await service.trigger()
    const stopSecond = program.start()
    await waitFor(() => new Set(program.handled).size === 3, patienceMs)
    await stopSecond()
    expect(program.notices).toContain('invalid_cursor')
    expect([...new Set(program.handled)]).toEqual(await service.published())
  })
})
