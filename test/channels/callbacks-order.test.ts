import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { historyOf, storedHistory } from '../../server/src/messages/message-record.ts'
import { seedCustomer, seededCustomer } from '../../server/src/messages/sandbox-phone.ts'
import { type AnswerOf, dispatchMessage } from '../../server/src/messages/send/dispatch-message.ts'
import type { Sender } from '../../server/src/messages/send/draft.ts'
import { draftText } from '../../server/src/messages/send/send-request.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { findMessagesById, insertMessage, type MessageRow } from '../../server/src/store/messages/messages.ts'
import { fanOut } from '../../server/src/store/webhooks/deliveries.ts'
import { type CallbackApplier, startCallbackApplier } from '../../server/src/workers/callback-applier.ts'
import { aChannelWorld, aStatus, type ChannelWorld, type Connected, messagesBody } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { waitFor } from '../support/wait-for.ts'

type Report = { status: string; at: number }

const seed = 20_261_115
const secondsMin = 1_794_736_801
const reports = fc.array(
  fc.record({
    status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
    at: fc.integer({ min: secondsMin, max: secondsMin + 3 }),
  }),
  { minLength: 2, maxLength: 4 },
)
const runs = fc.sample(
  reports.chain((items) => {
    const twice = [...items, ...items]
    return fc.record({
      items: fc.constant(items),
      shuffled: fc.shuffledSubarray(twice, { minLength: twice.length, maxLength: twice.length }),
    })
  }),
  { numRuns: 15, seed },
)

/** The decision itself is tested beside its source; here the same goes the whole way, through bodies and batches. */
describe.each(engines)('reports about a message, on %s', { timeout: 30_000 }, (engine) => {
  let world: ChannelWorld
  let channel: Connected
  let applier: CallbackApplier
  let template: MessageRow
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    const accountId = await world.newAccount()
    channel = await world.connect(accountId)
    await seedCustomer(world.rt, accountId)
    const sender: Sender = { accountId, keyId: null, phoneNumberIds: null }
    const draft = await draftText(world.rt, sender, { to: seededCustomer, message: 'x' })
    const answerOf: AnswerOf = () => ({})
    template = (await dispatchMessage(world.rt, { sender, draft, idempotencyKey: null, answerOf })).row
    applier = startCallbackApplier(watched(world.rt), { status: applyStatuses })
  })
  afterAll(async () => {
    await applier.drain(5_000)
    await world.dispose()
  })

  /**
   * When the deliveries of an event are due, by message and type: the one that was really sent has statuses of its own. A unit
   * that was overtaken is written again.
   */
  const dueAt = new Map<string, number>()
  function watched(rt: Runtime): Runtime {
    const write: Runtime['store']['write'] = (unit) => {
      const fanOuts = unit.calls.filter(({ operation }) => operation.name === fanOut.name)
      for (const { subject, type, due_at } of fanOuts.flatMap(({ rows }) => rows)) {
        dueAt.set(`${subject} ${type}`, Number(due_at))
      }
      return rt.store.write(unit)
    }
    return { ...rt, store: { ...rt.store, write } }
  }

  const idOf = (run: number, way: string) => `out_${engine}_${run}_${way}`
  const toStatus = (id: string, { status, at }: Report) => ({ ...aStatus(`wamid.${id}`, status), timestamp: `${at}` })

  async function store(ids: readonly string[], over: Partial<MessageRow> = {}): Promise<void> {
    const unit = new Unit()
    const known = { customer_address: null, revision: 1 }
    const rows = ids.map((id) => ({ ...template, ...over, id, channel_message_id: `wamid.${id}`, ...known }))
    unit.add(insertMessage, ...rows)
    await world.rt.store.write(unit)
  }

  /** One body per list, all of them applied when it resolves. */
  async function apply(bodies: readonly object[][]): Promise<void> {
    const answers = await Promise.all(
      bodies.map((statuses) => world.post(channel, messagesBody(channel, { statuses }))),
    )
    expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 200))
    await waitFor(async () => {
      const [count] = await world.rt.store.read(countCallbacks, {})
      return count?.stored === count?.applied
    }, 20_000)
  }

  async function endOf(id: string) {
    const [row] = await world.rt.store.read(findMessagesById, { ids: [id] })
    if (!row) throw new Error('The message is not stored.')
    const told = historyOf(row).filter(({ source, inferred }) => source === 'channel' && !inferred)
    const { status, sent_at, delivered_at, read_at, failed_at } = row
    const history = [...new Set(told.map((entry) => `${entry.status} ${entry.at}`))].sort()
    return { status, sent_at, delivered_at, read_at, failed_at, told: told.length, history }
  }

  test('end the same in one body, in any order, twice over, and one by one', async () => {
    const ways = ['together', 'shuffled', 'alone']
    await store(runs.flatMap((_, run) => ways.map((way) => idOf(run, way))))
    await apply(runs.map(({ items }, run) => items.map((item) => toStatus(idOf(run, 'together'), item))))
    await apply(runs.map(({ shuffled }, run) => shuffled.map((item) => toStatus(idOf(run, 'shuffled'), item))))
    for (let step = 0; step < 8; step++) {
      const next = runs.flatMap(({ shuffled }, run) => {
        const item = shuffled[step]
        return item ? [[toStatus(idOf(run, 'alone'), item)]] : []
      })
      await apply(next)
    }
    for (const [run, { items }] of runs.entries()) {
      const [together, ...others] = await Promise.all(ways.map((way) => endOf(idOf(run, way))))
      const distinct = new Set(items.map(({ status, at }) => `${status} ${at * 1_000}`))
      expect(together?.history, JSON.stringify(items)).toEqual([...distinct].sort())
      expect(together?.told).toBe(distinct.size)
      for (const other of others) expect(other, JSON.stringify(items)).toEqual(together)
    }
  })

  test('of a delivery at two times keep the earlier one, whichever body they come in', async () => {
    const ids = ['together', 'apart'].map((way) => idOf(0, `twice_${way}`))
    await store(ids)
    const [late, early] = [secondsMin + 35, secondsMin + 30].map((at) => ({ status: 'delivered', at }))
    if (!late || !early) throw new Error('Two reports.')
    const [together = '', apart = ''] = ids
    await apply([[late, early].map((item) => toStatus(together, item))])
    for (const item of [late, early]) await apply([[toStatus(apart, item)]])
    expect(await endOf(together)).toEqual(await endOf(apart))
    expect(await endOf(together)).toMatchObject({ status: 'delivered', delivered_at: early.at * 1_000, told: 2 })
  })

  test('become due for webhooks after the step before, also when a node whose clock is ahead recorded that', async () => {
    const id = idOf(0, 'skewed')
    const aheadAt = world.rt.clock.now() + 2_000
    const at = secondsMin * 1_000
    const history = storedHistory([{ status: 'sent', at, recordedAt: aheadAt, source: 'gateway', inferred: false }])
    await store([id], { history })
    await apply([[toStatus(id, { status: 'delivered', at: secondsMin + 1 })]])
    await apply([[toStatus(id, { status: 'read', at: secondsMin + 2 })]])
    const [delivered = 0, read] = ['delivered', 'read'].map((step) => dueAt.get(`${id} message.${step}`))
    expect(delivered).toBeGreaterThan(aheadAt)
    expect(read).toBeGreaterThan(delivered)
  })
})
