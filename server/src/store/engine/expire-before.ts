import { setTimeout as pause } from 'node:timers/promises'
import { operation, type Shape } from './operation.ts'
import type { Store } from './store.ts'
import { type CallHandle, Unit } from './unit.ts'

type Expiry = {
  table: string
  key: readonly string[]
  /** The column of their age; it has an index. */
  time: string
  /** A condition for the rows that may go. */
  only?: string
}

/**
 * Deletes the oldest rows from before a time, a bounded number, so that one run never holds the writer for long. The
 * delete looks at the age again: a row that is changed meanwhile may be young again.
 */
export function expireBefore({ table, key, time, only = '' }: Expiry) {
  const row = `{row:${key.join(', ')}}`
  const isOld = `${time} < (select before from rows)${only && ` and ${only}`}`
  return operation({
    name: `${table}.expire`,
    input: { before: 'int', count: 'int' },
    returns: { deleted: 'int' },
    alone: true,
    ctes: `oldest as (select ${row} from ${table} where ${isOld} order by ${time} limit (select count from rows))`,
    sql: `delete from ${table} where (${row}) {in:oldest} and ${isOld} returning 1 as deleted`,
  })
}

/** SQLite has one writer, which a delete holds: for about as long as a commit takes, and then sends have it for twice as long. */
const ofOneWriter = { batchMax: 100, restsFor: 2 }
const ofMany = { batchMax: 1_000, restsFor: 0 }

/** Repeats a bounded delete until it finds less than a batch, so that nobody waits for a long one. Returns how many went. */
export async function deleteInBatches(
  store: Pick<Store, 'writeApart' | 'engine'>,
  add: (unit: Unit, count: number) => CallHandle<Shape>,
): Promise<number> {
  const { batchMax, restsFor } = store.engine === 'sqlite' ? ofOneWriter : ofMany
  for (let total = 0; ; ) {
    const unit = new Unit()
    const call = add(unit, batchMax)
    const startedAt = performance.now()
    const deleted = (await store.writeApart(unit)).rows(call).length
    total += deleted
    if (deleted < batchMax) return total
    if (restsFor > 0) await pause((performance.now() - startedAt) * restsFor)
  }
}
