import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { AppError } from '../contract/app-error.ts'
import type { BroadcastStatus, HoldReason, PauseReason } from '../contract/broadcasts/broadcasts.ts'
import { holdReasons } from '../contract/broadcasts/broadcasts.ts'
import { secondMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { type NumberFacts, readNumbers } from '../messages/number-facts.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, findBroadcast } from '../store/broadcasts/broadcasts.ts'
import { findSendRate } from '../store/broadcasts/results.ts'
import type { TemplateRecord } from '../templates/content/template-types.ts'
import { costOf } from './broadcast-cost.ts'
import { type Moment, type Tally, tallyOf } from './count-results.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { type QuietHours, readQuietHours } from './quiet-hours.ts'

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

export function statusOf({ status }: BroadcastRow): BroadcastStatus {
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

/** What callers, events and the console see of a broadcast. */
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
