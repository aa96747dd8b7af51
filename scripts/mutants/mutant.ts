/** A bug that a change could introduce, and the test that must detect it. */
export type Mutant = {
  readonly id: string
  readonly area: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  /** Fails with the bug planted. */
  readonly test: string
}

type Row = readonly [id: string, file: string, find: string, replace: string, test: string]

export function mutantsOf(area: string, rows: readonly Row[]): Mutant[] {
  return rows.map(([id, file, find, replace, test]) => ({ id, area, file, find, replace, test }))
}
