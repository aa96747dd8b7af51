import type { Env } from '@postern/server/settings.ts'
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

/** What a command has of the process it runs in. It is handed down, so that one process can run several. */
export type Host = {
  readonly env: Env
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  /** Where the signals of the system arrive. */
  readonly signals: Pick<NodeJS.EventEmitter, 'on'>
}

export type Invocation = { flags: Flags; positionals: string[]; output: Output; host: Host }

/** A flag, as `parseArgs` of Node takes it, and what the help says of it. */
export type Option = { readonly type: 'string' | 'boolean'; readonly multiple?: boolean; readonly help: string }
export type Options = Readonly<Record<string, Option>>

export function textOption(help: string): Option {
  return { type: 'string', help }
}

export function switchOption(help: string): Option {
  return { type: 'boolean', help }
}

/** One word or two, as typed: `serve`, `config print`. */
export type Command = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  readonly options: Options
  run(invocation: Invocation): Promise<number>
}
