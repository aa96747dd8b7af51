import { describeConfig } from '@postern/server/settings.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { noWords } from '../read-flags.ts'
import { loadSettings, settingOptions } from '../settings.ts'

export const configPrint: Command = {
  name: 'config print',
  summary: 'Print every setting, its value and its source. Secrets are shown only as set or not set.',
  examples: ['postern config print', 'POSTERN_LOG_LEVEL=debug postern config print --json'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const loaded = loadSettings(flags, host)
    const rows = describeConfig(loaded)
    const width = Math.max(...rows.map(({ name }) => name.length))
    const text = rows.map(({ name, value, origin }) => `${name.padEnd(width)}  ${value}  (${origin})\n`).join('')
    output.result({ settings: rows.map(({ name, value, origin }) => ({ name, value, origin })) }, text)
    for (const warning of loaded.warnings) output.note(`Warning: ${warning}`)
    return exitCodes.ok
  },
}

export const configCheck: Command = {
  name: 'config check',
  summary: 'Check the settings; exits with 2 and one line for each problem.',
  examples: ['postern config check'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { warnings } = loadSettings(flags, host)
    for (const warning of warnings) output.note(`Warning: ${warning}`)
    output.result({ ok: true, warnings }, 'The settings are valid.\n')
    return exitCodes.ok
  },
}
