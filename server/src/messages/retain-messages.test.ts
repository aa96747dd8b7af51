import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { dayMs } from '../lib/durations.ts'
import { operation, query } from '../store/engine/operation.ts'
import { Unit } from '../store/engine/unit.ts'
import { findPreferences } from '../store/messages/contacts.ts'
import { insertMessage, newMessage } from '../store/messages/messages.ts'
import { retainMessages } from './retain-messages.ts'

const insertContact = operation({
  name: 'test.insert_contact',
  input: { address: 'text', last_inbound_at: 'int', opted_out_at: 'int?' },
  sql: `insert into contacts (number_id, address, account_id, phone, last_inbound_at, opted_out_at, preference_at)
        select 'num_1', address, 'acc_1', address, last_inbound_at, opted_out_at, last_inbound_at from rows`,
})

const countContents = query({
  name: 'test.count_contents',
  params: {},
  returns: { kept: 'int' },
  sql: 'select count(content) as kept from messages',
})

describe.each(engines)('what is kept of messages, on %s', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  test('a customer who wrote and opted out is still opted out after 400 days', async () => {
    const at = world.clock.now()
    const [no, silent] = ['+12025550175', '+12025550176']
    const unit = new Unit()
    unit.add(insertContact, { address: no, last_inbound_at: at, opted_out_at: at })
    unit.add(insertContact, { address: silent, last_inbound_at: at, opted_out_at: null })
    await world.rt.store.write(unit)
    world.clock.advance(500 * dayMs)
    await retainMessages(world.rt)
    const found = await world.rt.store.read(findPreferences, { number_id: 'num_1', addresses: [no, silent] })
    expect(found.map(({ opted_out_at }) => opted_out_at)).toEqual([at])
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

  test.each([
    ['pacing', `(slot_key, empty_at) select key, 0`],
    ['contact_aliases', `(account_id, number_id, address, alias, noted_at) select 'acc_1', 'num_1', key, key, 0`],
  ])(
    'a run that finds a whole batch of %s comes again at once, and one that does not is done',
    async (table, values) => {
      const insert = operation({
        name: `test.fill_${table}`,
        input: { key: 'text' },
        sql: `insert into ${table} ${values} from rows`,
      })
      const unit = new Unit()
      unit.add(insert, ...Array.from({ length: 1_001 }, (_, index) => ({ key: `old-${index}` })))
      await world.rt.store.write(unit)
      expect(await retainMessages(world.rt)).toEqual({ againAt: world.clock.now() })
      expect(await retainMessages(world.rt)).toBe('done')
    },
  )
})
