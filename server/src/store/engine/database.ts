import { query } from './operation.ts'

/** The location of the data; `kind` is the engine. Chosen by the settings. */
export type Database = SqliteDatabase | PostgresDatabase
export type SqliteDatabase = { readonly kind: 'sqlite'; readonly path: string }
export type PostgresDatabase = { readonly kind: 'postgres'; readonly url: string }

/** The functions of an engine besides storing: everything that depends on the engine. */
export type EngineFacts = {
  /** For people. */
  readonly title: string
  /** `db.system.name` of a trace, by OpenTelemetry's list. */
  readonly traceName: string
  /**
   * Any number of processes may work on the data at once, on any machine. Otherwise they are in the data folder, which
   * belongs to one server: it holds a lock, and commands that change data are carried out by it.
   */
  readonly shared: boolean
  /** The operator's replacement for `postern backup` and `postern restore`; null if these two copy the data. */
  readonly ownTools: { readonly backup: string; readonly restore: string } | null
  /** Whether something was stored already, as far as that can be seen without opening it. */
  hasData(): boolean
  /** URLs of its servers, which no webhook may reach. */
  serverUrls(): string[]
}

/** Everything on the disk of the database, indexes and free pages too. */
export const databaseBytes = query({
  name: 'database.bytes',
  params: {},
  returns: { bytes: 'int' },
  lane: 'list',
  sql: 'select {database_bytes} as bytes',
})

/** The largest first. It reads the whole file on SQLite, so it is asked for by hand. */
export const listTableBytes = query({
  name: 'database.tables',
  params: {},
  returns: { name: 'text', bytes: 'int' },
  lane: 'list',
  sql: 'select name, bytes from {table_bytes} as t order by bytes desc, name limit 200',
})

export const lastArchived = query({
  name: 'database.last_archived',
  params: {},
  returns: { at: 'int?' },
  lane: 'list',
  sql: 'select {last_archived} as at',
})

/** Of all accounts. An id begins with the time of its message, so this reads a range of the primary key. */
export const countMessagesBetween = query({
  name: 'messages.between_ids',
  params: { from_id: 'text', to_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from messages where id >= :from_id and id < :to_id',
})
