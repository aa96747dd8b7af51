import type { Engine } from '../engine/dialect.ts'

/** One step of the schema, forward only. A migration that has been released is never edited: its checksum is stored. */
export type Migration = TableStatements & { readonly id: number; readonly name: string }

export type Applied = { id: number; checksum: string; applied_at: number }

/** A connection as migrations need it: few statements, one after another, in one transaction. */
export type Session = {
  engine: Engine
  run(sql: string, values?: (string | number)[]): Promise<void>
  rows(sql: string): Promise<Applied[]>
  /** Waits for another process that is migrating, and then sees what it did. */
  locked(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/**
 * The tables of one noun. Statements are the same for both engines but for the tokens of dialect.ts; what only one engine
 * needs goes into its own list.
 */
export type TableStatements = { readonly statements: readonly string[] } & {
  readonly [Own in Engine]?: readonly string[]
}
