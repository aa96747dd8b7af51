import type { Engine } from '../engine/dialect.ts'

/**
 * One step of the schema, forward only. Statements are the same for both engines but for the tokens of dialect.ts; what
 * only one engine needs goes into its own list. A migration that has been released is never edited: its checksum is kept.
 */
export type Migration = {
  readonly id: number
  readonly name: string
  readonly statements: readonly string[]
} & { readonly [Own in Engine]?: readonly string[] }
