import { DatabaseSync } from 'node:sqlite'
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
import { noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import type { SendReceipt } from '../../server/src/platform/chat-platform.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { disconnectNumbers } from '../../server/src/store/channels/numbers.ts'
import { type Operation, query } from '../../server/src/store/engine/operation.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { StoreUnavailable } from '../../server/src/store/engine/store-error.ts'
import { Unit, unitOf } from '../../server/src/store/engine/unit.ts'
import { requireRemembered } from '../../server/src/store/messages/admission.ts'
import { insertTemplate, templateColumns } from '../../server/src/store/templates/templates.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'
import { saveCloudChannel } from '../support/save-cloud-channel.ts'

let world: TestRuntime
let rt: Runtime
let app: App
let file = ''
let serial = 0
/** What was asked of the store until the platform was called, and how often it was called. */
let asked: string[] = []
let askedBefore: string[] = []
let calls = 0
/** The next first write of a send fails. */
let diskFails = false
/** Links that were fetched. */
const fetched: string[] = []

beforeAll(async () => {
  const settings = { POSTERN_WINDOW_POLICY: 'strict', POSTERN_REQUEST_LOG: 'off' }
  world = await aRuntime('sqlite', settings, async (database) => {
    if (database.kind !== 'sqlite') throw new Error('This is about SQLite.')
    file = database.path
    return database
  })
  const send = async (): Promise<SendReceipt> => {
    askedBefore = [...asked]
    calls++
    return { messageId: `wamid.${++serial}`, waId: null, userId: null, held: false, answer: {} }
  }
  const { store } = world.rt
  const read: Store['read'] = (wanted, params) => {
    asked.push(wanted.name)
    return store.read(wanted, params)
  }
  const write: Store['write'] = async (unit) => {
    const [first] = unit.calls
    asked.push(...unit.calls.map(({ operation }) => operation.name).filter((name) => !beside.test(name)))
    if (!diskFails || first?.operation.name !== requireRemembered.name) return store.write(unit)
    diskFails = false
    throw new StoreUnavailable('not_stored', new Error('The disk is full.'))
  }
  const fetchStream: Runtime['deliver']['fetchStream'] = async ({ url }) => {
    fetched.push(url)
    throw new Error('Nothing is fetched here.')
  }
  const deliver = { ...world.rt.deliver, fetchStream }
  rt = { ...world.rt, deliver, platform: { ...world.rt.platform, send }, store: { ...store, read, write } }
  app = await createApp(rt, {
    readiness: { check: async () => [] },
    resources: [addAuthRoutes, (to, tools) => addSendRoutes(to, tools, apiMount)],
  })
})
afterEach(() => {
  calls = 0
})
afterAll(async () => {
  await app.close()
  await world.dispose()
})

/** Counts that are put down from time to time; no send waits for them. */
const beside = /^quotas\.save$|^quota_usage\.add$|^api_keys\.note_use$|^key_calls\.add$/

/** An account that has sent before: the process remembers its key, its numbers and what its plan has left. */
async function aSender() {
  const { account, owner } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
  const accountId = account.id
  const { numberId, channel } = await saveCloudChannel(rt, accountId, ++serial)
  const created = await createKey(rt, { accountId, name: 'Shop', scopes, createdBy: owner.id, actor: operator })
  const payload = { api_key: created.row.public_key, api_secret: created.secret }
  const issued = await app.inject({ method: 'POST', url: '/v1/auth/token', payload })
  const headers = { authorization: `Bearer ${issued.json().data.access_token}` }
  const customer = `+1202555${String(++serial).padStart(4, '0')}`
  const wrote = (address: string, agoMs = 0) => {
    const identity = { phone: address, userId: null, at: rt.clock.now() - agoMs }
    return noteWritten(rt, { accountId, numberId, identity, unread: 0 })
  }
  await wrote(customer)
  const send = async (
    message: object = { to: customer, message: 'Hello' },
    more: Record<string, string> = {},
    way = 'send',
  ) => {
    asked = []
    const url = `/v1/chat/messages/${way}`
    return app.inject({ method: 'POST', url, payload: message, headers: { ...headers, ...more } })
  }
  expect((await send()).statusCode).toBe(200)
  calls = 0
  const stored = async () => (await world.rt.store.read(countMessages, { account_id: accountId }))[0]?.total
  const left = async () => Number((await send({ to: 'nobody' })).headers['x-ratelimit-remaining'])
  return { accountId, numberId, channel, key: created.row, customer, send, stored, left, wrote }
}

const countMessages = query({
  name: 'test.count_messages',
  params: { account_id: 'text' },
  returns: { total: 'int' },
  sql: 'select count(*) as total from messages where account_id = :account_id',
})

/** As a command does that finds no server. */
function fromOutside(sql: string, ...values: string[]): void {
  const outside = new DatabaseSync(file, { timeout: 5_000 })
  outside.prepare(sql).run(...values)
  outside.close()
}

const checks = ['sends.require_remembered', 'sends.require_written']

test('a send reads nothing: its first write checks what it relies on', async () => {
  const { send } = await aSender()
  const answer = await send()
  expect(answer.statusCode).toBe(200)
  expect(askedBefore).toEqual([...checks, 'messages.insert'])
  expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '98' })
})

test('sends of the same moment are each counted once', async () => {
  const { send, stored, left } = await aSender()
  const answers = await Promise.all(Array.from({ length: 20 }, () => send()))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
  const remaining = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 20 }, (_, index) => 98 - index))
  expect([await stored(), await left()]).toEqual([21, 78])
})

test('a key that was revoked sends nothing more, also when another program revoked it', async () => {
  const { send, stored, key } = await aSender()
  await revokeKey(rt, key, operator)
  expect((await send()).json().error.code).toBe('token_revoked')
  expect([await stored(), calls]).toEqual([1, 0])
  const other = await aSender()
  fromOutside(`update api_keys set status = 'revoked', epoch = epoch + 1 where id = ?`, other.key.id)
  const refused = await Promise.all([other.send(), other.send({ to: 'nobody', surprise: true })])
  expect(refused.map((answer) => answer.json().error.code)).toEqual(['token_revoked', 'token_revoked'])
  expect([await other.stored(), calls]).toEqual([1, 0])
})

const link = 'https://files.test/picture.png'
const picture = { type: 'image', link }

test.each([
  ['media', picture],
  ['sticker', { link }],
  ['interactive', { type: 'buttons', body: 'Hello', header: picture, buttons: [{ id: 'yes', title: 'Yes' }] }],
  [
    'template',
    {
      template: 'with_picture',
      language: 'en',
      components: [{ type: 'header', parameters: [{ type: 'image', image: { link } }] }],
    },
  ],
])('no file of a send (%s) is fetched for a key that another program revoked', async (way, message) => {
  const { send, stored, accountId, channel, key, customer } = await aSender()
  await saveTemplate(accountId, channel.id)
  fromOutside(`update api_keys set status = 'revoked', epoch = epoch + 1 where id = ?`, key.id)
  const refused = await send({ to: customer, ...message }, {}, way)
  expect(refused.json().error.code).toBe('token_revoked')
  expect([fetched, await stored(), calls]).toEqual([[], 1, 0])
})

/** Approved, with a picture as its header. */
async function saveTemplate(accountId: string, channelId: string): Promise<void> {
  const nulls = Object.entries(templateColumns).flatMap(([name, type]) => (type.endsWith('?') ? [[name, null]] : []))
  const components = [
    { type: 'header', format: 'image' },
    { type: 'body', text: 'Hello' },
  ]
  const template = {
    ...Object.fromEntries(nulls),
    ...{ id: `tpl_${++serial}`, account_id: accountId, channel_id: channelId, channel_kind: 'cloud' },
    ...{ name: 'with_picture', language: 'en', category: 'utility', status: 'approved', source: 'platform' },
    ...{ parameter_format: 'positional', components: JSON.stringify(components), variables: '[]', search_text: '' },
    ...{ version: 1, change_count: 0, created_at: 1, updated_at: 1, revision: 1 },
  }
  const unit = new Unit()
  unit.add(insertTemplate as unknown as Operation, template as never)
  await rt.store.write(unit)
}

test('texts with a fallback for a closed window keep no other send from being decided by its first write', async () => {
  const { send } = await aSender()
  const fallback = { template: 'nobody_knows', language: 'en' }
  expect((await send({ to: '+12025557771', message: 'Hello', fallback })).json().error.code).toBe('template_not_found')
  expect((await send()).statusCode).toBe(200)
  expect(askedBefore).toEqual([...checks, 'messages.insert'])
})

test('a window that has ended, or that never was, is closed; a refusal counts as one request', async () => {
  const { send, wrote, stored, left } = await aSender()
  const hello = { to: '+12025558888', message: 'Hello' }
  await wrote(hello.to, dayMs - 1_000)
  world.clock.advance(999)
  expect((await send(hello)).statusCode).toBe(200)
  world.clock.advance(1)
  const refused = await send(hello)
  expect(refused.json().error.code).toBe('customer_window_closed')
  expect(refused.headers['x-ratelimit-remaining']).toBe('97')
  expect([await stored(), calls, await left()]).toEqual([2, 1, 96])
})

test('sends that keep failing undo a batch once a second, not each time', async () => {
  const { send } = await aSender()
  const failing = { to: '+12025559998', message: 'Hello' }
  const tries = async () => {
    expect((await send(failing)).statusCode).toBe(400)
    return asked.filter((name) => name === requireRemembered.name).length
  }
  expect([await tries(), await tries(), await tries()]).toEqual([1, 0, 0])
  world.clock.advance(1_000)
  expect((await send()).statusCode).toBe(200)
  expect([await tries(), await tries()]).toEqual([1, 0])
})

test('of sends in one batch with one that is refused, the others go', async () => {
  const { send, stored } = await aSender()
  const answers = await Promise.all([send(), send({ to: '+12025559997', message: 'Hello' }), send()])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400, 200])
  expect(await stored()).toBe(3)
})

test('a number that was disconnected sends nothing more, and another default is used at once', async () => {
  const { send, stored, accountId, numberId, channel } = await aSender()
  const other = await saveCloudChannel(rt, accountId, ++serial)
  await setDefaultNumber(rt, { accountId, numberId: other.numberId, actor: operator })
  expect((await send()).json().error.code).toBe('customer_window_closed')
  world.clock.advance(1)
  await setDefaultNumber(rt, { accountId, numberId, actor: operator })
  expect((await send()).statusCode).toBe(200)
  for (const { id } of [channel, other.channel]) {
    await rt.store.write(unitOf(disconnectNumbers, { channel_id: id, now: rt.clock.now() }))
  }
  expect((await send()).json().error.code).toBe('channel_not_connected')
  expect(await stored()).toBe(2)
})

test('of sends that the plan has no room for, none is stored or counted beyond it', async () => {
  const { send, stored, wrote } = await aSender()
  const customers = Array.from({ length: 12 }, (_, index) => `+1202556${1000 + index}`)
  for (const customer of customers) await wrote(customer)
  const hello = (index: number) => ({ to: customers[index % customers.length], message: 'Hello' })
  for (let nth = 0; nth < 96; nth++) {
    world.clock.advance(1)
    expect((await send(hello(nth))).statusCode).toBe(200)
  }
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => send(hello(index))))
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.sort()).toEqual([...Array(3).fill(200), ...Array(5).fill(429)])
  expect(await stored()).toBe(100)
  expect((await send()).json().error.code).toBe('rate_limit_exceeded')
})

test('46 sends at once to one customer: 45 go, and what was refused reserves nothing', async () => {
  const { send, stored, numberId, customer } = await aSender()
  world.clock.advance(6_000)
  const answers = await Promise.all(Array.from({ length: 46 }, () => send()))
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused.map((answer) => answer.json().error.code)).toEqual(['channel_rate_limited'])
  expect(await stored()).toBe(46)
  const { waitMs } = await rt.sendRate.look({ numberId, sendsPerSecond: 1_000, customer }, 0)
  expect(waitMs).toBe(6_000)
})

test('a send that could not be stored takes nothing from its plan and from its rate limit', async () => {
  const { send, stored, left, numberId, customer } = await aSender()
  world.clock.advance(6_000)
  diskFails = true
  expect((await send()).statusCode).toBe(500)
  expect([await stored(), calls, await left()]).toEqual([1, 0, 98])
  for (let nth = 0; nth < 44; nth++) expect((await send()).statusCode).toBe(200)
  expect((await rt.sendRate.look({ numberId, sendsPerSecond: 1_000, customer }, 0)).waitMs).toBe(0)
})

test('a repeat of a request gets the answer of the first, and counts as a request', async () => {
  const { send, stored, left } = await aSender()
  const [first, again] = await Promise.all([
    send(undefined, { 'idempotency-key': 'one' }),
    send(undefined, { 'idempotency-key': 'one' }),
  ])
  expect(again?.json()).toEqual(first?.json())
  const later = await send(undefined, { 'idempotency-key': 'one' })
  expect(later.headers['idempotent-replayed']).toBe('true')
  expect([await stored(), await left()]).toEqual([2, 95])
})
