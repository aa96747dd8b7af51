import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { countCreated, countStatus, type MessageFacts } from '../server/src/analytics/count-message.ts'
import { foldSteps } from '../server/src/analytics/fold-steps.ts'
import { getAnalytics } from '../server/src/analytics/get-analytics.ts'
import type { AnalyticsQuery } from '../server/src/analytics/read-request.ts'
import { dayMs } from '../server/src/lib/durations.ts'
import type { Runtime } from '../server/src/runtime.ts'
import {
  countSeries,
  dimensions,
  failuresBeside,
  type Series,
  seriesFor,
  valueSeries,
} from '../server/src/store/analytics/rollups-series.ts'
import type { Store } from '../server/src/store/engine/store.ts'
import { Unit } from '../server/src/store/engine/unit.ts'
import { openStore } from '../server/src/store/open-store.ts'
import { openSqlite } from '../server/src/store/sqlite/sqlite-connection.ts'
import { startPostgres } from '../test/support/postgres/postgres.ts'
import { type Bench, median, type Row, round } from './harness.ts'

const now = Date.UTC(2026, 10, 15, 10, 7)
const quarterMs = 900_000
const days = 30
const firstDay = Math.floor(now / dayMs) * dayMs - days * dayMs
const quarters = Math.floor((now - firstDay) / quarterMs)
const small = 'acc_ten_thousand'
const large = 'acc_five_million'

// 10 templates to 6 countries from 2 numbers with 2 keys: 240 kinds of message in every quarter hour.
const kinds = { templates: 10, countries: ['PT', 'BR', 'DE', 'FR', 'IN', 'US'], numbers: 2, keys: 2 }
const perCell = Math.round(5_000_000 / quarters / 240)

/** The claim: what an answer costs depends on the range, not on the number of messages. */
export const analyticsBench: Bench = {
  name: 'analytics',
  summary: '30 days of analytics in an account with 10 thousand and in one with 5 million messages',
  async run() {
    return [
      { title: 'SQLite, one answer after another', rows: await onSqlite(measure) },
      { title: 'PostgreSQL on the same machine, one answer after another', rows: await onPostgres(measure) },
    ]
  },
}

const questions: Record<string, AnalyticsQuery> = {
  'totals by day': {},
  'totals by day, Lisbon': { timezone: 'Europe/Lisbon' },
  'totals by day, Kolkata': { timezone: 'Asia/Kolkata' },
  'totals by hour': { granularity: 'hour' },
  'by template': { group_by: ['template'] },
  'by template and country': { group_by: ['template', 'country'] },
  'by template, Lisbon': { group_by: ['template'], timezone: 'Europe/Lisbon' },
  'by template, Kolkata': { group_by: ['template'], timezone: 'Asia/Kolkata' },
  'one template': { template: 'template_3' },
}

async function measure(store: Store): Promise<Row[]> {
  const rt = runtimeOn(store)
  const rows: Row[] = []
  const from = new Date(now - days * dayMs).toISOString().slice(0, 10)
  for (const [question, query] of Object.entries(questions)) {
    rows.push(await compare(question, (accountId) => getAnalytics(rt, accountId, { from, ...query })))
  }
  rows.push(
    await compare(
      'totals by day, after 100 messages',
      (accountId) => getAnalytics(rt, accountId, { from }),
      (accountId) => countMessages(store, accountId, 100, now - quarterMs),
    ),
  )
  return rows
}

/** In turns, so that a noisy neighbour of the machine hits both alike; the first rounds only warm up. */
async function compare(
  question: string,
  ask: (accountId: string) => Promise<unknown>,
  before: (accountId: string) => Promise<void> = async () => {},
): Promise<Row> {
  const times: Record<string, number[]> = { [small]: [], [large]: [] }
  for (let turn = -2; turn < 40; turn++) {
    for (const accountId of [small, large]) {
      await before(accountId)
      const startedAt = performance.now()
      await ask(accountId)
      if (turn >= 0) times[accountId]?.push(performance.now() - startedAt)
    }
  }
  const [few = [], many = []] = [times[small], times[large]]
  return {
    question,
    '10 thousand, median ms': round(median(few)),
    '5 million, median ms': round(median(many)),
    'ratio of medians': round(median(many) / median(few)),
    'least, ms': round(Math.min(...few)),
    'least of 5 million, ms': round(Math.min(...many)),
    'ratio of the least': round(Math.min(...many) / Math.min(...few)),
  }
}

function runtimeOn(store: Store): Runtime {
  return { store, clock: { now: () => now }, config: { retentionMetadataDays: 400 } } as Runtime
}

/** The small account as messages make it: one by one, counted and folded. */
async function fillSmall(store: Store): Promise<void> {
  for (let part = 0; part < 100; part++) await countMessages(store, small, 100, firstDay)
  await foldSteps({ store })
}

/** Messages of all kinds at any time since one; one in fifty fails. */
async function countMessages(store: Store, accountId: string, count: number, since: number): Promise<void> {
  const pick = (below: number) => Math.floor(Math.random() * below)
  await Promise.all(
    Array.from({ length: count }, async () => {
      const facts: MessageFacts = {
        accountId,
        createdAt: since + pick(now - since),
        direction: 'outbound',
        type: 'template',
        template: `template_${pick(kinds.templates)}`,
        language: 'en',
        category: 'utility',
        country: kinds.countries[pick(kinds.countries.length)] ?? null,
        phoneNumber: `pn_${pick(kinds.numbers)}`,
        broadcastId: null,
        apiKeyId: `key_${pick(kinds.keys)}`,
        recipient: `r${pick(5_000)}`,
      }
      const unit = new Unit()
      countCreated(unit, facts)
      if (pick(50) === 0) countStatus(unit, facts, 'failed', { errorCode })
      else {
        countStatus(unit, facts, 'sent')
        countStatus(unit, facts, 'delivered', { latencyMs: 500 * 2 ** pick(4), price: { key: 'utility', day: 0 } })
        countStatus(unit, facts, 'read')
      }
      await store.write(unit)
    }),
  )
}

const errorCode = 'recipient_unreachable'
const place = `account_id, series, start, direction, ${dimensions.join(', ')}`
const counters = ['created', 'sent', 'delivered', 'read', 'failed', 'received', 'replies', 'taps']
const finest = seriesFor(countSeries, dimensions, quarterMs)
const latencyBuckets = [3, 5, 7, 8]

/**
 * The large account as five million messages would leave it: the same rows, with counts that nobody had to send. Every
 * quarter hour has every kind of message; those to one country also fail, 2 in 100 of all; recipients come back after 1 to
 * 30 days.
 */
function fillLarge(series: (name: string, count: number) => string): string[] {
  const insert = `insert into message_rollups (${place}, error_code, ${counters.join(', ')})`
  const failing = kinds.countries[0]
  const cells = `select '${large}', ${finest}, ${firstDay} + q.i * ${quarterMs}, 'outbound', 'template',
      'template_' || t.i, 'utility', c.code, 'pn_' || p.i, 'key_' || k.i, '', ${perCell}, ${perCell}, ${perCell},
      ${perCell}, case when c.code = '${failing}' then 1 else 0 end, 0, 0, 0
      from ${series('q', quarters)}, ${series('t', kinds.templates)}, ${series('p', kinds.numbers)},
        ${series('k', kinds.keys)}, (${kinds.countries.map((name) => `select '${name}' as code`).join(' union all ')}) c`
  const coarser = countSeries.filter((one) => one.series !== finest)
  const values = `insert into rollup_values (${place}, kind, value, n)`
  const failures = `select ${place.replace('series', `series + ${failuresBeside}`)}, '${errorCode}', 0, 0, 0, 0, failed, 0, 0, 0
    from message_rollups where account_id = '${large}' and failed > 0`
  const valued = `from message_rollups r where account_id = '${large}'
    and series in (${valueSeries.map((one) => one.series).join(', ')})`
  return [
    `${insert} ${cells}`,
    ...coarser.sort((a, b) => b.keeps.length - a.keeps.length).map((one) => `${insert} ${summed(one)}`),
    `${insert} ${failures}`,
    ...latencyBuckets.map((bucket) => `${values} select ${place}, 'latency', '${bucket}', delivered / 4 ${valued}`),
    `${values} select ${place}, 'pricing', 'utility', delivered ${valued}`,
    `insert into recipient_gaps (account_id, day, previous_day, n)
      select '${large}', ${firstDay} + d.i * ${dayMs}, ${firstDay} + (d.i - 1 - g.i) * ${dayMs}, 1000
      from ${series('d', days + 1)}, ${series('g', days)}`,
  ]
}

/** A series from the one that tells everything apart: of the same span, once that is there. */
function summed({ series, spanMs, keeps }: Series): string {
  const source = keeps.length === dimensions.length ? finest : seriesFor(countSeries, dimensions, spanMs)
  const kept = dimensions.map((name) => (keeps.includes(name) ? name : "''"))
  return `select account_id, ${series}, (start / ${spanMs}) * ${spanMs}, direction, ${kept.join(', ')}, error_code,
    ${counters.map((name) => `sum(${name})`).join(', ')} from message_rollups
    where account_id = '${large}' and series = ${source} group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`
}

async function onSqlite(work: (store: Store) => Promise<Row[]>): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const path = join(folder, 'postern.db')
  try {
    const store = await openStore({ database: { kind: 'sqlite', path }, now })
    try {
      await fillSmall(store)
      const db = openSqlite(path, 'write')
      const series = (name: string, count: number) =>
        `(with recursive counted(i) as (select 0 union all select i + 1 from counted where i < ${count - 1}) select i from counted) ${name}`
      for (const statement of fillLarge(series)) db.exec(statement)
      db.close()
      return await work(store)
    } finally {
      await store.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function onPostgres(work: (store: Store) => Promise<Row[]>): Promise<Row[]> {
  const server = await startPostgres({ durable: true })
  try {
    const store = await openStore({ database: { kind: 'postgres', url: server.url }, now })
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    try {
      await fillSmall(store)
      const series = (name: string, count: number) => `generate_series(0::bigint, ${count - 1}::bigint) ${name}(i)`
      for (const statement of fillLarge(series)) await client.query(statement)
      await client.query('vacuum analyze')
      return await work(store)
    } finally {
      await client.end()
      await store.close()
    }
  } finally {
    await server.stop()
  }
}
