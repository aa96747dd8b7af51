import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startOwnSandbox } from '../../cli/src/own-sandbox.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { startRunner } from '../../server/src/workers/runner.ts'
import { firing, type Scrape, scrapeOf, sectionOf } from '../support/alert-rules.ts'
import { type Database, engines } from '../support/postgres/databases.ts'
import { openRaw } from '../support/raw-database.ts'
import { runPostern } from '../support/run-postern.ts'
import { aRuntime } from '../support/runtime.ts'
import { aPlayground } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

async function scrape(adminUrl: string): Promise<Scrape> {
  const page = await fetch(`${adminUrl}/metrics`).then(
    (response) => response.text(),
    () => null,
  )
  return scrapeOf(page, Date.now())
}

const sampleOf = ({ samples }: Scrape, name: string, labels: Record<string, string>): number =>
  samples
    .filter((one) => one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    .reduce((total, { value }) => total + value, 0)

/** Each alert is caused by what it is about; then the reader of the runbook does what it says, and is shown the cause. */
describe.each(engines)('on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  let platform: RunningSandbox | null = null
  beforeAll(async () => {
    world = await aWorld(engine, {}, async (config) => {
      platform = await startOwnSandbox(config)
      return platform
    })
  }, 60_000)
  afterAll(() => world?.stop())

  const look = () => scrape(world.service.urls.admin ?? '')
  const template = (to: string) =>
    world.post('/v1/chat/messages/template', { to, template: 'hello_world', language: 'en_US' })
  const sendAll = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => template(`+3519121${10_000 + index}`)))
  const withRule = async (effects: object, act: () => Promise<unknown>) => {
    await world.control('PUT', '/_sandbox/scenario', { rules: [{ when: { endpoint: 'messages' }, do: effects }] })
    await act()
    await world.control('PUT', '/_sandbox/scenario', { rules: [] })
  }

  test('PosternSlow: Meta is slow, and the two histograms that are to be compared say so', async () => {
    await sendAll(2)
    const before = await look()
    await withRule({ delay_ms: 1_100 }, () => sendAll(5))
    const after = await look()
    expect(firing('PosternSlow', [before, after])).toHaveLength(1)
    const histograms = ['postern_channel_request_duration_seconds', 'postern_db_query_duration_seconds']
    const [calls = 0, queries = 0] = histograms.map((name) => {
      expect(sectionOf('PosternSlow')).toContain(`\`${name}\``)
      const grown = (end: string) => sampleOf(after, `${name}_${end}`, {}) - sampleOf(before, `${name}_${end}`, {})
      return grown('sum') / grown('count')
    })
    expect(calls).toBeGreaterThan(1)
    expect(queries).toBeLessThan(0.5)
    await sendAll(2)
    expect(firing('PosternSlow', [after, await look()])).toEqual([])
  })

  test('PosternNoStatuses: another service took the callbacks, and `postern channels check` names its address', async () => {
    const statuses = (page: Scrape) => sampleOf(page, 'postern_channel_events_received_total', { kind: 'status' })
    await sendAll(2)
    type Listed = { messages: { status: string }[] }
    const listed = async (): Promise<Listed> => (await world.get('/v1/chat/messages?limit=100')).body.data
    await waitFor(async () => (await listed()).messages.every(({ status }) => status === 'read'))
    await using thief = await anotherService()
    const { numbers } = (await world.control('GET', '/_sandbox')).body
    const [{ waba_id, access_token, graph_version }] = numbers
    const taken = await fetch(`${world.sandboxUrl}/${graph_version}/${waba_id}/subscribed_apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ override_callback_uri: thief.url, verify_token: 'theirs' }),
    })
    expect(await taken.json()).toEqual({ success: true })
    const before = await look()
    const sent = await sendAll(12)
    expect(sent.map(({ status }) => status)).toEqual(Array(12).fill(200))
    await waitFor(() => thief.calls() > 0)
    const after = await look()
    expect(firing('PosternNoStatuses', [before, after])).toHaveLength(1)
    expect(sectionOf('PosternNoStatuses')).toContain('`postern channels check`')
    const checked = await command('channels', 'check')
    expect([checked.code, checked.stdout], checked.stderr).toEqual([1, expect.stringContaining(thief.url)])
    expect(sectionOf('PosternNoStatuses')).toContain('`postern channels check --repair`')
    const repaired = await command('channels', 'check', '--take-over')
    expect(repaired.code, repaired.stdout).toBe(0)
    await sendAll(1)
    await waitFor(async () => statuses(await look()) > statuses(after))
    expect(firing('PosternNoStatuses', [after, await look()])).toEqual([])
  })

  const command = (...words: string[]) => {
    const { database, folder } = world.database
    const place = database.kind === 'sqlite' ? {} : { POSTERN_DATABASE_URL: database.url }
    const env = { POSTERN_DATA_DIR: folder, POSTERN_BASE_URL: world.service.urls.base, ...place }
    return runPostern(words, { env })
  }

  test('PosternErrors: the database takes nothing, and what the runbook names says why', async () => {
    const before = await look()
    const cause = await breakDatabase(world.database.database)
    await sendAll(1)
    const began = await look()
    const answers = await sendAll(4)
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code}`)
    expect(codes).toEqual(Array(4).fill(`500 ${cause.code}`))
    const after = await look()
    expect(firing('PosternErrors', [began, after])).toHaveLength(1)
    const section = sectionOf('PosternErrors')
    expect(section).toContain('`postern_api_errors_total` by `code`')
    const counted = (page: Scrape) => sampleOf(page, 'postern_api_errors_total', { code: cause.code })
    expect(counted(after) - counted(before)).toBe(5)
    expect(section).toContain('`/readyz?verbose`')
    const shown = await fetch(`${world.service.urls.admin}/readyz?verbose`).then((response) => response.text())
    const log = world.logLines.filter((line) => line.includes('"level":"error"')).join('')
    expect(cause.code === 'service_unavailable' ? shown : log).toMatch(cause.reason)
    await cause.end()
    await waitFor(async () => (await fetch(`${world.service.urls.admin}/readyz`)).ok, 15_000)
    await sendAll(2)
    expect(firing('PosternErrors', [after, await look()])).toEqual([])
  })

  // Last: Meta is gone for good.
  test('PosternPlatformUnreachable: nobody answers at the address of Meta, and `postern channels check` says why', async () => {
    const before = await look()
    await platform?.close()
    await sendAll(3)
    const after = await look()
    expect(firing('PosternPlatformUnreachable', [before, after])).toHaveLength(1)
    expect(sampleOf(after, 'postern_channel_requests_total', { operation: 'send', outcome: 'error' })).toBe(3)
    expect(sectionOf('PosternPlatformUnreachable')).toContain('`postern channels check`')
    const checked = await command('channels', 'check')
    expect([checked.code, checked.stdout], checked.stderr).toEqual([1, expect.stringContaining('ECONNREFUSED')])
  })

  test('PosternJobStuck: a job fails at every run, and the log names it with its error', async () => {
    const { rt, clock, logLines, database, dispose } = await aRuntime(engine)
    const raw = await openRaw(database)
    await raw.run('alter table tokens rename to tokens_of_before')
    await raw.close()
    const runner = startRunner(rt, jobDefinitions)
    const page = async () => scrapeOf(await rt.metrics.render(), clock.now())
    const runsOf = async (job: string) => sampleOf(await page(), 'postern_job_runs_total', { job })
    expect(firing('PosternJobStuck', [await page()])).toEqual([])
    for (let round = 1; round <= 7; round++) {
      clock.advance(10 * minuteMs + 1)
      await waitFor(async () => (await runsOf('tokens.expire')) >= round && (await runsOf('events.expire')) >= round)
    }
    expect(firing('PosternJobStuck', [await page()])).toEqual([{ job: 'tokens.expire' }])
    expect(sectionOf('PosternJobStuck')).toContain('`job.failed`')
    const [logged = '{}'] = logLines.filter((line) => line.includes('"job.failed"'))
    expect(JSON.parse(logged)).toMatchObject({
      kind: 'tokens.expire',
      err: { reason: expect.stringMatching(/tokens/) },
    })
    await runner.drain(5_000)
    await dispose()
  })
})

/** Answers the challenge of the platform and counts its calls. */
async function anotherService() {
  let calls = 0
  const server = createHttpServer((request, response) => {
    if (request.method === 'POST') calls++
    response.end(new URL(request.url ?? '/', 'http://localhost').searchParams.get('hub.challenge') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/theirs`,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Cause = { code: string; reason: RegExp; end(): Promise<void> }

/** A table is gone, or the database accepts no connections. */
async function breakDatabase(database: Database): Promise<Cause> {
  if (database.kind === 'sqlite') {
    const raw = await openRaw(database)
    await raw.run('alter table messages rename to messages_gone')
    const end = async () => {
      await raw.run('alter table messages_gone rename to messages')
      await raw.close()
    }
    return { code: 'internal_error', reason: /no such table: messages/, end }
  }
  const url = new URL(database.url)
  const name = url.pathname.slice(1)
  const elsewhere = await openRaw({ kind: 'postgres', url: Object.assign(url, { pathname: '/postgres' }).href })
  await elsewhere.run(`alter database "${name}" allow_connections false`)
  await elsewhere.run('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  const end = async () => {
    await elsewhere.run(`alter database "${name}" allow_connections true`)
    await elsewhere.close()
  }
  return { code: 'service_unavailable', reason: /not currently accepting connections/, end }
}

describe('PosternDown', { timeout: 60_000 }, () => {
  test('a process was killed and its port is taken: the log of the next start and `postern health` say so', async () => {
    const play = await aPlayground()
    const gateway = await play.serve()
    expect(firing('PosternDown', [await scrape(gateway.admin_url)])).toEqual([])
    gateway.process.signal('SIGKILL')
    await gateway.process.ended
    expect(firing('PosternDown', [await scrape(gateway.admin_url)])).toEqual([{ job: 'postern' }])
    const port = new URL(gateway.base_url).port
    const other = createServer().listen(Number(port), '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const started = await play.run(['serve', '--port', port, '--admin-port', '0', '--sandbox-port', '0', '--json'])
    expect([started.code, started.stderr]).toEqual([1, expect.stringContaining(port)])
    await new Promise((resolve) => other.close(resolve))
    expect(sectionOf('PosternDown')).toContain('`postern health`')
    const health = await play.run(['health', '--port', port])
    expect([health.code, health.stderr]).toEqual([1, expect.stringContaining('No gateway responds')])
    await play.dispose()
  })
})
