/** Where the data are; `kind` names the engine. The settings choose it. */
export type Database = SqliteDatabase | PostgresDatabase
export type SqliteDatabase = { readonly kind: 'sqlite'; readonly path: string }
export type PostgresDatabase = { readonly kind: 'postgres'; readonly url: string }

/** What the program asks of an engine besides storing: everything that depends on which one it is. */
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
  /** What the operator runs instead of `postern backup` and `postern restore`; null where these two copy the data. */
  readonly ownTools: { readonly backup: string; readonly restore: string } | null
  /** Whether something was stored already, as far as that can be seen without opening it. */
  hasData(): boolean
  /** URLs of its servers, which no webhook may reach. */
  serverUrls(): string[]
}
