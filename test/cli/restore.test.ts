import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { processTimeoutMs, startPostern } from '../support/child-process.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { contentsOf, filesBelow, mediaCount, sendAndReceive } from '../support/media-of-every-kind.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { copyUsedDatabase } from '../support/postgres/postgres-databases.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { aPlayground, type Gateway, stop, tokenOf } from '../support/serve.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

type Event = { id: string; timestamp: string; data: { content: { text: string } } }
type Page = { events: Event[]; pagination: { next_cursor: string } }
/** A gateway whose data can be saved while it runs, and brought back later. */
type Machine = {
  serve(port?: string): Promise<Gateway>
  dataDir(): string
  save(): Promise<void>
  /** Only the data that were saved are left. */
  bringBack(): Promise<void>
}

const patienceMs = 30_000
const closers: (() => Promise<unknown>)[] = []

/** With our own commands, over the data that are there. */
async function aSqliteMachine(): Promise<Machine> {
  const play = await aPlayground()
  closers.push(play.dispose)
  const file = join(play.folder, 'postern.tar')
  const command = async (...args: string[]) => {
    const done = await play.runHere([...args, '--json'])
    expect(done.code, done.stderr).toBe(0)
    return done.json
  }
  return {
    serve: (port = '0') => play.serve(['--port', port]),
    dataDir: () => play.dataDir,
    save: async () => void (await command('backup', file)),
    async bringBack() {
      const { replaced } = await command('restore', file, '--force')
      expect(readdirSync(String(replaced))).toEqual(
        expect.arrayContaining(['media', 'postern.db', 'sandbox.json', 'sandbox.json.media']),
      )
    },
  }
}

/**
 * PostgreSQL's own copy stands for pg_dump and pg_restore, which no package brings. Master key and sandbox are files of
 * the data folder, as docs/backup.md says.
 */
async function aPostgresMachine(): Promise<Machine> {
  const original = await freshDatabase('postgres')
  closers.push(original.remove)
  if (original.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  const first = await aPlayground()
  const other = await aPlayground()
  let { url } = original.database
  let saved = ''
  let play = first
  return {
    serve: (port = '0') => play.serve(['--port', port], { POSTERN_DATABASE_URL: url }),
    dataDir: () => play.dataDir,
    async save() {
      const used = { url, name: new URL(url).pathname.slice(1), drop: async () => {} }
      const copy = await copyUsedDatabase(inject('postgresUrl'), used)
      closers.push(copy.drop, first.dispose, other.dispose)
      saved = copy.url
    },
    async bringBack() {
      cpSync(first.dataDir, other.dataDir, { recursive: true })
      play = other
      url = saved
      const done = await play.runHere(['feed', 'reset'], { POSTERN_DATABASE_URL: url })
      expect(done.code, done.stderr).toBe(0)
    },
  }
}

const machines = { sqlite: aSqliteMachine, postgres: aPostgresMachine }

describe.each(engines)('a gateway on %s restored from its backup', { timeout: processTimeoutMs }, (engine) => {
  let machine: Machine
  let gateway: Gateway
  let credentials: Record<'api_key' | 'api_secret', string>
  let token: string
  const media = { ids: [] as string[], contents: new Map<string, string>(), sandbox: [] as [string, string][] }
  const mediaOfSandbox = () => filesBelow(join(machine.dataDir(), 'sandbox.json.media'))

  beforeAll(async () => {
    machine = await machines[engine]()
    gateway = await machine.serve()
    const { api_key = '', api_secret = '' } = gateway.firstRun ?? {}
    credentials = { api_key, api_secret }
    token = await tokenOf(gateway.base_url, credentials)
    media.ids = await sendAndReceive(gateway, token)
    media.contents = await contentsOf(gateway, token, media.ids)
    media.sandbox = mediaOfSandbox()
    expect([media.contents.size, media.sandbox.length]).toEqual([mediaCount, mediaCount])
  }, processTimeoutMs)
  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  test('lets no reader that never restarts skip an event silently', async () => {
    const port = new URL(gateway.base_url).port
    const visitor = aVisitor({ url: gateway.base_url })
    const setup = tokenOfLink(gateway.firstRun?.console_link ?? '')
    const owner = { token: setup, name: 'Ana Sousa', email: 'ana@acme.test', password }
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
      return (await response.json()) as { data: Page | null; error?: { code: string; message: string } }
    }
    const readUntil = async (text: string, query: Record<string, string> = {}) => {
      let page: Page = { events: [], pagination: { next_cursor: '' } }
      await waitFor(async () => {
        page = (await read(query)).data ?? page
        return textsOf(page).includes(text)
      }, patienceMs)
      return page
    }

    await write('one')
    await readUntil('one')
    await machine.save()
    await waitFor(async () => (await fetch(`${gateway.base_url}/readyz`)).status === 200, patienceMs)
    const receiver = await startHostileReceiver()
    closers.push(receiver.close)
    const { api_key: POSTERN_API_KEY, api_secret: POSTERN_API_SECRET } = credentials
    const listener = startPostern(['listen', '--forward-to', receiver.url, '--events', 'message.received', '--json'], {
      env: { POSTERN_BASE_URL: gateway.base_url, POSTERN_API_KEY, POSTERN_API_SECRET },
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
    expect(gateway.firstRun).toBeNull()
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
  })

  test('has media of every kind, sent and received', async () => {
    const again = await contentsOf(gateway, await tokenOf(gateway.base_url, credentials), media.ids)
    expect(again).toEqual(media.contents)
    expect(mediaOfSandbox()).toEqual(media.sandbox)
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
