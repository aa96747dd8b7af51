import { firstIdAt } from '../../lib/ids.ts'
import { type DayKeeper, type DayTable, daysAhead, dayTableNames, dayTables } from '../engine/day-tables.ts'
import { deleteInBatches } from '../engine/expire-before.ts'
import { operation } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'

const deletions = Object.fromEntries(dayTableNames.map((table) => [table, deletionOf(table)])) as Record<
  DayTable,
  ReturnType<typeof deletionOf>
>

/** Without partitions: the beginning of the index of ids goes, a bounded number at a time. */
export function createSqliteDays(write: Store['write']): DayKeeper {
  return {
    async make() {},
    async ahead() {
      return daysAhead
    },
    async drop(table, before) {
      const first_kept = firstIdAt(dayTables[table].prefix, before)
      await deleteInBatches({ writeApart: write }, (unit, count) => unit.add(deletions[table], { first_kept, count }))
    },
  }
}

function deletionOf(table: DayTable) {
  const { column } = dayTables[table]
  return operation({
    name: `${table}.delete_days`,
    input: { first_kept: 'text', count: 'int' },
    returns: { deleted: 'int' },
    alone: true,
    sql: `delete from ${table} where rowid in (select rowid from ${table} where ${column} < (select first_kept from rows)
            order by ${column} limit (select count from rows)) returning 1 as deleted`,
  })
}
