import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { revokeKey } from '../../server/src/access/keys/console-keys.ts'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { setDefaultNumber } from '../../server/src/channels/save-channel.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { apiMount } from '../../server/src/http/shared/mount.ts'
import { addSendRoutes } from '../../server/src/http/shared/sends.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { startOfDay, startOfHour } from '../../server/src/limits/quota.ts'
import { noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import type { SendReceipt } from '../../server/src/platform/chat-platform.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { readQuota, saveQuota } from '../../server/src/store/accounts/quotas.ts'
import { disconnectNumbers, findRate } from '../../server/src/store/channels/numbers.ts'
import { type Operation, query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { requireRemembered } from '../../server/src/store/messages/admission.ts'
import { insertTemplate, templateColumns } from '../../server/src/store/templates/templates.ts'
import { type CountedDatabase, countRoundTrips, type RoundTrip } from '../support/postgres/count-round-trips.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { saveCloudChannel } from '../support/save-cloud-channel.ts'
import { waitFor } from '../support/wait-for.ts'

let world: TestRuntime
let counted: CountedDatabase
let rt: Runtime
let app: App
let serial = 0
/** The round trips of the send under way until the platform was called, and the numbers that it was called for. */
let before: RoundTrip[] = []
const calledFor: string[] = []
/** What a send must be granted, in the order of the locks it takes. */
const admission = ['require_remembered', 'reserve_number', 'reserve_customer', 'take_quota'].map(
  (name) => `sends.${name}`,
)
/** The next first write of a send is on disk, and nobody is told. */
let answerIsLost = false

beforeAll(async () => {
  world = await aRuntime(
    'postgres',
    { POSTERN_WINDOW_POLICY: 'strict', POSTERN_REQUEST_LOG: 'off' },
    async (database) => {
      if (database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
      counted = await countRoundTrips(database.url)
      return { kind: 'postgres', url: counted.url }
    },
  )
  const send = async (credentials: { phoneNumberId: string }): Promise<SendReceipt> => {
    before.push(...taken())
    calledFor.push(credentials.phoneNumberId)
    return { messageId: `wamid.${++serial}`, waId: null, userId: null, held: false, answer: {} }
  }
  const write: Store['write'] = async (unit) => {
    const result = await world.rt.store.write(unit)
    if (!answerIsLost || unit.calls[0]?.operation.name !== requireRemembered.name) return result
    answerIsLost = false
    throw new StoreUnavailable('unknown', new Error('The connection was lost.'))
  }
  rt = { ...world.rt, platform: { ...world.rt.platform, send }, store: { ...world.rt.store, write } }
  app = await createApp(rt, {
    readiness: { check: async () => [] },
    resources: [addAuthRoutes, (to, tools) => addSendRoutes(to, tools, apiMount)],
  })
})
afterEach(() => {
  before = []
})
afterAll(async () => {
  await app.close()
  await world.dispose()
  await counted.close()
})

/** Signals and counts that may lose a moment travel beside the send; nothing waits for them. */
const beside = /^notify$|clock_timestamp|^api_keys\.note_use(\.many)?$|^(key_calls|quota_usage)\.add(\.many)?$/
const taken = () => counted.take().filter(({ statements }) => !statements.some((statement) => beside.test(statement)))
const names = (trips: readonly RoundTrip[]) =>
  trips.map(({ statements }) => statements.filter((statement) => statement !== 'discard plans'))

const connect = (accountId: string) => saveCloudChannel(rt, accountId, ++serial)

async function write<Row extends object>(operation: unknown, ...rows: Row[]): Promise<void> {
  const unit = new Unit()
  unit.add(operation as Operation, ...(rows as never[]))
  await rt.store.write(unit)
}

/** An account that has sent before: this process remembers its key and its numbers. */
async function aSender() {
  const { account, owner } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
  const accountId = account.id
  const { numberId, channel } = await connect(accountId)
  const key = { accountId, name: 'Shop', scopes, createdBy: owner.id, actor: operator }
  const { row, secret } = await createKey(rt, key)
  const issued = await app.inject({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { api_key: row.public_key, api_secret: secret },
  })
  const headers = { authorization: `Bearer ${issued.json().data.access_token}` }
  const basic = { authorization: `Basic ${Buffer.from(`${row.public_key}:${secret}`).toString('base64')}` }
  const customer = `+1202555${String(++serial).padStart(4, '0')}`
  const wrote = (address: string, agoMs = 0) =>
    noteWritten(rt, {
      ...{ accountId, numberId, unread: 0 },
      identity: { phone: address, userId: null, at: rt.clock.now() - agoMs },
    })
  await wrote(customer)
  const send = (
    payload: object = { to: customer, message: 'Hello' },
    more: Record<string, string> = {},
    way = 'send',
  ) => app.inject({ method: 'POST', url: `/v1/chat/messages/${way}`, payload, headers: { ...headers, ...more } })
  expect((await send()).statusCode).toBe(200)
  const used = async () => (await rt.store.read(readQuota, { account_id: accountId }))[0]?.hour_used
  const stored = async () => (await rt.store.read(countMessages, { account_id: accountId }))[0]?.total
  taken()
  before = []
  return { accountId, numberId, channel, key: row, basic, customer, send, used, stored, wrote }
}

const countMessages = query({
  name: 'test.count_messages',
  params: { account_id: 'text' },
  returns: { total: 'int' },
  sql: 'select count(*) as total from messages where account_id = :account_id',
})

test('a send takes one round trip before the platform is called and one after it', async () => {
  const { send, used } = await aSender()
  const answer = await send()
  const after = taken()
  expect(answer.statusCode).toBe(200)
  expect(names(before)).toEqual([[...admission, 'messages.insert']])
  expect(names(after)).toEqual([
    ['messages.update', 'events.insert', 'deliveries.fan_out', 'analytics_steps.insert', 'conversations.note_reply'],
  ])
  expect(await used()).toBe(2)
  expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '98' })
})

test('a send with key and secret takes as few, and is refused once the secret is wrong or the key revoked', async () => {
  const { send, used, stored, key, basic } = await aSender()
  expect((await send(undefined, basic)).statusCode).toBe(200)
  taken()
  before = []
  const answer = await send(undefined, basic)
  expect(answer.headers['x-ratelimit-remaining']).toBe('97')
  expect(names(before)).toEqual([[...admission, 'messages.insert']])
  before = []
  const wrong = { authorization: `Basic ${Buffer.from(`${key.public_key}:pts_wrong`).toString('base64')}` }
  expect((await send(undefined, wrong)).json().error.code).toBe('invalid_credentials')
  await revokeKey(rt, key, operator)
  expect((await send(undefined, basic)).json().error.code).toBe('api_key_inactive')
  expect([await used(), await stored(), before]).toEqual([3, 3, []])
})

test('a template takes one round trip more, for what it says, and a paused one is refused', async () => {
  const { send, accountId, channel, stored } = await aSender()
  const nulls = Object.entries(templateColumns).flatMap(([name, type]) => (type.endsWith('?') ? [[name, null]] : []))
  const template = {
    ...Object.fromEntries(nulls),
    ...{ account_id: accountId, channel_id: channel.id, channel_kind: 'cloud', language: 'en', category: 'utility' },
    ...{
      parameter_format: 'positional',
      components: JSON.stringify([{ type: 'body', text: 'Hello' }]),
      variables: '[]',
    },
    ...{
      search_text: 'hello',
      source: 'platform',
      version: 1,
      change_count: 0,
      created_at: 1,
      updated_at: 1,
      revision: 1,
    },
  }
  const named = (name: string, status: string) => ({ ...template, id: `tpl_${name}`, name, status })
  await write(insertTemplate, named('hello', 'approved'), named('paused', 'paused'))
  taken()
  const answer = await send({ to: '+12025557777', template: 'hello', language: 'en' }, {}, 'template')
  const after = taken()
  expect(answer.json()).toMatchObject({ success: true, data: { template: 'hello' } })
  // Nobody has written to them before.
  const newcomer = ['customer_addresses.ensure', 'customers.ensure']
  expect(names(before)).toEqual([['templates.by_name'], [...admission, ...newcomer, 'messages.insert']])
  expect(after).toHaveLength(1)
  const refused = await send({ to: '+12025557777', template: 'paused', language: 'en' }, {}, 'template')
  expect(refused.json().error.code).toBe('template_paused')
  expect(await stored()).toBe(2)
})

test('sends of the same moment share their round trips, and each is counted', async () => {
  const { send, used, stored } = await aSender()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  expect([...before, ...taken()].length).toBeLessThan(20)
  expect(await used()).toBe(21)
  expect(await stored()).toBe(21)
  const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, index) => 98 - index))
})

test.each([
  { sends: 1, batches: 1 },
  { sends: 12, batches: 2 },
])('$sends sends in $batches batches lock the rate limits before the quota', async ({ sends, batches }) => {
  const { send, accountId } = await aSender()
  const holder = new pg.Client(counted.url)
  const onlooker = new pg.Client(counted.url)
  await Promise.all([holder.connect(), onlooker.connect()])
  try {
    await holder.query('begin; select 1 from pacing for update')
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
    const untilWaiting = (count: number) =>
      waitFor(async () => ((await onlooker.query(waiting)).rowCount ?? 0) >= count)
    const first = send()
    await untilWaiting(1)
    const sending = Promise.all([first, ...Array.from({ length: sends - 1 }, () => send())])
    await untilWaiting(batches)
    const quota = 'select 1 from quotas where account_id = $1 for update nowait'
    expect((await onlooker.query(quota, [accountId])).rowCount).toBe(1)
    await holder.query('rollback')
    expect((await sending).map(({ statusCode }) => statusCode)).toEqual(Array(sends).fill(200))
  } finally {
    await Promise.all([holder.end(), onlooker.end()])
  }
})

test('a send with an Idempotency-Key takes no more: its first write takes the key', async () => {
  const { send, used } = await aSender()
  expect((await send(undefined, { 'idempotency-key': 'one' })).statusCode).toBe(200)
  const after = taken()
  expect(names(before)).toEqual([[...admission, 'idempotency.claim', 'messages.insert']])
  expect(after).toHaveLength(1)
  expect(await used()).toBe(2)
})

test.each([
  { what: 'as it was', again: {}, status: 200 },
  // A field that is null is one that was left out, also to those who would not know it.
  { what: 'that would not be valid now', again: { surprise: null }, status: 200 },
  { what: 'with another message', again: { message: 'Good-bye' }, status: 400 },
  { what: 'with something that is refused by itself', again: { surprise: true }, status: 400 },
])('a repeat $what is known as one before anything else is said of it', async ({ again, status }) => {
  const { send, used, stored, customer } = await aSender()
  const hello = { to: customer, message: 'Hello' }
  const first = await send(hello, { 'idempotency-key': 'one' })
  const repeat = await send({ ...hello, ...again }, { 'idempotency-key': 'one' })
  expect(repeat.statusCode).toBe(status)
  if (status === 200) expect(repeat.json()).toEqual(first.json())
  else expect(repeat.json().error.code).toBe('idempotency_key_reused')
  expect([await used(), await stored()]).toEqual([3, 2])
})

test('a repeat is answered although the same would be refused by now', async () => {
  const { send, used, stored, channel } = await aSender()
  const first = await send(undefined, { 'idempotency-key': 'one' })
  await write(disconnectNumbers, { channel_id: channel.id, now: rt.clock.now() })
  const repeat = await send(undefined, { 'idempotency-key': 'one' })
  expect(repeat.json()).toEqual(first.json())
  expect(repeat.headers['idempotent-replayed']).toBe('true')
  expect((await send()).json().error.code).toBe('channel_not_connected')
  expect([await used(), await stored()]).toEqual([4, 2])
})

test('repeats undo a batch once a second, not each time', async () => {
  const { send } = await aSender()
  const one = { 'idempotency-key': 'one' }
  await send(undefined, one)
  const writes = async () => {
    taken()
    expect((await send(undefined, one)).headers['idempotent-replayed']).toBe('true')
    return taken().filter(({ statements }) => statements.includes('idempotency.claim')).length
  }
  expect([await writes(), await writes(), await writes()]).toEqual([1, 0, 0])
  world.clock.advance(1_000)
  expect([await writes(), await writes()]).toEqual([1, 0])
})

test('a repeat of a request gets the answer of the first, and counts as a request', async () => {
  const { send, used, stored } = await aSender()
  const first = await send(undefined, { 'idempotency-key': 'one' })
  const again = await send(undefined, { 'idempotency-key': 'one' })
  expect(again.json()).toEqual(first.json())
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect([await used(), await stored()]).toEqual([3, 2])
})

test('a key that was revoked elsewhere sends nothing more, and is told so before anything else', async () => {
  const { send, used, stored, key } = await aSender()
  await revokeKey(rt, key, operator)
  expect((await send()).json().error.code).toBe('token_revoked')
  expect((await send({ to: 'nobody', surprise: true })).json().error.code).toBe('token_revoked')
  expect([await used(), await stored(), before]).toEqual([1, 1, []])
})

test('a refusal counts as a request, and is decided on what the database says', async () => {
  const { send, used, stored, wrote } = await aSender()
  const stranger = '+12025559999'
  const closed = await send({ to: stranger, message: 'Hello' })
  expect(closed.json().error.code).toBe('customer_window_closed')
  expect(closed.headers['x-ratelimit-remaining']).toBe('98')
  expect((await send({ to: stranger })).json().error.code).toBe('validation_failed')
  expect([await used(), await stored(), before]).toEqual([3, 1, []])
  await wrote(stranger)
  expect((await send({ to: stranger, message: 'Hello' })).statusCode).toBe(200)
})

test('sends that keep failing undo a batch once a second, not each time', async () => {
  const { send } = await aSender()
  const failing = { to: '+12025559998', message: 'Hello' }
  const admissions = async () => {
    taken()
    expect((await send(failing)).statusCode).toBe(400)
    return taken().filter(({ statements }) => statements.includes(requireRemembered.name)).length
  }
  expect([await admissions(), await admissions(), await admissions()]).toEqual([1, 0, 0])
  world.clock.advance(1_000)
  expect((await send()).statusCode).toBe(200)
  expect([await admissions(), await admissions()]).toEqual([1, 0])
})

test('a window that has ended since the last send is closed', async () => {
  const { send, wrote } = await aSender()
  const hello = { to: '+12025558888', message: 'Hello' }
  await wrote(hello.to, dayMs - 1_000)
  world.clock.advance(999)
  expect((await send(hello)).statusCode).toBe(200)
  world.clock.advance(1)
  expect((await send(hello)).json().error.code).toBe('customer_window_closed')
})

test('a number that was disconnected elsewhere sends nothing more, and another default is used at once', async () => {
  const { send, stored, accountId, numberId, channel } = await aSender()
  const other = await connect(accountId)
  await setDefaultNumber(rt, { accountId, numberId: other.numberId, actor: operator })
  expect((await send()).json().error.code).toBe('customer_window_closed')
  world.clock.advance(1)
  await setDefaultNumber(rt, { accountId, numberId, actor: operator })
  expect((await send()).statusCode).toBe(200)
  await write(
    disconnectNumbers,
    ...[channel.id, other.channel.id].map((channel_id) => ({ channel_id, now: rt.clock.now() })),
  )
  expect((await send()).json().error.code).toBe('channel_not_connected')
  expect(await stored()).toBe(2)
})

test('of sends that the plan has no room for, none is stored or counted beyond it', async () => {
  const { send, used, stored, accountId } = await aSender()
  const now = rt.clock.now()
  const windows = { account_id: accountId, hour_start: startOfHour(now), day_start: startOfDay(now) }
  await write(saveQuota, { ...windows, hour_used: 97, day_used: 97 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => send()))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.sort()).toEqual([...Array(3).fill(200), ...Array(5).fill(429)])
  expect([await used(), await stored()]).toEqual([100, 4])
  expect((await send()).json().error.code).toBe('rate_limit_exceeded')
})

test('46 sends at once to one customer: 45 go, the next is refused and reserves nothing', async () => {
  const { send, stored, numberId, customer } = await aSender()
  world.clock.advance(6_000)
  const answers = await Promise.all(Array.from({ length: 46 }, () => send()))
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused.map((answer) => answer.json().error.code)).toEqual(['channel_rate_limited'])
  expect(await stored()).toBe(46)
  const [rate] = await rt.store.read(findRate, { slot_key: `${numberId} ${customer}` })
  expect(rate?.empty_at).toBe(rt.clock.now() + 45 * 6_000)
})

test('sends one after the other are held to the same limits as those of one moment', async () => {
  const { send, used, stored, accountId, numberId, customer } = await aSender()
  world.clock.advance(6_000)
  const codes: number[] = []
  for (let nth = 0; nth < 46; nth++) codes.push((await send()).statusCode)
  expect(codes).toEqual([...Array(45).fill(200), 429])
  const [slot] = await rt.store.read(findRate, { slot_key: `${numberId} ${customer}` })
  expect(slot?.empty_at).toBe(rt.clock.now() + 45 * 6_000)
  expect([await used(), await stored()]).toEqual([47, 46])
  world.clock.advance(60 * 60_000)
  const now = rt.clock.now()
  const windows = { account_id: accountId, hour_start: startOfHour(now), day_start: startOfDay(now) }
  await write(saveQuota, { ...windows, hour_used: 98, day_used: 98 })
  const last = [(await send()).statusCode, (await send()).statusCode, (await send()).statusCode]
  expect(last).toEqual([200, 200, 429])
  expect([await used(), await stored()]).toEqual([100, 48])
})

test('a send whose first commit was lost leaves no message, and costs no request of the plan', async () => {
  const { send, used, stored } = await aSender()
  answerIsLost = true
  expect((await send()).statusCode).toBe(500)
  expect(before).toEqual([])
  await waitFor(async () => (await used()) === 1)
  expect(await stored()).toBe(1)
})
