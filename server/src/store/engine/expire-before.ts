import { operation } from './operation.ts'

type Expiry = {
  table: string
  key: readonly string[]
  /** The column of their age; it has an index. */
  time: string
  /** A condition for the rows that may go. */
  only?: string
}

/** Deletes the oldest rows from before a time, a bounded number, so that one run never holds the writer for long. */
export function expireBefore({ table, key, time, only = '' }: Expiry) {
  const columns = key.join(', ')
  return operation({
    name: `${table}.expire`,
    input: { before: 'int', count: 'int' },
    returns: { deleted: 'int' },
    alone: true,
    sql: `delete from ${table} where (${columns}) in (
            select ${columns} from ${table} where ${time} < (select before from rows)${only && ` and ${only}`}
            order by ${time} limit (select count from rows))
          returning 1 as deleted`,
  })
}
