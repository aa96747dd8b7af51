import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../contract/app-error.ts'
import {
  type BroadcastStatus,
  type HoldReason,
  holdReasons,
  type PauseReason,
} from '../contract/broadcasts/broadcasts.ts'
import { formatAmount } from '../costs/money.ts'
import { estimateCost, pricer, readPriceList } from '../costs/price-of.ts'
import { secondMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { type NumberFacts, readNumbers } from '../messages/number-facts.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import {
  type BroadcastRow,
  broadcastListing,
  findBroadcast,
  measureBroadcasts as measure,
} from '../store/broadcasts/broadcasts.ts'
import { findSendRate } from '../store/broadcasts/results.ts'
import { readBroadcastPrices } from '../store/costs/price-days.ts'
import { readList } from '../store/engine/list.ts'
import type { TemplateRecord } from '../templates/content/template-types.ts'
import { type Moment, type Tally, tallyOf } from './count-results.ts'
import { type QuietHours, readQuietHours } from './quiet-hours.ts'
import { compilePattern, type Pattern } from './recipients/check-row.ts'

/** Cost of the delivered messages by the rate cards of their days; null if none has a price. */
async function costOf(rt: Runtime, { id, account_id }: BroadcastRow, currency: string | null) {
  const rows = await rt.store.read(readBroadcastPrices, { broadcast_id: id })
  if (rows.length === 0 || currency === null) return null
  const rateOf = pricer(await readPriceList(rt, account_id))
  let [micros, priced, unpriced] = [0, 0, 0]
  for (const { country, day, price_key: key, n } of rows) {
    const { rate } = rateOf(country, currency, day, key)
    if (rate === null) unpriced += n
    else priced += n
    micros += n * (rate ?? 0)
  }
  return priced === 0 ? null : { amount: formatAmount(micros), currency, priced, unpriced }
}

/** At most this much, by the rate card of today. Null where a country has no rate. */
export async function costAhead(rt: Runtime, row: BroadcastRow, category: string, countries: Countries) {
  const recipients = new Map(countries.map(({ country, count }) => [country, count]))
  const question = { accountId: row.account_id, numberId: row.number_id, category, recipients }
  const { amount, currency, unpriced, basis } = await estimateCost(rt, question)
  return amount === null || currency === null || unpriced > 0 ? null : { amount, currency, basis }
}

type Countries = readonly { country: string | null; count: number }[]

export type Owner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** A broadcast of the account, through a number that the caller may use. */
export async function requireBroadcast(rt: Runtime, owner: Owner, id: string): Promise<BroadcastRow> {
  const [row] = await rt.store.read(findBroadcast, { account_id: owner.accountId, id })
  if (!row) throw new AppError('broadcast_not_found', 'This account has no broadcast with this id.')
  if (owner.phoneNumberIds && !owner.phoneNumberIds.includes(row.number_id)) {
    throw new AppError('number_not_allowed', 'This API key may not use the number of this broadcast.')
  }
  return row
}

function statusOf({ status }: BroadcastRow): BroadcastStatus {
  return status as BroadcastStatus
}

export function isHold(reason: string | null): reason is HoldReason {
  return (holdReasons as readonly (string | null)[]).includes(reason)
}

export function patternOf({ components }: Pick<BroadcastRow, 'components'>): Pattern {
  return compilePattern(JSON.parse(components))
}

export function quietHoursOf({ quiet_hours: text }: BroadcastRow): QuietHours | null {
  return text === null ? null : readQuietHours(JSON.parse(text))
}

/** Differs when the template says something else than when the broadcast was started, or costs something else. */
export function markOf({ category, components }: Pick<TemplateRecord, 'category' | 'components'>): string {
  return createHash('sha256')
    .update(JSON.stringify([category, components]))
    .digest('base64url')
    .slice(0, 22)
}

/** A broadcast as shown to callers, in events and in the console. */
export async function describe(rt: Runtime, row: BroadcastRow, moment: Moment = 'any') {
  const [tally, numbers, [number]] = await Promise.all([
    tallyOf(rt, row, moment),
    readNumbers(rt, row.account_id),
    rt.store.read(findSendRate, { number_id: row.number_id }),
  ])
  const cost = await costOf(rt, row, number?.currency ?? null)
  return view(row, tally, numbers, { now: rt.clock.now(), sendsPerSecond: number?.sends_per_second ?? 1, cost })
}

type Facts = { now: number; sendsPerSecond: number; cost: Awaited<ReturnType<typeof costOf>> }

function view(row: BroadcastRow, tally: Tally, numbers: Map<string, NumberFacts>, facts: Facts) {
  const { now, sendsPerSecond, cost } = facts
  const components = JSON.parse(row.components) as unknown[] | null
  const perSecond = Math.min(row.max_per_second ?? sendsPerSecond, sendsPerSecond)
  const runs = row.status === 'running' && row.reason === null
  const since = formatInstant(row.reason_since ?? row.updated_at)
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row),
    reason: row.reason as HoldReason | PauseReason | null,
    hold: isHold(row.reason) ? { reason: row.reason, since, until: formatInstant(row.hold_until) } : null,
    from: numbers.get(row.number_id)?.phoneNumber ?? null,
    template: row.template,
    language: row.language,
    components,
    columns: patternOf(row).columns.map(({ name }) => name),
    quiet_hours: row.quiet_hours === null ? null : JSON.parse(row.quiet_hours),
    valid_for: row.valid_for,
    max_per_second: row.max_per_second,
    message_events: (row.message_events ?? 'all') as 'all' | 'failed' | 'none',
    counts: tally.counts,
    skipped: tally.skipped,
    failures: tally.failures,
    rate: runs
      ? { per_second: perSecond, ends_at: formatInstant(now + (tally.counts.waiting / perSecond) * secondMs) }
      : null,
    cost,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    start_at: formatInstant(row.start_at),
    started_at: formatInstant(row.started_at),
    expires_at: formatInstant(row.expires_at),
    ended_at: formatInstant(row.ended_at),
    as_of: formatInstant(tally.at),
  }
}

export async function getBroadcast(rt: Runtime, owner: Owner, id: string) {
  return describe(rt, await requireBroadcast(rt, owner, id))
}

export async function listBroadcasts(
  rt: Runtime,
  { accountId, phoneNumberIds }: Owner,
  { status, ...page }: PageRequest & { status: string | null },
) {
  const boundTo = ['broadcasts', accountId, { status: status ?? undefined, numbers: phoneNumberIds?.join(' ') }]
  const listing = broadcastListing(accountId, {
    statuses: status === null ? null : [status],
    numberIds: phoneNumberIds,
  })
  const { shown, pagination } = await readPage(rt, listing, { ...page, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  return { broadcasts: await Promise.all(shown.map((row) => describe(rt, row))), pagination }
}

/** For the operator's gauges. */
export async function measureBroadcasts(rt: Runtime): Promise<void> {
  const rows = await rt.store.read(measure, {})
  const stateOf = ({ status, reason }: { status: string; reason: string }) =>
    status === 'paused' ? 'paused' : isHold(reason) ? 'held' : 'running'
  for (const state of ['running', 'held', 'paused'] as const) {
    const count = rows.filter((row) => stateOf(row) === state).reduce((sum, row) => sum + row.count, 0)
    rt.metrics.broadcasts.set({ state }, count)
  }
  const waiting = rows.filter(({ status }) => status === 'running').reduce((sum, row) => sum + row.waiting, 0)
  rt.metrics.broadcastsWaiting.set({}, waiting)
}
