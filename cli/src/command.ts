import type { ParseArgsOptionsConfig } from 'node:util'

export type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>
export type Output = {
  /** Results: stdout, one object per line with --json. */
  result(value: Record<string, unknown>, text: string): void
  /** For people: stderr. */
  note(text: string): void
}

export type Invocation = { flags: Flags; positionals: string[]; output: Output }

/** One word or two, as typed: `serve`, `config print`. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  readonly options: ParseArgsOptionsConfig
  /** What each flag means, for the help. */
  readonly help: Readonly<Record<string, string>>
  run(invocation: Invocation): Promise<number>
}

/** Exit codes: 0 ok, 1 failure, 2 usage, 3 not found. */
export const exitCodes = { ok: 0, failure: 1, usage: 2, notFound: 3 } as const
