import { attemptColumns, insertAttempt } from '../accounts/attempts.ts'
import type { Engine } from '../engine/dialect.ts'
import { operation, type RowOf } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'
import { Unit, type UnitResult } from '../engine/unit.ts'
import { finishChanges, finishDelivery } from './delivery-claims.ts'
import { countAttempts, countedChanges, countsOf } from './webhook-states.ts'

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

/** What the delivery is now. */
export type Recorded = { delivery_id: string; status: string }

const columnList = Object.keys(attemptColumns).join(', ')

/**
 * PostgreSQL: log, counters and delivery in one statement, which takes what they have in common once and looks each delivery
 * up once for log and counters. All its parts see what was there before it. The counters are changed before the deliveries,
 * as by statements in turn: locks are taken in one order. Named as the last of those that SQLite has for it.
 */
const recordAttempts = operation({
  name: 'deliveries.finish',
  input: recordInput,
  returns: { delivery_id: 'text', account_id: 'text', status: 'text' },
  alone: true,
  wakes: 'attempts',
  ctes: `judged as (
      select rows.*, d.last_outcome, d.id is not null as held from rows
        left join deliveries d on d.id = rows.delivery_id and d.claim = rows.claim
    ), logged as (
      insert into attempts (${columnList}, late)
      select ${columnList}, case when held then 0 else 1 end from judged on conflict (id) do nothing
    ), counted as (
      update webhook_states set ${countedChanges}
      from (${countsOf('judged', 'judged')}
        from judged left join webhooks w on w.id = judged.webhook_id where judged.held
        group by judged.webhook_id order by judged.webhook_id) done
      where webhook_states.webhook_id = done.webhook_id returning 1)`,
  sql: `update deliveries set ${finishChanges}
        from rows where deliveries.id = rows.delivery_id and deliveries.claim = rows.claim
          and (select count(*) from counted) >= 0
        returning deliveries.id as delivery_id, deliveries.account_id, deliveries.status`,
})

export const finishDeliveries = { sqlite: finishDelivery, postgres: recordAttempts } satisfies Record<Engine, object>

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
  const finished = unit.add(finishDeliveries.sqlite, ...rows.map(finishOf))
  return [unit, (result) => result.rows(finished).map(({ id, status }) => ({ delivery_id: id, status }))]
}

function attemptOf({ outcome, status, due_at, step, pause_until, now, enforce, ...attempt }: RecordRow) {
  return attempt
}

function countOf({ delivery_id, claim, url, outcome, started_at, pause_until }: RecordRow) {
  return { delivery_id, claim, url, outcome, started_at, pause_until }
}

function finishOf(row: RecordRow) {
  const { delivery_id: id, claim, url, status, now, due_at, step, outcome, started_at, enforce } = row
  return { id, claim, url, status, now, due_at, step, outcome, started_at, enforce }
}
