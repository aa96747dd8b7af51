import { operation, query } from './operation.ts'

/** A text column whose values are sealed with the master key. */
export type SealedPlace = {
  readonly table: string
  readonly key: string
  readonly column: string
  /** For tables whose rows belong to an account. */
  readonly perAccount: boolean
  /** The one row of a table whose other rows are not sealed. */
  readonly onlyKey?: string
}

/** Reads and replaces the values of one place. Declared per place, because a statement cannot name its table by value. */
export function sealedColumn({ table, key, column, perAccount, onlyKey }: SealedPlace) {
  const name = `${table}.${column}`
  const only = onlyKey === undefined ? '' : `and ${key} = '${onlyKey}'`
  return {
    /** Values that were not sealed with the key of this prefix, in the order of their rows. */
    unchanged: query({
      name: `${name}.unchanged`,
      params: { prefix: 'text', after: 'text', count: 'int' },
      returns: { id: 'text', account_id: 'text?', sealed: 'text' },
      lane: 'list',
      sql: `select ${key} as id, ${perAccount ? 'account_id' : 'null'} as account_id, ${column} as sealed from ${table}
            where ${key} > :after and ${column} is not null and ${column} not like :prefix ${only}
            order by ${key} limit :count`,
    }),
    /** Only where the value is still the one that was read. */
    replace: operation({
      name: `${name}.reseal`,
      input: { id: 'text', was: 'text', sealed: 'text' },
      key: ['id'],
      sql: `update ${table} set ${column} = rows.sealed from rows
            where ${table}.${key} = rows.id and ${table}.${column} = rows.was`,
    }),
  }
}
