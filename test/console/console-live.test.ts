import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { addSetupLink } from '../../server/src/people/setup-link.ts'
import { insertFact } from '../../server/src/store/accounts/installation.ts'
import { operation, type Topic } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import type { Touched } from '../../server/src/store/engine/topics.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { aConsoleService } from '../support/console/console-service.ts'
import {
  anOwner,
  aVisitor,
  type ConsoleWorld,
  sharedConsole,
  startConsole,
  type Visitor,
} from '../support/console/console-world.ts'
import { type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import { startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { waitFor } from '../support/wait-for.ts'

/** Anything that wakes a topic will do; this is the smallest. */
const touchMessages = operation({ ...insertFact, name: 'test.touch_messages', key: ['name'], wakes: 'messages' })
/** The same, on behalf of an account. */
const touchFor = (topic: Topic) =>
  operation({
    ...insertFact,
    name: `test.touch_${topic}_of_account`,
    input: { ...insertFact.input, account_id: 'text' },
    key: ['name'],
    together: undefined,
    wakes: topic,
  })

let world: ConsoleWorld
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const newConsole = sharedConsole()
async function aConsole(engine?: EngineName): Promise<void> {
  world = await newConsole(engine)
}

async function listen(cookie: string, headers: Record<string, string> = {}, { url } = world as { url: string }) {
  const abort = new AbortController()
  const response = await fetch(`${url}/console/api/live`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
    signal: abort.signal,
  })
  const heard = { text: '', ended: false }
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  void (async () => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      heard.text += value
    }
    heard.ended = true
  })().catch(() => {})
  return { response, heard, stop: () => abort.abort() }
}

async function touch(times: number): Promise<void> {
  for (let index = 0; index < times; index++) {
    const unit = new Unit()
    unit.add(touchMessages, { name: `touch-${index}`, value: '1' })
    await world.rt.store.write(unit)
  }
}

async function touchOf(store: Store, topic: Topic, account_id: string, times: number): Promise<void> {
  const touchTopic = touchFor(topic)
  for (let index = 0; index < times; index++) {
    const unit = new Unit()
    unit.add(touchTopic, { name: `${topic}-${account_id}-${index}`, value: '1', account_id })
    await store.write(unit)
  }
}

async function anotherOwner(): Promise<{ accountId: string; visitor: Visitor }> {
  const { account, owner } = await createAccount(world.rt, { name: 'Other', plan: 'free', actor: operator })
  const ownerLink = async () => {
    const unit = new Unit()
    const { link } = addSetupLink(world.rt, unit, owner.id, 'owner')
    await world.rt.store.write(unit)
    return link
  }
  return { accountId: account.id, visitor: await anOwner({ ...world, ownerLink }, 'bo@other.test') }
}

/** `listeners` gives the backends of their listening connections, first that of `here`; `cut` ends one. */
async function twoNodes() {
  const { database, remove } = await freshDatabase('postgres')
  closers.push(remove)
  if (database.kind !== 'postgres') throw new Error('Not the database that was asked for.')
  const admin = new pg.Client(database.url)
  await admin.connect()
  closers.push(() => admin.end())
  const open = async () => {
    const store = await openStore({ database, now: 0, migrateFirst: false })
    closers.push(store.close)
    return store
  }
  const [here, there] = [await open(), await open()]
  const found = `select pid from pg_stat_activity where datname = current_database()
    and query in ('listen postern', 'select pg_notify($1, $2)') order by backend_start`
  return {
    here,
    there,
    async listeners() {
      const { rows } = await admin.query<{ pid: number }>(found)
      expect(rows).toHaveLength(2)
      return rows.map(({ pid }) => pid)
    },
    async cut(pid: number) {
      await admin.query('select pg_terminate_backend($1)', [pid])
      const gone = async () =>
        (await admin.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount === 0
      await waitFor(gone)
    },
  }
}

describe.each(engines)('live updates on %s', (engine) => {
  test('name what changed once for many commits, and only to those who are signed in', async () => {
    await aConsole(engine)
    const owner = await anOwner(world)
    const { response, heard, stop } = await listen(owner.cookie)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('connection')).toBe('close')
    await waitFor(() => heard.text.includes('id: 0'))
    await touch(20)
    await waitFor(() => heard.text.includes('event: changed'))
    expect(heard.text).toContain('id: 1\nevent: changed\ndata: {"topics":["messages"]}\n\n')
    expect(heard.text.match(/event: changed/g)?.length).toBeLessThan(20)
    stop()
    expect((await aVisitor(world).call('GET', '/live')).status).toBe(401)
  })

  test('are silent for one account while another is busy', async () => {
    await aConsole(engine)
    const [owner, other] = [await anOwner(world), await anotherOwner()]
    const [busy, quiet] = [await listen(owner.cookie), await listen(other.visitor.cookie)]
    await waitFor(() => [busy, quiet].every(({ heard }) => heard.text.includes('id: 0')))
    await touchOf(world.rt.store, 'messages', world.accountId, 20)
    await waitFor(() => busy.heard.text.includes('{"topics":["messages"]}'))
    await touchOf(world.rt.store, 'events', other.accountId, 1)
    await waitFor(() => quiet.heard.text.includes('event: changed'))
    expect(quiet.heard.text.match(/data: .*/g)).toEqual(['data: {"topics":["events"]}'])
    expect(busy.heard.text).not.toContain('events')
    busy.stop()
    quiet.stop()
  })

  test('tell of a finished delivery and of a new line in the audit log', async () => {
    const service = await aConsoleService(engine)
    closers.push(service.stop)
    const receiver = await startHostileReceiver()
    closers.push(receiver.close)
    const { call } = service.owner
    const { id } = (await call('POST', '/webhooks', { url: `${receiver.url}/ok`, events: ['message.sent'] })).json.data
    const webhook = async () => (await call('GET', `/webhooks/${id}`)).json.data.webhook
    await waitFor(async () => (await webhook()).verification.status === 'verified', 10_000)
    const { heard, stop } = await listen(service.owner.cookie, {}, service)
    await waitFor(() => heard.text.includes('id: 0'))
    expect((await call('POST', '/messages/send', { to: service.customer, message: 'Hello' })).status).toBe(200)
    await waitFor(() => heard.text.includes('"attempts"') && heard.text.includes('"audit"'), 10_000)
    await waitFor(async () => (await webhook()).stats.total_sent === 1)
    expect((await webhook()).stats.total_sent).toBe(1)
    stop()
  }, 60_000)
})

describe('two nodes on one database', () => {
  test('wake each other, and say for whom', async () => {
    const { here, there } = await twoNodes()
    const heard: Touched[] = []
    there.onCommit('messages', (touched) => heard.push(touched))
    await touchOf(here, 'messages', 'acc_1', 1)
    await waitFor(() => heard.length > 0)
    expect(heard).toEqual([new Set(['acc_1'])])
  })

  test('wake everybody rather than send a list of names that PostgreSQL would refuse', async () => {
    const { here, there } = await twoNodes()
    const heard: Touched[] = []
    there.onCommit('messages', (touched) => heard.push(touched))
    const unit = new Unit()
    const row = (index: number) => ({ name: `many-${index}`, value: '1', account_id: `acc_${'x'.repeat(26)}${index}` })
    unit.add(touchFor('messages'), ...Array.from({ length: 1_000 }, (_, index) => row(index)))
    await here.write(unit)
    await waitFor(() => heard.length > 0)
    expect(heard).toEqual(['anybody'])
  })

  test('look anew after the listening connection broke: what was said meanwhile is not lost', async () => {
    const { here, there, listeners, cut } = await twoNodes()
    const [, ofThere = 0] = await listeners()
    const heard: Touched[] = []
    there.onCommit('messages', (touched) => heard.push(touched))
    await cut(ofThere)
    await touchOf(here, 'messages', 'acc_1', 1)
    await waitFor(() => heard.length > 0)
    expect(heard[0]).toBe('anybody')
    const told = heard.length
    await touchOf(here, 'messages', 'acc_2', 1)
    await waitFor(() => heard.length > told)
    expect(heard.at(-1)).toEqual(new Set(['acc_2']))
  })

  test('keep what they have to say until they can say it', async () => {
    const { here, there, listeners, cut } = await twoNodes()
    const [ofHere = 0] = await listeners()
    const heard: Touched[] = []
    there.onCommit('events', (touched) => heard.push(touched))
    await cut(ofHere)
    await touchOf(here, 'events', 'acc_1', 1)
    await waitFor(() => heard.length > 0)
    expect(heard).toEqual([new Set(['acc_1'])])
  })
})

describe('live updates', () => {
  test('after an interruption begin with every topic, because anything may have been missed', async () => {
    await aConsole()
    const owner = await anOwner(world)
    const { heard, stop } = await listen(owner.cookie, { 'last-event-id': '7' })
    await waitFor(() => heard.text.includes('event: changed'))
    expect(heard.text).toContain('{"topics":["attempts","audit","channels","deliveries","events","messages"]}')
    stop()
  })

  test('end when the gateway stops, so that it can', async () => {
    world = await startConsole()
    closers.push(world.dispose)
    const owner = await anOwner(world)
    const { heard } = await listen(owner.cookie)
    await waitFor(() => heard.text.includes('id: 0'))
    await world.app.close()
    await waitFor(() => heard.ended)
    expect(heard.ended).toBe(true)
  })

  test('go to twenty pages of a session, and the next is told to wait', async () => {
    await aConsole()
    const { cookie } = await anOwner(world)
    const pages = await Promise.all(Array.from({ length: 20 }, () => listen(cookie)))
    closers.push(async () => pages.forEach(({ stop }) => void stop()))
    expect(pages.map(({ response }) => response.status)).toEqual(Array(20).fill(200))
    const next = await fetch(`${world.url}/console/api/live`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    expect([next.status, next.headers.get('retry-after'), await next.json()]).toMatchObject([
      429,
      '60',
      { error: { code: 'too_many_streams' } },
    ])
  })

  test('are not for other sites', async () => {
    await aConsole()
    const owner = await anOwner(world)
    const { response } = await listen(owner.cookie, { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
  })
})
