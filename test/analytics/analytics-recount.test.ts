import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countAnswer, countCreated, countReceived, countStatus } from '../../server/src/analytics/count-message.ts'
import { foldSteps } from '../../server/src/analytics/fold-steps.ts'
import type { Counts } from '../../server/src/analytics/get-analytics.ts'
import { type Analytics, deliveryRates, getAnalytics } from '../../server/src/analytics/get-analytics.ts'
import { emptyHistogram, latencyBucketOf, percentile } from '../../server/src/analytics/latency-histogram.ts'
import type { AnalyticsQuery } from '../../server/src/analytics/read-request.ts'
import type { ChannelNumber } from '../../server/src/channels/require-number.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { applyStatuses } from '../../server/src/messages/apply-statuses.ts'
import { historyOf, type MessageFailure, messageFacts } from '../../server/src/messages/message-record.ts'
import type { Draft } from '../../server/src/messages/send/draft.ts'
import { recordFailed, recordSent } from '../../server/src/messages/send/record-outcome.ts'
import type { StatusItem } from '../../server/src/platform/callback-item.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import type { Store } from '../../server/src/store/engine/store.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import {
  expireMessages,
  findMessagesById,
  insertMessage,
  type MessageRow,
  newMessage,
} from '../../server/src/store/messages/messages.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { type EngineName, engines, freshStore } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { aRuntime } from '../support/runtime.ts'

const total = scaled(500)
const quarterMs = 900_000
const accountId = 'acc_one'
const stranger = 'acc_two'
const end = Date.UTC(2026, 10, 15, 10, 0, 0)
const start = end - 75 * dayMs

/** The same numbers on every run; a failure can be looked at again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe.each(engines)('roll-ups on %s, after parallel traffic with repeats, gaps and reordering', (engine) => {
  let world: RecountWorld
  let told: MessageRow[]

  beforeAll(async () => {
    world = await aRecountWorld(engine)
    told = await play(world)
    await deleteOld(world.rt)
  }, 7_200_000)
  afterAll(() => world.dispose())

  const ask = (query: AnalyticsQuery) => getAnalytics(world.rt, accountId, query)

  const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe']
  test.each(zones)('equal a recount by hour, day and month in %s', async (timezone) => {
    const ranges = [
      { granularity: 'hour', from: '2026-10-20T03:15:00Z', to: '2026-11-03T00:30:00Z' },
      { granularity: 'day', from: '2026-09-01', to: '2026-11-16' },
      { granularity: 'day', from: '2026-10-01T10:45:00Z', to: '2026-10-29T01:15:00Z' },
      { granularity: 'month', from: '2026-01-01', to: '2026-12-01' },
    ] as const
    for (const range of ranges) {
      const answer = await ask({ ...range, timezone })
      expectRecount(answer, told, () => '')
      expect(answer.series).toHaveLength(1)
    }
  })

  const dimension = {
    template: (row: MessageRow) => row.template,
    type: (row: MessageRow) => row.type,
    category: (row: MessageRow) => row.category,
    country: (row: MessageRow) => row.country,
    phone_number: (row: MessageRow) => row.number_id,
    api_key: (row: MessageRow) => row.api_key_id,
  }
  const single = Object.keys(dimension) as (keyof typeof dimension)[]
  const pairs = single.flatMap((one, index) => single.slice(index + 1).map((other) => [one, other]))

  test.each([...single.map((one) => [one]), ...pairs].map((names) => ({ names })))(
    'equal a recount grouped by $names, in UTC and elsewhere',
    async ({ names: group_by }) => {
      const keyOf = (message: MessageRow) => group_by.map((name) => dimension[name](message) ?? '').join('\n')
      for (const timezone of ['UTC', 'Europe/Lisbon', 'Asia/Kolkata']) {
        const query = { from: '2026-09-01', to: '2026-11-16', timezone, group_by, limit_groups: 50 }
        expectRecount(await ask(query), told, keyOf)
      }
    },
  )

  test('equal a recount with every filter, and with two at once', async () => {
    const filters: AnalyticsQuery[] = [
      { template: 'order_confirmation' },
      { type: 'image' },
      { direction: 'inbound' },
      { phone_number: 'pn_b' },
      { api_key: 'key_b' },
      { template: 'shipping_update', api_key: 'key_a' },
      { template: 'shipping_update', api_key: 'key_a', phone_number: 'pn_a' },
    ]
    const columns: Record<string, keyof MessageRow> = { api_key: 'api_key_id', phone_number: 'number_id' }
    for (const filter of filters) {
      const kept = told.filter((row) =>
        Object.entries(filter).every(([name, value]) => row[columns[name] ?? (name as keyof MessageRow)] === value),
      )
      expect(kept.length).toBeGreaterThan(0)
      const answer = await ask({ from: '2026-09-01', to: '2026-11-16', ...filter })
      expectRecount(answer, kept, () => '')
      expect(answer.totals.unique_recipients).toBeNull()
    }
  })

  test('group failures by their code and everything else under no code', async () => {
    const range = { from: '2026-09-01', to: '2026-11-16' }
    const { series } = await ask({ ...range, group_by: ['error_code'], limit_groups: 50 })
    const failed = countBy(told.flatMap((row) => (row.status === 'failed' ? [failureOf(row)] : [])))
    expect(Object.keys(failed).length).toBeGreaterThan(1)
    const none = { sent: 0, delivered: 0, read: 0, received: 0, replies: 0, taps: 0 }
    const counted = new Map(series.map(({ group, totals }) => [group.error_code, totals]))
    expect([...counted.keys()].sort()).toEqual([...Object.keys(failed), null].sort())
    expect(counted.get(null)).toMatchObject({ ...shownCounts(told), failed: 0 })
    for (const [code, count] of Object.entries(failed)) {
      expect(counted.get(code)).toMatchObject({ ...none, failed: count })
    }
  })

  test.each(single)('group failures by their code within each %s', async (name) => {
    const codeOf = (row: MessageRow) => (row.status === 'failed' ? failureOf(row) : null)
    const keyedBy = (row: MessageRow) => dimension[name](row) || null
    // A failed message is counted twice over: as failed under its code, and with what it reached under none.
    const places = new Map<string, MessageRow[]>()
    for (const row of told) {
      for (const code of new Set([null, codeOf(row)])) {
        const key = JSON.stringify([keyedBy(row), code])
        const place = places.get(key) ?? []
        place.push(row)
        places.set(key, place)
      }
    }
    const rates = (counts: Counts) => ({ ...counts, ...deliveryRates(counts), costs: null })
    const expected = [...places].map(([key, rows]) => {
      const code = (JSON.parse(key) as [string | null, string | null])[1]
      const { delivery_rate: _rate, read_rate: _read, ...counts } = shownCounts(rows)
      const none = { created: 0, sent: 0, delivered: 0, read: 0, received: 0, replies: 0, taps: 0 }
      return [key, rates(code === null ? { ...counts, failed: 0 } : { ...none, failed: rows.length })] as const
    })
    expect(expected.filter(([key]) => !key.endsWith(',null]')).length).toBeGreaterThan(2)
    for (const group_by of [
      [name, 'error_code'],
      ['error_code', name],
    ]) {
      for (const timezone of ['UTC', 'Asia/Kolkata']) {
        const answer = await ask({ from: '2026-09-01', to: '2026-11-16', timezone, group_by, limit_groups: 50 })
        const counted = answer.series.map(
          ({ group, totals }) => [JSON.stringify([group[name], group.error_code]), totals] as const,
        )
        expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(expected))
        expect(answer.totals).toMatchObject(shownCounts(told))
      }
    }
  })

  test('sum the small groups as other', async () => {
    const few = await ask({ from: '2026-09-01', to: '2026-11-16', group_by: ['country'], limit_groups: 2 })
    const weights = Object.entries(countBy(told.map(({ country }) => country ?? ''))).sort(([, a], [, b]) => b - a)
    expect(few.series).toHaveLength(3)
    expect(few.series.at(-1)?.group).toEqual({ country: 'other' })
    const shown = few.series.slice(0, 2).map(({ group }) => group.country ?? '')
    const rest = told.filter(({ country }) => !shown.includes(country ?? ''))
    expect(weights.length).toBeGreaterThan(3)
    expect(few.series.at(-1)?.totals).toEqual({ ...shownCounts(rest), costs: null })
  })

  test('count each recipient once in every range of whole days', async () => {
    const days = [0, 3, 17, 40, 74].map((day) => Math.floor(start / dayMs) * dayMs + day * dayMs)
    for (const from of days) {
      for (const to of days.filter((day) => day > from)) {
        const answer = await ask({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
        const inside = told.filter((row) => row.sent_at !== null && row.created_at >= from && row.created_at < to)
        expect(answer.totals.unique_recipients).toBe(new Set(inside.map(({ phone }) => phone)).size)
      }
    }
  })

  test('show nothing of another account', async () => {
    const answer = await getAnalytics(world.rt, stranger, { from: '2026-09-01', to: '2026-11-16' })
    expect(answer.totals.sent).toBe(1)
    expect(answer.totals.unique_recipients).toBe(1)
  })
})

type RecountWorld = {
  rt: Runtime
  /** Who folds: every node of an installation, where there can be several. */
  folders: Pick<Runtime, 'store'>[]
  dispose(): Promise<void>
}

async function aRecountWorld(engine: EngineName): Promise<RecountWorld> {
  const base = await aRuntime(engine)
  const { store, test: database, dispose } = await freshStore(engine)
  base.clock.advance(end - base.clock.now())
  const other: Store | null =
    engine === 'postgres' ? await openStore({ database: database.database, now: 0, migrateFirst: false }) : null
  return {
    rt: { ...base.rt, store },
    folders: [{ store }, ...(other ? [{ store: other }] : [])],
    async dispose() {
      await other?.close()
      await dispose()
      await base.dispose()
    },
  }
}

/** Plays messages and what the platform reports of them, many at once, while others fold. Returns what was stored. */
async function play({ rt, folders }: RecountWorld): Promise<MessageRow[]> {
  const chance = seeded(7)
  const rows = Array.from({ length: total }, () => aMessage(rt, chance))
  const startedAt = performance.now()
  let played = 0
  const queue = rows.values()
  const workers = Array.from({ length: 64 }, async () => {
    for (const row of queue) {
      await live(rt, row, chance)
      played++
    }
  })
  // A hundred folds or more among the traffic, whatever the number of messages.
  const folding = folders.map(async (folder) => {
    for (let folded = 0; played < total; await delay(5)) {
      if (played - folded < total / 100) continue
      folded = played
      await foldSteps(folder)
    }
  })
  const unit = new Unit()
  const other = { ...messageFacts(aMessage(rt, chance)), accountId: stranger, direction: 'outbound', recipient: 'x' }
  countStatus(unit, other as Parameters<typeof countStatus>[1], 'sent')
  await rt.store.write(unit)
  await Promise.all([...workers, ...folding])
  recordFigure('analytics recount', 'messages', total)
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  recordFigure('analytics recount', `seconds to play on ${rt.store.engine}`, seconds)
  const stored: MessageRow[] = []
  for (let first = 0; first < rows.length; first += 1_000) {
    const ids = rows.slice(first, first + 1_000).map(({ id }) => id)
    stored.push(...(await rt.store.read(findMessagesById, { ids })))
  }
  expect(stored).toHaveLength(total)
  return stored
}

function pick<T>(values: readonly T[], chance: () => number): T {
  return values[Math.floor(chance() * values.length)] as T
}

function aMessage(rt: Runtime, chance: () => number): MessageRow {
  const inbound = chance() < 0.2
  const template =
    inbound || chance() < 0.3 ? null : pick(['order_confirmation', 'shipping_update', 'winter_sale'], chance)
  return newMessage({
    id: rt.newId('out'),
    account_id: accountId,
    number_id: pick(['pn_a', 'pn_b'], chance),
    direction: inbound ? 'inbound' : 'outbound',
    type: template ? 'template' : pick(['text', 'image', 'document'], chance),
    status: inbound ? 'received' : 'queued',
    phone: `+3519${String(Math.floor(chance() * Math.max(50, total / 5))).padStart(8, '0')}`,
    template,
    category: template === 'winter_sale' ? 'marketing' : template ? 'utility' : null,
    country: pick(['PT', 'BR', 'DE', 'FR', 'IN', null], chance),
    api_key_id: inbound ? null : pick(['key_a', 'key_b'], chance),
    history: '[]',
    created_at: Math.floor(start + chance() * (end - start)),
  })
}

/**
 * One message from its creation to its last report. The answer to the send and the reports come in any order, at once.
 */
async function live(rt: Runtime, row: MessageRow, chance: () => number): Promise<void> {
  const created = new Unit()
  created.add(insertMessage, { ...row, customer_address: null })
  if (row.direction === 'inbound') countReceived(created, messageFacts(row))
  else countCreated(created, messageFacts(row))
  await rt.store.write(created)
  if (row.direction === 'inbound') return
  const answers = new Unit()
  for (let n = 0; n < repliesTo(row); n++) countAnswer(answers, messageFacts(row), 'replies')
  for (let n = 0; n < tapsOn(row); n++) countAnswer(answers, messageFacts(row), 'taps')
  await rt.store.write(answers)
  const fate = chance()
  if (fate < 0.05) {
    const error = { code: 'recipient_unreachable', message: 'Out of reach.', retryable: false, upstream: null }
    await recordFailed(rt, { row, draft: draftOf(row), error }, () => {})
    // Of some it turns out that they went out after all.
    if (chance() < 0.3) await applyStatuses(rt, [reportOf(row, 'delivered', row.created_at + 30_000)])
    return
  }
  const words = fate < 0.12 ? ['failed'] : fate < 0.18 ? ['sent', 'failed', 'delivered'] : ['sent', 'delivered', 'read']
  // The platform tells whole seconds: a customer with the chat open reads in the second of the delivery.
  const atOnce = chance() < 0.2
  const reports = words.slice(0, 1 + Math.floor(chance() * words.length)).flatMap((status, index) => {
    const afterMs = atOnce ? 3_000 : (index + 1) * Math.floor(1 + chance() * 40_000)
    const report = reportOf(row, status, row.created_at + afterMs)
    return chance() < 0.3 ? [report, report] : [report]
  })
  const receipt = { messageId: channelIdOf(row), held: false, waId: null, userId: null, answer: {} }
  const answer = () => recordSent(rt, { row, draft: draftOf(row), receipt, now: row.created_at + 500 }, () => {})
  const shuffled = reports.map((report) => ({ report, at: chance() })).sort((a, b) => a.at - b.at)
  const works: (() => Promise<unknown>)[] = shuffled.map(
    ({ report }) =>
      () =>
        applyStatuses(rt, [report]),
  )
  works.splice(Math.floor(chance() * (works.length + 1)), 0, answer)
  await Promise.all(works.map((work) => work()))
}

const channelIdOf = ({ id }: MessageRow) => `wamid.${id}`
/** What the platform would charge a message as, and with which report it says so; `sent` tells it too, in vain. */
const pricingOf = ({ id }: MessageRow) =>
  [null, 'utility', 'marketing'][(id.charCodeAt(id.length - 1) ?? 0) % 3] ?? null
const pricedWith = ({ id }: MessageRow) => ['delivered', 'read'][(id.charCodeAt(id.length - 2) ?? 0) % 2]

/** How often the customer quoted it, and tapped on its buttons. */
const repliesTo = ({ id }: MessageRow) => (id.charCodeAt(id.length - 3) ?? 0) % 3
const tapsOn = ({ id }: MessageRow) => (id.charCodeAt(id.length - 4) ?? 0) % 2

function draftOf(row: MessageRow): Draft {
  return { number: { phoneNumber: '+12025550199' } as ChannelNumber, template: null, type: row.type } as Draft
}

function reportOf(row: MessageRow, status: string, at: number) {
  const code = row.id.charCodeAt(row.id.length - 1) % 3 === 0 ? 'channel_rejected' : 'recipient_unreachable'
  const item: StatusItem = {
    kind: 'status',
    dedupeKey: `${row.id} ${status} ${at}`,
    wabaId: '1',
    phoneNumberId: '1',
    channelMessageId: channelIdOf(row),
    status: status as StatusItem['status'],
    platformStatus: status,
    at,
    recipient: { phone: row.phone, userId: null },
    correlation: row.id,
    failures:
      status === 'failed'
        ? [{ code, retryable: false, upstream: { code: null, title: null, detail: null, trace_id: null } }]
        : [],
    pricing: ['sent', pricedWith(row)].includes(status) ? { type: 'regular', category: pricingOf(row) } : null,
  }
  const channel = { id: 'chn_one', kind: 'sandbox' as const, wabaId: '1' }
  return { item, context: { accountId, channel, number: null, receivedAt: at } }
}

/** Retention takes messages away; what was counted stays counted. */
async function deleteOld(rt: Runtime): Promise<void> {
  const unit = new Unit()
  const call = unit.add(expireMessages, { before: end - 30 * dayMs, count: 1_000_000 })
  expect((await rt.store.write(unit)).rows(call).length).toBeGreaterThan(0)
}

/** Counts every message by hand and compares all of the answer. */
function expectRecount(answer: Analytics, told: readonly MessageRow[], keyOf: (message: MessageRow) => string): void {
  const from = Date.parse(answer.from)
  const to = Date.parse(answer.to)
  const inside = told.filter((row) => row.created_at >= from && row.created_at < to)
  expect(from % quarterMs).toBe(0)
  expect(answer.totals).toMatchObject(shownCounts(inside))
  const groups = Map.groupBy(inside, keyOf)
  const shown = new Map(
    answer.series.map((series) => [
      Object.values(series.group)
        .map((value) => value ?? '')
        .join('\n'),
      series,
    ]),
  )
  expect([...shown.keys()].sort()).toEqual(groups.size === 0 ? [''] : [...groups.keys()].sort())
  for (const [key, messages] of groups) {
    const series = shown.get(key)
    expect(series?.totals).toEqual({ ...shownCounts(messages), costs: null })
    const recounted = series?.points.map((point) => {
      const [low, high] = [Math.max(Date.parse(point.start), from), Date.parse(point.end)]
      const within = messages.filter((row) => row.created_at >= low && row.created_at < high)
      return { start: point.start, end: point.end, ...shownCounts(within) }
    })
    // Thousands of points in an answer: `toEqual`, which can explain a difference, takes much longer to find none.
    if (!isDeepStrictEqual(series?.points, recounted)) expect(series?.points).toEqual(recounted)
  }
  const histogram = [...emptyHistogram()]
  for (const latencyMs of inside.flatMap((row) => latencyOf(row) ?? [])) {
    const bucket = latencyBucketOf(latencyMs / 1_000)
    histogram[bucket] = (histogram[bucket] ?? 0) + 1
  }
  expect(answer.totals.delivery_seconds_p50).toBe(percentile(histogram, 0.5))
  expect(answer.totals.delivery_seconds_p95).toBe(percentile(histogram, 0.95))
  expect(Object.fromEntries(answer.failures.map(({ code, count }) => [code, count]))).toEqual(
    countBy(inside.flatMap((row) => (row.status === 'failed' ? [failureOf(row)] : []))),
  )
  expect(Object.fromEntries(answer.pricing.map(({ category, count }) => [category, count]))).toEqual(
    countBy(inside.flatMap((row) => (isPriced(row) ? (pricingOf(row) ?? []) : []))),
  )
}

/** Every answer is compared with all messages: what they went through is parsed once. */
const histories = new WeakMap<MessageRow, ReturnType<typeof historyOf>>()

function parsedHistory(row: MessageRow): ReturnType<typeof historyOf> {
  const known = histories.get(row) ?? historyOf(row)
  histories.set(row, known)
  return known
}

function isPriced(row: MessageRow): boolean {
  return parsedHistory(row).some(({ status, inferred }) => status === pricedWith(row) && !inferred)
}

/** From the history, which tells in which order things became known; null where a delivery was only inferred. */
function latencyOf(row: MessageRow): number | null {
  const history = parsedHistory(row)
  const index = history.findIndex(({ status }) => status === 'delivered')
  const delivered = history[index]
  if (!delivered || delivered.inferred) return null
  const before = history.slice(0, index + 1)
  const accepted = before.find(({ status, source }) => status === 'sent' && source === 'gateway')
  const reported = before.filter(({ source }) => source === 'channel').map(({ at }) => at)
  return Math.max(0, delivered.at - (accepted?.at ?? Math.min(...reported)))
}

function failureOf({ error }: MessageRow): string {
  return error === null ? '' : (JSON.parse(error) as MessageFailure).code
}

function shownCounts(messages: readonly MessageRow[]) {
  const outbound = messages.filter(({ direction }) => direction === 'outbound')
  const counts: Counts = {
    created: outbound.length,
    sent: outbound.filter((row) => row.sent_at !== null).length,
    delivered: outbound.filter((row) => row.delivered_at !== null).length,
    read: outbound.filter((row) => row.read_at !== null).length,
    failed: outbound.filter((row) => row.status === 'failed').length,
    received: messages.length - outbound.length,
    replies: outbound.reduce((sum, row) => sum + repliesTo(row), 0),
    taps: outbound.reduce((sum, row) => sum + tapsOn(row), 0),
  }
  return { ...counts, ...deliveryRates(counts) }
}

function countBy(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, list]) => [value, list.length]))
}
