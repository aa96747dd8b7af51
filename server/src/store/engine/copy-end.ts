import type { Engine } from './dialect.ts'

export type CopyValue = string | number | Uint8Array | null
export type CopyRow = readonly CopyValue[]

/** A table as both engines have it: read from the schema itself, so that a new table is copied without being listed. */
export type CopyTable = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[]
  /** The column that counts, where the table has one. */
  readonly counter: string | null
}

/** A database that a copy reads or fills: one connection, without the store. Parameters are written ?1 on both engines. */
export type CopyEnd = {
  readonly engine: Engine
  rows(sql: string, values?: CopyRow): Promise<CopyRow[]>
  /** All of it or nothing. */
  inOne(work: () => Promise<void>): Promise<void>
  insert(table: CopyTable, rows: readonly CopyRow[]): Promise<void>
  /** The last number that was given, also to a row that is gone. */
  counter(table: CopyTable): Promise<number>
  setCounter(table: CopyTable, last: number): Promise<void>
  /** After everything is there. */
  tidy(): Promise<void>
  close(): Promise<void>
}
