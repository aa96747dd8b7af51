import { attemptColumns, insertAttempt } from '../accounts/guesses.ts'
import type { Engine } from '../engine/dialect.ts'
import { operation, type RowOf } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'
import { Unit, type UnitResult } from '../engine/unit.ts'
import { endDeliveries } from './deliveries.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type claimInput,
  endClaim,
  finishChanges,
  finishDelivery,
  lockWebhooks,
  readClaimed,
  spendRate,
  statusAfter,
} from './delivery-claims.ts'
import { countAttempts, countedChanges, countsOf } from './webhook-states.ts'

type ClaimRow = RowOf<typeof claimInput>

type ClaimResult = {
  deliveries: ClaimedDelivery[]
  /** Another process was claiming from one of the webhooks at the same time; its deliveries were left out. */
  contested: boolean
}

/**
 * The statements of one claim and the reader of their result. Where nodes compete, the locks of the webhooks are taken
 * first and their rate limits are spent last; a store with one writer needs neither.
 */
export function claimUnit(
  { engine, shared }: Pick<Store, 'engine' | 'shared'>,
  rows: readonly ClaimRow[],
): [Unit, (result: UnitResult) => ClaimResult] {
  const unit = new Unit()
  const locks = shared ? unit.add(lockWebhooks, ...rows.map(({ webhook_id }) => ({ webhook_id }))) : null
  unit.add(claimDeliveries[engine], ...rows)
  const limited = rows.flatMap(({ webhook_id, per_second, now, claim }) =>
    per_second === null ? [] : [{ webhook_id, per_second, now, claim }],
  )
  if (shared && limited.length > 0) unit.add(spendRate, ...limited)
  const claims = unit.add(readClaimed, ...rows.map(({ webhook_id, claim }) => ({ webhook_id, claim })))
  const read = (result: UnitResult): ClaimResult => {
    const locked = locks === null ? rows.length : countWords(result.first(locks)?.locked ?? '')
    return { deliveries: result.rows(claims), contested: locked < rows.length }
  }
  return [unit, read]
}

function countWords(text: string): number {
  return text === '' ? 0 : text.split(' ').length
}

const recordInput = {
  ...attemptColumns,
  claim: 'text',
  outcome: 'text',
  status: 'text',
  due_at: 'int',
  step: 'int',
  pause_until: 'int',
  now: 'int',
  enforce: 'int',
} as const

/** An attempt, and what becomes of its delivery. */
export type RecordRow = RowOf<typeof recordInput>

/** The delivery's new state. */
type Recorded = { delivery_id: string; status: string }

const columnList = Object.keys(attemptColumns).join(', ')

/** A first attempt that succeeds is told by the delivery's own row; every other one has a row in the log. */
const isKept = `rows.number = 1 and rows.outcome = 'ok'`
const endColumns = `webhook_id, id, account_id, type, subject, status, attempts, cause, last_outcome, last_attempt_at,
  replay_id, created_at, url, remote_ip, status_code, duration_ms`
/** Of delivery `q` in the queue, after an attempt. */
const endValues = (
  status: string,
) => `q.webhook_id, q.id, q.account_id, q.type, q.subject, ${status}, q.attempts + 1, q.cause,
  rows.outcome, rows.started_at, q.replay_id, q.created_at, case when ${isKept} then rows.url end,
  case when ${isKept} then rows.remote_ip end, case when ${isKept} then rows.status_code end, case when ${isKept} then rows.duration_ms end`
/** A crash of PostgreSQL forgot the claim, and nobody has claimed or tried the delivery since: the attempt is its next one. */
const isForgotten = `q.attempts = rows.number - 1
  and (select 1 from delivery_claims c where c.delivery_id = rows.delivery_id limit 1) is distinct from 1`
const isEnd = (status: string) => `${status} not in ('pending', 'held')`

/**
 * PostgreSQL: log, counters and delivery in one statement. What ended goes from the queue to where it stays without a change
 * in between. Only what deletes the claim counts, or what has lost it; all parts see what was there before. The counters are changed before the
 * deliveries, as by statements in turn: locks are taken in one order. Named as the last of those that SQLite has for it.
 */
const recordAttempts = operation({
  name: 'deliveries.finish',
  input: recordInput,
  returns: { delivery_id: 'text', account_id: 'text', status: 'text' },
  alone: true,
  wakes: 'attempts',
  ctes: `freed as (
      delete from delivery_claims c using rows where c.delivery_id = rows.delivery_id and c.claim = rows.claim
      returning c.delivery_id
    ), judged as materialized (
      select rows.*, q.last_outcome, q.account_id, q.id is not null as held,
        (select ${statusAfter} from delivery_queue where delivery_queue.webhook_id = q.webhook_id and delivery_queue.id = q.id)
          as new_status
      from rows left join freed on freed.delivery_id = rows.delivery_id
        left join delivery_queue q on q.webhook_id = rows.webhook_id and q.id = rows.delivery_id
          and (freed.delivery_id is not null or ${isForgotten})
    ), logged as (
      insert into attempts (${columnList}, late)
      select ${columnList}, case when held then 0 else 1 end from judged rows where not (held and ${isKept})
      on conflict (delivery_id, id) do nothing
    ), counted as (
      update webhook_states set ${countedChanges}
      from (${countsOf('judged', 'judged')}
        from judged left join webhooks w on w.id = judged.webhook_id where judged.held
        group by judged.webhook_id order by judged.webhook_id) done
      where webhook_states.webhook_id = done.webhook_id returning 1
    ), again as (
      update delivery_queue set status = rows.new_status, ${finishChanges} from judged rows
      where delivery_queue.webhook_id = rows.webhook_id and delivery_queue.id = rows.delivery_id and rows.held
        and not (${isEnd('rows.new_status')}) and (select count(*) from counted) >= 0
    ), ended as (
      insert into deliveries (${endColumns}) select ${endValues('rows.new_status')}
      from judged rows join delivery_queue q on q.webhook_id = rows.webhook_id and q.id = rows.delivery_id
      where rows.held and ${isEnd('rows.new_status')} and (select count(*) from counted) >= 0
      on conflict do nothing
    ), gone as (
      delete from delivery_queue q using judged rows
      where q.webhook_id = rows.webhook_id and q.id = rows.delivery_id and rows.held and ${isEnd('rows.new_status')})`,
  sql: 'select delivery_id, account_id, new_status as status from judged where held',
})

const finishDeliveries = { sqlite: finishDelivery, postgres: recordAttempts } satisfies Record<Engine, object>

/** SQLite: a success is stored with its attempt, before the queue forgets it. */
const storeDelivered = operation({
  name: 'deliveries.store_delivered',
  input: recordInput,
  sql: `insert into deliveries (${endColumns}) select ${endValues('rows.status')}
        from rows join delivery_claims c on c.delivery_id = rows.delivery_id and c.claim = rows.claim
          join delivery_queue q on q.webhook_id = c.webhook_id and q.id = c.delivery_id
        where rows.outcome = 'ok' on conflict do nothing`,
})

/** The statements that store attempts, and the reader of what their deliveries became. */
export function recordUnit(
  { engine }: Pick<Store, 'engine'>,
  rows: readonly RecordRow[],
): [Unit, (result: UnitResult) => Recorded[]] {
  const unit = new Unit()
  if (engine === 'postgres') {
    const recorded = unit.add(finishDeliveries.postgres, ...rows)
    return [unit, (result) => result.rows(recorded)]
  }
  unit.add(insertAttempt, ...rows.map(attemptOf))
  // Before the deliveries: it reads what they were.
  unit.add(countAttempts, ...rows.map(countOf))
  unit.add(storeDelivered, ...rows)
  const finished = unit.add(finishDelivery, ...rows.map(finishOf))
  unit.add(endClaim, ...rows.map(({ delivery_id: id, claim }) => ({ id, claim })))
  endDeliveries(unit, engine)
  return [unit, (result) => result.rows(finished).map(({ id, status }) => ({ delivery_id: id, status }))]
}

function attemptOf({ status, due_at, step, pause_until, now, enforce, ...attempt }: RecordRow) {
  return attempt
}

function countOf({ delivery_id, webhook_id, claim, url, outcome, started_at, pause_until }: RecordRow) {
  return { delivery_id, webhook_id, claim, url, outcome, started_at, pause_until }
}

function finishOf(row: RecordRow) {
  const { delivery_id: id, webhook_id, claim, url, status, now, due_at, step, outcome, started_at, enforce } = row
  return { id, webhook_id, claim, url, status, now, due_at, step, outcome, started_at, enforce }
}
