import { join } from 'node:path'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { processTimeoutMs, startPostern } from '../support/child-process.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { cloneDatabase } from '../support/postgres/postgres-databases.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { aPlayground, type Gateway, stop, tokenOf } from '../support/serve.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

type Event = { id: string; timestamp: string; data: { content: { text: string } } }
type Page = { events: Event[]; pagination: { next_cursor: string } }
/** A gateway whose data can be saved, and brought back later. */
type Machine = {
  serve(port?: string): Promise<Gateway>
  /** Returns the gateway that runs afterwards: PostgreSQL copies a database only when nobody uses it. */
  save(running: Gateway): Promise<Gateway>
  bringBack(): Promise<void>
}

const patienceMs = 30_000
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function aSqliteMachine(): Promise<Machine> {
  const play = await aPlayground()
  closers.push(play.dispose)
  const file = join(play.folder, 'postern.tar')
  const command = async (...args: string[]) => {
    const done = await play.runHere(args)
    expect(done.code, done.stderr).toBe(0)
  }
  return {
    serve: (port = '0') => play.serve(['--port', port]),
    async save(running) {
      await command('backup', file)
      return running
    },
    bringBack: () => command('restore', file, '--force'),
  }
}

/** PostgreSQL's own copy stands for pg_dump and pg_restore, which no package brings. */
async function aPostgresMachine(): Promise<Machine> {
  const play = await aPlayground()
  const original = await freshDatabase('postgres')
  closers.push(original.remove, play.dispose)
  if (original.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  let url = original.database.url
  let saved = ''
  const serve = (port = '0') => play.serve(['--port', port], { POSTERN_DATABASE_URL: url })
  return {
    serve,
    async save(running) {
      await stop(running)
      const source = { url, name: new URL(url).pathname.slice(1), drop: async () => {} }
      const copy = await cloneDatabase(inject('postgresUrl'), source)
      closers.unshift(copy.drop)
      saved = copy.url
      return serve(new URL(running.base_url).port)
    },
    async bringBack() {
      url = saved
      const done = await play.runHere(['feed', 'reset'], { POSTERN_DATABASE_URL: url })
      expect(done.code, done.stderr).toBe(0)
    },
  }
}

const machines = { sqlite: aSqliteMachine, postgres: aPostgresMachine }

describe.each(engines)('a restore on %s under readers that never restart', { timeout: processTimeoutMs }, (engine) => {
  test('lets none of them skip an event silently', async () => {
    const machine = await machines[engine]()
    let gateway = await machine.serve()
    const port = new URL(gateway.base_url).port
    const { api_key = '', api_secret = '', console_link = '' } = gateway.firstRun ?? {}
    const token = await tokenOf(gateway.base_url, { api_key, api_secret })
    const visitor = aVisitor({ url: gateway.base_url })
    const owner = { token: tokenOfLink(console_link), name: 'Ana Sousa', email: 'ana@acme.test', password }
    expect((await visitor.call('POST', '/setup', owner)).status).toBe(200)

    const write = async (...texts: string[]) => {
      for (const text of texts) {
        const body = JSON.stringify({ from: '+12025550100', text })
        await fetch(`${gateway.sandbox_url}/_sandbox/inbound`, { method: 'POST', body })
      }
    }
    const read = async (query: Record<string, string>) => {
      const parameters = new URLSearchParams({ type: 'message.received', limit: '100', ...query })
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${gateway.base_url}/v1/events?${parameters}`, { headers })
      return (await response.json()) as { data: Page; error?: { code: string; message: string } }
    }
    const readUntil = async (text: string, query: Record<string, string> = {}) => {
      let page: Page | null = null
      await waitFor(async () => {
        page = (await read(query)).data
        return textsOf(page).includes(text)
      }, patienceMs)
      return page as unknown as Page
    }

    await write('one')
    await readUntil('one')
    gateway = await machine.save(gateway)
    const receiver = await startHostileReceiver()
    closers.push(receiver.close)
    const listenEnv = { POSTERN_BASE_URL: gateway.base_url, POSTERN_API_KEY: api_key, POSTERN_API_SECRET: api_secret }
    const listener = startPostern(['listen', '--forward-to', receiver.url, '--events', 'message.received', '--json'], {
      env: listenEnv,
    })
    closers.push(listener.destroy)
    await listener.line(() => true)
    const forwarded = () =>
      receiver.requests.map(({ body }) => (JSON.parse(body.toString()) as Event).data.content.text)
    const live = await follow(gateway, visitor.cookie)

    // Lost by the restore, but all readers have seen them.
    await write('two', 'three')
    const seen = await readUntil('three')
    await waitFor(() => forwarded().includes('three'), patienceMs)
    await waitFor(() => live.text().includes('event: changed'), patienceMs)
    await stop(gateway)
    await machine.bringBack()
    gateway = await machine.serve(port)
    await write('four', 'five')

    const refused = await read({ cursor: seen.pagination.next_cursor })
    expect(refused.error).toMatchObject({ code: 'invalid_cursor', message: expect.stringContaining('`since`') })
    const again = await readUntil('five', { since: seen.events.at(-1)?.timestamp ?? '' })
    expect(textsOf(again)).toEqual(['four', 'five'])

    await waitFor(() => forwarded().includes('five'), patienceMs)
    expect(forwarded()).toEqual(['two', 'three', 'four', 'five'])
    expect(listener.output.stderr).toContain('restored from a backup')

    const reconnected = await follow(gateway, visitor.cookie, live.lastId())
    await waitFor(() => reconnected.text().includes('event: changed'), patienceMs)
    expect(reconnected.text()).toMatch(/"topics":\[[^\]]*"events"[^\]]*"messages"/)
    await stop(gateway)
  })
})

function textsOf({ events }: Page): string[] {
  return events.map(({ data }) => data.content.text)
}

/** The console's stream, as a browser follows it. */
async function follow({ base_url }: Gateway, cookie: string, lastId?: string) {
  const abort = new AbortController()
  closers.push(async () => abort.abort())
  const headers = { cookie, 'sec-fetch-site': 'same-origin', ...(lastId ? { 'last-event-id': lastId } : {}) }
  const response = await fetch(`${base_url}/console/api/live`, { headers, signal: abort.signal })
  expect(response.status).toBe(200)
  let text = ''
  void (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
  })().catch(() => {})
  return { text: () => text, lastId: () => /.*id: (\d+)/s.exec(text)?.[1] }
}
