import type { Engine } from '../engine/dialect.ts'

/**
 * The tables of one noun. Statements are the same for both engines but for the tokens of dialect.ts; what only one engine
 * needs goes into its own list.
 */
export type TableStatements = { readonly statements: readonly string[] } & {
  readonly [Own in Engine]?: readonly string[]
}
