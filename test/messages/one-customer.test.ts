import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { minuteMs } from '../../server/src/lib/durations.ts'
import { asCustomer, noteWritten } from '../../server/src/messages/customers/as-customer.ts'
import { customerBy } from '../../server/src/messages/customers/find-customer.ts'
import type { Identity } from '../../server/src/messages/customers/identity.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { addPreference, marketingPreference } from '../../server/src/messages/receive-preferences.ts'
import { lastInbound } from '../../server/src/messages/window.ts'
import { engines } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

/** A person with a phone: what is true of them, whatever the gateway makes of it. */
type Person = {
  phone: string
  userId: string
  /** What the gateway was told of them: since their last erasure. */
  told: Set<string>
  wroteAt: number | null
  word: 'opted_out' | 'opted_in' | 'unknown'
}

function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe.each(engines)('one person is one customer, on %s,', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  test.each([1, 2, 3, 4])(
    'with one window and one word about marketing, whatever is told in whatever order: run %d',
    async (seed) => {
      const { rt, clock } = world
      const next = random(seed * 7_919)
      const accountId = rt.newId('acc')
      const numberId = rt.newId('pn')
      let serial = seed * 1_000
      const people: Person[] = []
      /** Who was last heard of under a number. */
      const numbers = new Map<string, Person>()
      const newPhone = () => `+1202${String(5_550_000 + ++serial)}`
      const newUserId = () => `US.${++serial}`
      const born = (phone = newPhone()): Person => {
        const person: Person = { phone, userId: newUserId(), told: new Set(), wroteAt: null, word: 'unknown' }
        people.push(person)
        return person
      }
      const hear = (person: Person, addresses: (string | null)[]) => {
        for (const address of addresses) {
          if (address === null) continue
          if (address.startsWith('+')) {
            numbers.get(address)?.told.delete(address)
            numbers.set(address, person)
          }
          person.told.add(address)
        }
      }
      const identityOf = (person: Person, isHidden: boolean): Identity => ({
        phone: isHidden ? null : person.phone,
        userId: person.userId,
        at: clock.now(),
      })
      const acts: Record<string, (person: Person) => Promise<void>> = {
        async writes(person) {
          const identity = identityOf(person, next(3) === 0)
          await noteWritten(rt, { accountId, numberId, identity, unread: 1 })
          hear(person, [identity.phone, person.userId])
          person.wroteAt = identity.at
        },
        async isSentTo(person) {
          // A status of a message to the number names who got it.
          await asCustomer(rt, accountId, identityOf(person, false), (unit) => rt.store.write(unit))
          hear(person, [person.phone, person.userId])
        },
        async says(person) {
          const identity = identityOf(person, next(2) === 0)
          const state = next(2) === 0 ? 'opted_out' : 'opted_in'
          const number = { id: numberId, phoneNumber: '+351210000000' }
          const { phone, userId, at } = identity
          await asCustomer(rt, accountId, identity, (unit, customerId) => {
            const said = { accountId, number, customerId, phone, userId, state, at } as const
            addPreference(rt, unit, { ...said, source: 'whatsapp', by: null })
            return rt.store.write(unit)
          })
          hear(person, [phone, userId])
          person.word = state
        },
        async movesToAnotherNumber(person) {
          const former = [person.phone, person.userId]
          Object.assign(person, { phone: newPhone(), userId: newUserId() })
          const identity = { ...identityOf(person, false), former }
          await asCustomer(rt, accountId, identity, (unit) => rt.store.write(unit))
          hear(person, [person.phone, person.userId])
        },
        async getsAnotherId(person) {
          const former = [person.userId]
          person.userId = newUserId()
          await asCustomer(rt, accountId, { ...identityOf(person, true), former }, (unit) => rt.store.write(unit))
          hear(person, [person.userId])
        },
        async losesTheNumber(person) {
          // Nobody tells. Another person has the number now, and writes from it.
          const { phone } = person
          person.phone = newPhone()
          const other = born(phone)
          const identity = identityOf(other, false)
          await noteWritten(rt, { accountId, numberId, identity, unread: 1 })
          hear(other, [phone, other.userId])
          other.wroteAt = identity.at
        },
        async isForgotten(person) {
          await eraseCustomer(rt, accountId, person.userId, { actor: operator })
          for (const address of person.told) if (numbers.get(address) === person) numbers.delete(address)
          Object.assign(person, { told: new Set(), wroteAt: null, word: 'unknown' })
        },
      }
      const names = Object.keys(acts)
      born()
      born()
      for (let step = 0; step < 60; step++) {
        clock.advance(minuteMs)
        // Erasing waits for the request log: seldom.
        const name = names[step === 40 ? names.length - 1 : next(names.length - 1)] ?? ''
        const person = people[next(people.length)] as Person
        await acts[name]?.(person)
        const ids = new Map<string, Person>()
        for (const one of people) {
          const known = [one.userId, ...one.told].filter((address) => one.told.has(address))
          const customers = await Promise.all(known.map((address) => customerBy(rt, accountId, address)))
          const found = new Set(customers.map((customer) => customer?.id))
          expect(found.size, `${name} in step ${step}: ${known}`).toBeLessThanOrEqual(1)
          const [id] = found
          if (id === undefined) continue
          expect(ids.get(id) ?? one, `${name} in step ${step}: two people are one`).toBe(one)
          ids.set(id, one)
          for (const address of known) {
            const place = { id: numberId, accountId }
            expect((await lastInbound(rt, place, address)).lastInboundAt, `${name} in step ${step}`).toBe(one.wroteAt)
            expect((await marketingPreference(rt, place, address)).state, `${name} in step ${step}`).toBe(one.word)
          }
        }
      }
    },
  )

  test('two callbacks at once make one customer, and a late one moves no number', async () => {
    const { rt, clock } = world
    const accountId = rt.newId('acc')
    const numberId = rt.newId('pn')
    const [phone, first, second] = ['+12025559901', 'US.901', 'US.902']
    const wrote = (userId: string | null, at: number, from: string | null = phone) =>
      noteWritten(rt, { accountId, numberId, identity: { phone: from, userId, at }, unread: 1 })
    const at = clock.now()
    await Promise.all([wrote(null, at), wrote(first, at), wrote(first, at, null), wrote(first, at), wrote(null, at)])
    const one = await customerBy(rt, accountId, phone)
    expect(one?.addresses.map(({ shown }) => shown).sort()).toEqual([phone, first])
    clock.advance(minuteMs)
    await wrote(second, clock.now())
    const other = await customerBy(rt, accountId, phone)
    expect(other?.id).not.toBe(one?.id)
    expect(other?.addresses.map(({ shown }) => shown).sort()).toEqual([phone, second])
    await wrote(first, at)
    expect((await customerBy(rt, accountId, phone))?.id).toBe(other?.id)
    expect((await customerBy(rt, accountId, first))?.id).toBe(one?.id)
  })
})
