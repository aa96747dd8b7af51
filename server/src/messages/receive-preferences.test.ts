import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import type { ItemInContext } from '../channels/callbacks/callback-items.ts'
import type { UserPreferenceItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { query } from '../store/engine/operation.ts'
import { findIdentities } from '../store/messages/customers.ts'
import { marketingPreference, receivePreferences } from './receive-preferences.ts'

type Entry = ItemInContext<UserPreferenceItem>

const ana = { phone: '+351911111111', userId: 'PT.1001' }
const bruno = { phone: '+351922222222', userId: null }
const carla = { phone: null, userId: 'PT.3003' }

const toldChanges = query({
  name: 'test.told_changes',
  params: { account_id: 'text' },
  returns: { body: 'text' },
  sql: `select body from events where account_id = :account_id and type = 'customer.preference_changed' order by seq`,
})

describe.each(engines)('a word of a customer about marketing messages, on %s,', (engine) => {
  let world: TestRuntime
  let accountId = ''
  let now = 0

  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  beforeEach(() => {
    accountId = world.rt.newId('acc')
    now = world.clock.now()
  })
  afterAll(() => world.dispose())

  const numberId = () => `pn_of_${accountId}`
  const word = (customer: Entry['item']['customer'], value: 'stop' | 'resume', at = now): Entry => ({
    item: {
      kind: 'user_preference',
      dedupeKey: `${customer.userId} ${customer.phone} ${value} ${at}`,
      wabaId: 'waba',
      phoneNumberId: 'number',
      customer,
      category: 'marketing_messages',
      value,
      at,
    },
    context: {
      accountId,
      channel: { id: 'chn_1', kind: 'cloud', wabaId: 'waba' },
      number: { id: numberId(), phoneNumber: '+351210000000', displayName: null },
      receivedAt: now,
    },
  })
  const told = async (): Promise<string[]> => {
    const rows = await world.rt.store.read(toldChanges, { account_id: accountId })
    return rows.map(({ body }) => JSON.parse(body).data.preference)
  }
  const stateOf = async (address: string) =>
    (await marketingPreference(world.rt, { id: numberId(), accountId }, address)).state

  /** Another node is quicker: between the first look at what is known and the write. */
  function interruptedBy(other: (rt: Runtime) => Promise<unknown>): Runtime {
    const { rt } = world
    let isDone = false
    const read: typeof rt.store.read = async (asked, params) => {
      const rows = await rt.store.read(asked, params)
      if (!isDone && asked.name === findIdentities.name) {
        isDone = true
        await other(rt)
      }
      return rows
    }
    return { ...rt, store: { ...rt.store, read } }
  }

  test.each([
    ['number and user id', ana],
    ['number', bruno],
    ['user id', carla],
  ])('known by %s, is told once by two nodes that apply it at once', async (_, customer) => {
    const batch = [word(customer, 'stop')]
    const late = interruptedBy((rt) => receivePreferences(rt, batch))
    expect(await receivePreferences(late, batch)).toEqual(['applied'])
    expect(await told()).toEqual(['opted_out'])
    await Promise.all([1, 2, 3].map(() => receivePreferences(world.rt, [word(customer, 'resume', now + 1)])))
    expect(await told()).toEqual(['opted_out', 'opted_in'])
    expect(await stateOf(customer.userId ?? customer.phone ?? '')).toBe('opted_in')
  })

  test('costs the others of its batch nothing when another node told it', async () => {
    const batch = [word(ana, 'stop'), word(bruno, 'stop'), word(carla, 'resume')]
    const late = interruptedBy((rt) => receivePreferences(rt, batch.slice(0, 1)))
    expect(await receivePreferences(late, batch)).toEqual(['applied', 'applied', 'applied'])
    expect(await told()).toEqual(['opted_out', 'opted_out', 'opted_in'])
    expect(await stateOf(ana.phone)).toBe('opted_out')
    expect(await stateOf(bruno.phone)).toBe('opted_out')
  })

  test('changes and tells nothing when a newer one was applied meanwhile', async () => {
    const late = interruptedBy((rt) => receivePreferences(rt, [word(ana, 'resume', now + 1)]))
    expect(await receivePreferences(late, [word(ana, 'stop')])).toEqual(['applied'])
    expect(await told()).toEqual(['opted_in'])
    expect(await stateOf(ana.phone)).toBe('opted_in')
  })

  test('counts beside another one of the same second', async () => {
    const late = interruptedBy((rt) => receivePreferences(rt, [word(ana, 'stop')]))
    await receivePreferences(late, [word(ana, 'resume'), word(ana, 'resume')])
    expect(await told()).toEqual(['opted_out', 'opted_in'])
    expect(await stateOf(ana.userId)).toBe('opted_in')
  })

  test('links a new user id to a number under which a newer one stands', async () => {
    await receivePreferences(world.rt, [word({ phone: ana.phone, userId: null }, 'stop', now + 1)])
    await receivePreferences(world.rt, [word(ana, 'resume')])
    expect(await stateOf(ana.userId)).toBe('opted_out')
  })
})
