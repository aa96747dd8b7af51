import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noteWord } from '../../../test/support/note-word.ts'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { addClaim, addOutcome, addShortened, type IdempotencyKey, leaseMs } from '../access/idempotency.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { operation, query } from '../store/engine/operation.ts'
import { Unit } from '../store/engine/unit.ts'
import { insertMessage, newMessage } from '../store/messages/messages.ts'
import { noteWritten } from './customers/as-customer.ts'
import { customerBy } from './customers/find-customer.ts'
import { marketingPreference } from './receive-preferences.ts'
import { retainMessages } from './retain-messages.ts'

const countContents = query({
  name: 'test.count_contents',
  params: {},
  returns: { kept: 'int' },
  sql: 'select count(content) as kept from messages',
})

const listKeys = query({
  name: 'test.list_keys',
  params: {},
  returns: { idempotency_key: 'text' },
  sql: 'select idempotency_key from idempotency_keys order by idempotency_key',
})

const countRates = query({
  name: 'test.count_rates',
  params: {},
  returns: { kept: 'int' },
  sql: 'select count(*) as kept from pacing',
})

describe.each(engines)('what is kept of messages, on %s', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  test('a customer who wrote and opted out is still opted out after 400 days', async () => {
    const place = { accountId: 'acc_1', id: 'num_1' }
    const at = world.clock.now()
    const [no, silent] = ['+12025550175', '+12025550176']
    for (const phone of [no, silent]) {
      const identity = { phone, userId: null, at }
      await noteWritten(world.rt, { accountId: 'acc_1', numberId: 'num_1', identity, unread: 0 })
    }
    await noteWord(world.rt, { accountId: 'acc_1', numberId: 'num_1', phone: no, state: 'opted_out', at })
    world.clock.advance(500 * dayMs)
    await retainMessages(world.rt)
    const stateOf = async (address: string) => (await marketingPreference(world.rt, place, address)).state
    expect([await stateOf(no), await stateOf(silent)]).toEqual(['opted_out', 'unknown'])
    expect(await customerBy(world.rt, 'acc_1', silent)).toBeNull()
  })

  test('content goes once its time is over, batch by batch, and no message is looked at twice', async () => {
    const { rt, clock } = world
    const start = clock.now()
    const content = JSON.stringify({ text: 'private' })
    const given = { account_id: 'acc_1', number_id: 'num_1', type: 'text', status: 'read', history: '[]', content }
    const messageAt = (prefix: 'in' | 'out', at: number) =>
      newMessage({
        ...given,
        id: rt.newId(prefix, at),
        direction: prefix === 'in' ? 'inbound' : 'outbound',
        created_at: at,
      })
    const unit = new Unit()
    const times = Array.from({ length: 1_500 }, (_, index) => start + index)
    unit.add(
      insertMessage,
      ...times.map((at) => messageAt('out', at)),
      messageAt('in', start),
      messageAt('in', start + dayMs),
    )
    await rt.store.write(unit)
    const kept = async () => (await rt.store.read(countContents, {}))[0]?.kept
    clock.advance(30 * dayMs + 10_000)
    expect(await retainMessages(rt)).toEqual({ againAt: clock.now() })
    expect(await kept()).toBe(501)
    expect(await retainMessages(rt)).toBe('done')
    expect(await kept()).toBe(1)
    // One of the past that came late is still young enough to be kept, and goes when its time is over.
    const past = new Unit()
    past.add(insertMessage, messageAt('in', clock.now() - 29 * dayMs))
    await rt.store.write(past)
    expect(await retainMessages(rt)).toBe('done')
    expect(await kept()).toBe(2)
    clock.advance(dayMs + 1)
    await retainMessages(rt)
    expect(await kept()).toBe(0)
  })

  test('rates that nobody uses any more go, and those in use stay', async () => {
    const { rt, clock } = world
    const insert = operation({
      name: 'test.fill_rates',
      input: { key: 'text', at: 'int' },
      sql: 'insert into pacing (slot_key, empty_at) select key, at from rows',
    })
    const unit = new Unit()
    const ages = Array.from({ length: 2_500 }, (_, index) => (index % 5 === 0 ? 0 : hourMs + 1))
    unit.add(insert, ...ages.map((age, index) => ({ key: `rate-${index}`, at: clock.now() - age })))
    await rt.store.write(unit)
    expect(await retainMessages(rt)).toBe('done')
    expect(await rt.store.read(countRates, {})).toEqual([{ kept: 500 }])
  })

  test('idempotency keys go when they have expired, however long they were to be kept', async () => {
    const { rt, clock } = world
    const claimed = async (
      key: string,
      keptMs: number,
      more: (unit: Unit, request: IdempotencyKey) => void = () => {},
    ) => {
      const request = { accountId: 'acc_1', endpoint: 'POST /x', key, fingerprint: 'f', keptMs }
      const unit = new Unit()
      addClaim(rt, unit, request, key)
      await rt.store.write(unit)
      const next = new Unit()
      more(next, request)
      await rt.store.write(next)
    }
    const left = async () => (await rt.store.read(listKeys, {})).map(({ idempotency_key }) => idempotency_key)
    await claimed('a day', dayMs)
    await claimed('a week', 7 * dayMs)
    await claimed('a minute', dayMs, (unit, request) => {
      addOutcome(unit, request, request.key, { kind: 'answer', status: 200, data: {} })
      addShortened(rt, unit, request, request.key, 60_000)
    })
    clock.advance(dayMs - 1)
    await retainMessages(rt)
    expect(await left()).toEqual(['a day', 'a week'])
    clock.advance(leaseMs(rt) + 2)
    await retainMessages(rt)
    expect(await left()).toEqual(['a week'])
  })

  test('a run that finds a whole batch of customers comes again at once, and one that does not is done', async () => {
    const insert = operation({
      name: 'test.fill_customers',
      input: { key: 'text' },
      sql: `insert into customers (id, account_id, active_at, created_at, revision) select key, 'acc_1', 0, 0, 1 from rows`,
    })
    const unit = new Unit()
    unit.add(insert, ...Array.from({ length: 1_001 }, (_, index) => ({ key: `old-${index}` })))
    await world.rt.store.write(unit)
    expect(await retainMessages(world.rt)).toEqual({ againAt: world.clock.now() })
    expect(await retainMessages(world.rt)).toBe('done')
  })
})
