import { factsOf } from '@postern/server/database.ts'
import { type Runtime, withRuntime } from '@postern/server/gateway.ts'
import type { Config, Env } from '@postern/server/settings.ts'
import { type Command, type Flags, type Options, switchOption } from './command.ts'
import { confirmByTyping } from './confirm.ts'
import { askServer } from './control/control-client.ts'
import type { Verb } from './control/control-server.ts'
import { exitCodes } from './exit-codes.ts'
import { dataNote, requireData, settingsForData } from './find-data.ts'
import { dataOptions } from './settings.ts'

/** A command that works with the data, whether or not a server is running on them. */
export type DataCommand = Command & { readonly verb: Verb }

type Parts<Args extends object, Result extends object> = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  readonly options?: Options
  /** What was typed, as plain data; refuses what makes no sense. Runs where it was typed. */
  args(flags: Flags, words: readonly string[], env: Env): Args
  /** The deed itself. Runs in the server of the data folder if there is one, otherwise here. */
  run(rt: Runtime, args: Args): Promise<Result>
  /** The result for people; with --json it is printed as it is. */
  text(result: Result): string
  /** For deeds that cannot be undone: what will happen, and the word that must be typed first. */
  confirm?(args: Args): { warning: string; word: string }
  /** Makes the data folder and the database where there are none. */
  readonly makesData?: boolean
  /** Where a result can be bad news. */
  exitCode?(result: Result): number
}

export function dataCommand<Args extends object, Result extends object>(parts: Parts<Args, Result>): DataCommand {
  const { name, summary, examples, confirm } = parts
  const verb: Verb = (rt, args) => parts.run(rt, args as Args)
  const yes = confirm ? { yes: switchOption('Skip the confirmation.') } : {}
  return {
    name,
    summary,
    examples,
    options: { ...parts.options, ...yes, ...dataOptions },
    verb,
    async run({ flags, positionals, output, host }) {
      const args = parts.args(flags, positionals, host.env)
      const config = settingsForData(flags, host)
      if (flags.data === undefined) output.note(dataNote(config))
      if (confirm && flags.yes !== true) await confirmByTyping(confirm(args), host)
      output.progress.step(name)
      const result = (await carryOut(config, { name, verb, makesData: parts.makesData }, args)) as Result
      output.progress.end()
      output.result(result, parts.text(result))
      return parts.exitCode?.(result) ?? exitCodes.ok
    },
  }
}

type Deed = { name: string; verb: Verb; makesData?: boolean | undefined }

/** In the server of the data folder if there is one, otherwise here. */
export async function carryOut(config: Config, { name, verb, makesData = false }: Deed, args: object) {
  const told = factsOf(config.database).shared ? null : await askServer(config.dataDir, name, args)
  if (told) return told
  if (!makesData) requireData(config)
  return withRuntime(config, (rt) => verb(rt, args), { migrates: makesData })
}
