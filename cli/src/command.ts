import type { ParseArgsOptionsConfig } from 'node:util'
import type { Progress } from './output/progress.ts'

export type Flags = Record<string, string | boolean | (string | boolean)[] | undefined>
export type Output = {
  /** Results: stdout, one object per line with --json. */
  result(value: object, text: string): void
  /** For people: stderr. */
  note(text: string): void
  /** For long work on a terminal; says nothing elsewhere and with --json. */
  readonly progress: Progress
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
