import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callbackContracts } from '../../sandbox/src/contract/contract.ts'
import { parseCallback } from '../../server/src/platform/cloud/callbacks/cloud-callbacks.ts'
import { callbackHandlers, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, type ChannelWorld, type Connected } from '../support/channel-world.ts'
import { callbackExamples } from '../support/contract/callback-examples.ts'
import { sampleOf } from '../support/contract/sample.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks, listCallbackItems } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const contracts = callbackContracts.filter(({ callback }) => callback !== '*')
const wholes = contracts.filter(({ list }) => list === undefined)

/** The change of each file, with every member it names. */
const recorded = contracts.map(({ callback, list, value }): { field: string; value: Json } => {
  const whole = wholes.find((one) => one.callback === callback)
  const around = list === undefined || whole === undefined ? {} : (sampleOf(whole.value, 'required') as object)
  const sample = sampleOf(value, 'all') as Json
  return { field: callback, value: (list === undefined ? sample : { ...around, [list]: [sample] }) as Json }
})

const changes = [...recorded, ...callbackExamples.map(({ field, value }) => ({ field, value: value as Json }))]

/** As many changes in a body. */
const together = 10

/** As it is, with members from the future in every object, and with a value of another kind in one place. */
const fromTheFuture = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(fromTheFuture)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, fromTheFuture(member)])
  return { ...Object.fromEntries(members), sandbox_unknown: { nested: [1, 'two', null] } }
}
const strange = fc.constantFrom<Json>(null, [], {}, 'x', -1, true, [[{}]], { id: {} })
const misshapen = (value: Json, steps: number[], other: Json): Json => {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value)
  const chosen = entries[step % Math.max(1, entries.length)]?.[0]
  const changed = entries.map(([name, member]) => [name, name === chosen ? misshapen(member, rest, other) : member])
  return Array.isArray(value) ? changed.map(([, member]) => member as Json) : (Object.fromEntries(changed) as Json)
}
const misshapenChange = fc
  .tuple(fc.constantFrom(...changes), fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }), strange)
  .map(([{ field, value }, steps, other]) => ({ field, value: misshapen(value, steps, other) }))

test.each(callbackExamples)('$name becomes $becomes', ({ field, value, becomes }) => {
  const changes = [{ field, value }]
  const items = parseCallback(JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }))
  expect(items.map((item) => (item.kind === 'unhandled' ? item.reason : item.kind))).toEqual(becomes)
})

describe.each(engines)('every recorded callback, on %s', (engine) => {
  let world: ChannelWorld
  let accountId: string
  let channel: Connected
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    accountId = await world.newAccount()
    channel = await world.connect(accountId)
  })
  afterAll(() => world.dispose())

  /** Posts the changes, `size` of them in a body, and waits until all are applied. */
  async function receive(all: readonly { field: string; value: Json }[], size: number): Promise<void> {
    // The number is one of ours, wherever it is named.
    const written = all.map(({ field, value }) => {
      const text = JSON.stringify(value).replace(/("phone_number_id":)"[^"]*"/g, `$1"${channel.phoneNumberId}"`)
      return `{"field":"${field}","value":${text}}`
    })
    for (let from = 0; from < written.length; from += size) {
      const changes = written.slice(from, from + size).join(',')
      const entry = `{"id":"${channel.wabaId}","time":1763200000,"changes":[${changes}]}`
      const body = `{"object":"whatsapp_business_account","entry":[${entry}]}`
      expect((await world.post(channel, body)).status, changes).toBe(200)
    }
    const applier = startCallbackApplier(world.rt, callbackHandlers)
    await waitFor(async () => {
      const [{ stored, applied } = { stored: 1, applied: 0 }] = await world.rt.store.read(countCallbacks, {})
      return stored === applied
    }, 30_000)
    await applier.drain(5_000)
  }

  /** What a handler failed on. Items that wait for the message they are about are none of them. */
  async function failed() {
    const states = ['waiting', 'unhandled']
    const rows = await Promise.all(
      states.map((state) => world.rt.store.read(listCallbackItems, { account_id: accountId, state, count: 10_000 })),
    )
    return rows.flat().filter(({ reason }) => reason === 'failed')
  }

  test('goes through the gateway, as it is and with members that nobody knows yet', async () => {
    const future = changes.map(({ field, value }) => ({ field, value: fromTheFuture(value) }))
    await receive(changes, together)
    await receive(future, together)
    expect(await failed()).toEqual([])
    expect((await world.rt.store.read(countCallbacks, {}))[0]?.stored).toBe(2 * Math.ceil(changes.length / together))
  }, 60_000)

  test('with a value of another kind somewhere is stored, counted and harmless', async () => {
    await receive(fc.sample(misshapenChange, { numRuns: 150, seed: 20_261_118 }), 5)
    expect((await failed()).map(({ kind, item }) => [kind, item])).toEqual([])
  }, 60_000)
})
