import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Counts } from '../server/src/analytics/build-series.ts'
import {
  countCreated,
  countReceived,
  countStatus,
  type MessageFacts,
  recipientHash,
  uncountFailed,
} from '../server/src/analytics/count-message.ts'
import { foldSteps } from '../server/src/analytics/fold-steps.ts'
import { type Analytics, getAnalytics } from '../server/src/analytics/get-analytics.ts'
import { addLatency, emptyHistogram, percentile } from '../server/src/analytics/latency-histogram.ts'
import { deliveryRates } from '../server/src/analytics/rates.ts'
import type { AnalyticsQuery } from '../server/src/analytics/read-request.ts'
import { applyStatus, type StatusRecord } from '../server/src/messages/status-machine.ts'
import { expireMessages, insertMessage } from '../server/src/store/messages.ts'
import { Unit } from '../server/src/store/unit.ts'
import { engines } from './support/databases.ts'
import { recordFigure, scaled } from './support/proof.ts'
import { aRuntime, type TestRuntime } from './support/runtime.ts'

const total = scaled(2_000)
const dayMs = 86_400_000
const quarterMs = 900_000
const accountId = 'acc_one'
const stranger = 'acc_two'

/** Everything that is known about a message, kept for ever: what figures must agree with. */
type Told = {
  facts: MessageFacts
  address: string
  record: StatusRecord
  errorCode: string | null
  latencyMs: number | null
  pricing: string | null
}

/** The same numbers on every run; a failure can be looked at again. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe.each(engines)('roll-ups on %s, after random traffic with repeats, gaps and reordering', (engine) => {
  let runtime: TestRuntime
  let told: Told[]
  const end = Date.UTC(2026, 10, 15, 10, 0, 0)
  const start = end - 75 * dayMs

  beforeAll(async () => {
    runtime = await aRuntime(engine)
    told = await play(runtime, start, end)
    await deleteOld(runtime, end)
  }, 600_000)
  afterAll(() => runtime.dispose())

  const ask = (query: AnalyticsQuery) => getAnalytics(runtime.rt, accountId, query)

  const zones = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe']
  test.each(zones)('equal a recount by hour, day and month in %s', async (timezone) => {
    const ranges = [
      { granularity: 'hour', from: '2026-10-20T03:15:00Z', to: '2026-11-03T00:30:00Z' },
      { granularity: 'day', from: '2026-09-01', to: '2026-11-16' },
      { granularity: 'month', from: '2026-01-01', to: '2026-12-01' },
    ] as const
    for (const range of ranges) {
      const answer = await ask({ ...range, timezone })
      expectRecount(answer, told, () => '')
      expect(answer.series).toHaveLength(1)
    }
  })

  const dimension = {
    template: ({ facts }: Told) => facts.template,
    type: ({ facts }: Told) => facts.type,
    category: ({ facts }: Told) => facts.category,
    country: ({ facts }: Told) => facts.country,
    phone_number: ({ facts }: Told) => facts.phoneNumber,
    api_key: ({ facts }: Told) => facts.apiKeyId,
  }
  const single = Object.keys(dimension) as (keyof typeof dimension)[]
  const pairs = single.flatMap((one, index) => single.slice(index + 1).map((other) => [one, other]))

  test.each([...single.map((one) => [one]), ...pairs].map((names) => ({ names })))(
    'equal a recount grouped by $names',
    async ({ names: group_by }) => {
      const query = { from: '2026-09-01', to: '2026-11-16', timezone: 'Europe/Lisbon', group_by, limit_groups: 50 }
      const keyOf = (message: Told) => group_by.map((name) => dimension[name](message) ?? '').join('\n')
      expectRecount(await ask(query), told, keyOf)
    },
  )

  test('equal a recount with every filter, and with two at once', async () => {
    const filters = [
      { template: 'order_confirmation' },
      { type: 'image' },
      { direction: 'inbound' },
      { phone_number: 'pn_b' },
      { api_key: 'key_b' },
      { template: 'shipping_update', api_key: 'key_a' },
    ]
    for (const filter of filters) {
      const names = Object.entries(filter)
      const kept = told.filter(({ facts }) =>
        names.every(
          ([name, value]) =>
            (name === 'api_key'
              ? facts.apiKeyId
              : name === 'phone_number'
                ? facts.phoneNumber
                : facts[name as 'type']) === value,
        ),
      )
      const answer = await ask({ from: '2026-09-01', to: '2026-11-16', ...filter })
      expectRecount(answer, kept, () => '')
      expect(answer.totals.unique_recipients).toBeNull()
    }
  })

  test('group failures by their code, the rest under no code, and sum the small groups as other', async () => {
    const range = { from: '2026-09-01', to: '2026-11-16' }
    const byCode = await ask({ ...range, group_by: ['error_code'], limit_groups: 50 })
    for (const { code, count } of byCode.failures) {
      expect(byCode.series.find(({ group }) => group.error_code === code)?.totals.failed).toBe(count)
    }
    const few = await ask({ ...range, group_by: ['country'], limit_groups: 2 })
    expect(few.series.map(({ group }) => group.country)).toHaveLength(3)
    expect(few.series.at(-1)?.group).toEqual({ country: 'other' })
    for (const name of ['sent', 'delivered', 'read', 'failed', 'received'] as const) {
      expect(few.series.reduce((sum, series) => sum + series.totals[name], 0)).toBe(few.totals[name])
    }
  })

  test('count each recipient once in every range of whole days', async () => {
    const days = [0, 3, 17, 40, 74].map((day) => Math.floor(start / dayMs) * dayMs + day * dayMs)
    for (const from of days) {
      for (const to of days.filter((day) => day > from)) {
        const answer = await ask({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })
        const inside = told.filter(
          ({ facts, record }) => record.sentAt !== null && facts.createdAt >= from && facts.createdAt < to,
        )
        expect(answer.totals.unique_recipients).toBe(new Set(inside.map(({ address }) => address)).size)
      }
    }
  })

  test('show nothing of another account', async () => {
    const answer = await getAnalytics(runtime.rt, stranger, { from: '2026-09-01', to: '2026-11-16' })
    expect(answer.totals.sent).toBe(1)
    expect(answer.totals.unique_recipients).toBe(1)
  })
})

/** Plays messages and what the platform reports of them, many at once, while others fold. */
async function play({ rt }: TestRuntime, start: number, end: number): Promise<Told[]> {
  const chance = seeded(7)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)] as T
  const told = Array.from({ length: total }, () => aMessage(start + chance() * (end - start), pick, chance))
  const startedAt = performance.now()
  const queue = told.map((message) => () => live(rt, message, chance, pick))
  const workers = Array.from({ length: 64 }, async () => {
    for (let work = queue.shift(); work; work = queue.shift()) await work()
  })
  const folding = (async () => {
    while (queue.length > 0) {
      await foldSteps(rt)
      await nextTurn()
    }
  })()
  const other = aMessage(end - 1_000, pick, chance)
  const unit = new Unit()
  const facts = { ...other.facts, accountId: stranger, direction: 'outbound' as const, recipient: 'x' }
  countStatus(unit, facts, 'sent')
  await rt.store.write(unit)
  await Promise.all([...workers, folding])
  recordFigure('analytics recount', 'messages', total)
  recordFigure(
    'analytics recount',
    `seconds to play on ${rt.store.engine}`,
    Math.round((performance.now() - startedAt) / 100) / 10,
  )
  return told

  function aMessage(at: number, choose: typeof pick, random: () => number): Told {
    const inbound = random() < 0.2
    const template = inbound || random() < 0.3 ? null : choose(['order_confirmation', 'shipping_update', 'winter_sale'])
    const address = `+3519${String(Math.floor(random() * Math.max(50, total / 5))).padStart(8, '0')}`
    const facts: MessageFacts = {
      accountId,
      createdAt: Math.floor(at),
      direction: inbound ? 'inbound' : 'outbound',
      type: template ? 'template' : choose(['text', 'image', 'document']),
      template,
      category: template === 'winter_sale' ? 'marketing' : template ? 'utility' : null,
      country: choose(['PT', 'BR', 'DE', 'FR', 'IN', null]),
      phoneNumber: choose(['pn_a', 'pn_b']),
      apiKeyId: inbound ? null : choose(['key_a', 'key_b']),
      recipient: inbound ? null : recipientHash(rt, accountId, address),
    }
    const record = {
      status: 'queued',
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      history: [],
    } as const
    return { facts, address, record, errorCode: null, latencyMs: null, pricing: null }
  }
}

/** One message from its creation to its last report; reports come twice, late, and in any order. */
async function live(
  rt: TestRuntime['rt'],
  message: Told,
  chance: () => number,
  pick: <T>(values: readonly T[]) => T,
): Promise<void> {
  const { facts } = message
  const created = new Unit()
  created.add(insertMessage, messageRow(rt.newId('out'), facts))
  if (facts.direction === 'inbound') countReceived(created, facts)
  else countCreated(created, facts)
  await rt.store.write(created)
  if (facts.direction === 'inbound') return
  const fate = chance()
  const words = fate < 0.1 ? ['failed'] : fate < 0.15 ? ['sent', 'failed', 'delivered'] : ['sent', 'delivered', 'read']
  const reports = words
    .slice(0, 1 + Math.floor(chance() * words.length))
    .flatMap((status, index) => {
      const report = { status, at: facts.createdAt + (index + 1) * Math.floor(chance() * 40_000) }
      return chance() < 0.3 ? [report, report] : [report]
    })
    .sort(() => (chance() < 0.3 ? 1 : -1))
  for (const report of reports) await applyReport(rt, message, report, pick)
}

async function applyReport(
  rt: TestRuntime['rt'],
  message: Told,
  report: { status: string; at: number },
  pick: <T>(values: readonly T[]) => T,
): Promise<void> {
  const { facts, record } = message
  const change = applyStatus(record, report)
  const unit = new Unit()
  if (record.status === 'failed' && change.next.status !== 'failed') {
    uncountFailed(unit, facts, message.errorCode)
    message.errorCode = null
  }
  for (const event of change.events) {
    const step = event.replace('message.', '') as 'sent' | 'delivered' | 'read' | 'failed'
    if (step === 'failed') message.errorCode = pick(['recipient_unreachable', 'channel_rejected'])
    if (step === 'delivered') {
      message.latencyMs = Math.max(0, (change.next.deliveredAt ?? 0) - (change.next.sentAt ?? 0))
      message.pricing = pick(['utility', 'marketing', null])
    }
    const { errorCode, latencyMs, pricing } = message
    countStatus(unit, facts, step, { errorCode, latencyMs, pricing: { category: pricing } })
  }
  if (unit.calls.length > 0) await rt.store.write(unit)
  message.record = change.next
}

/** Retention takes messages away; what was counted stays counted. */
async function deleteOld({ rt }: TestRuntime, end: number): Promise<void> {
  const unit = new Unit()
  const slot = unit.add(expireMessages, { before: end - 30 * dayMs, count: 1_000_000 })
  expect((await rt.store.write(unit)).rows(slot).length).toBeGreaterThan(0)
}

function messageRow(id: string, facts: MessageFacts) {
  return {
    id,
    account_id: facts.accountId,
    number_id: facts.phoneNumber,
    direction: facts.direction,
    type: facts.type,
    status: 'queued',
    channel_message_id: null,
    phone: null,
    user_id: null,
    customer_name: null,
    template: facts.template,
    language: null,
    category: facts.category,
    country: facts.country,
    api_key_id: facts.apiKeyId,
    client_reference: null,
    reply_to: null,
    used: null,
    held: 0,
    outcome: null,
    content: null,
    content_purged_at: null,
    error: null,
    history: '[]',
    event_sequence: 0,
    created_at: facts.createdAt,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
    settle_by: null,
    revision: 1,
  }
}

/** Counts every message by hand and compares all of the answer. */
function expectRecount(answer: Analytics, told: readonly Told[], keyOf: (message: Told) => string): void {
  const from = Date.parse(answer.from)
  const to = Date.parse(answer.to)
  const inside = told.filter(({ facts }) => facts.createdAt >= from && facts.createdAt < to)
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
    expect(series?.totals).toEqual(shownCounts(messages))
    const recounted = series?.points.map(({ start, end }) => {
      const [low, high] = [Date.parse(start), Date.parse(end)]
      const within = messages.filter(({ facts }) => facts.createdAt >= low && facts.createdAt < high)
      return { start, end, ...shownCounts(within) }
    })
    expect(series?.points).toEqual(recounted)
  }
  const histogram = inside
    .filter(({ record }) => record.deliveredAt !== null)
    .reduce((sum, { latencyMs }) => addLatency(sum, (latencyMs ?? 0) / 1_000), emptyHistogram())
  expect(answer.totals.delivery_seconds_p50).toBe(percentile(histogram, 0.5))
  expect(answer.totals.delivery_seconds_p95).toBe(percentile(histogram, 0.95))
  expect(Object.fromEntries(answer.failures.map(({ code, count }) => [code, count]))).toEqual(
    countBy(inside.flatMap(({ record, errorCode }) => (record.status === 'failed' ? [errorCode ?? ''] : []))),
  )
  expect(Object.fromEntries(answer.pricing.map(({ category, count }) => [category, count]))).toEqual(
    countBy(inside.flatMap(({ pricing }) => (pricing === null ? [] : [pricing]))),
  )
}

function shownCounts(messages: readonly Told[]) {
  const outbound = messages.filter(({ facts }) => facts.direction === 'outbound')
  const counts: Omit<Counts, 'created'> = {
    sent: outbound.filter(({ record }) => record.sentAt !== null).length,
    delivered: outbound.filter(({ record }) => record.deliveredAt !== null).length,
    read: outbound.filter(({ record }) => record.readAt !== null).length,
    failed: outbound.filter(({ record }) => record.status === 'failed').length,
    received: messages.length - outbound.length,
  }
  return { ...counts, ...deliveryRates(counts) }
}

function countBy(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, list]) => [value, list.length]))
}
