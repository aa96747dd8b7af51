import { mkdirSync } from 'node:fs'
import { steadyClock } from '@postern/server/lib/clock.ts'
import { migrate, migrationStates } from '@postern/server/store/engine/migrate.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { requireData } from '../find-data.ts'
import { noWords } from '../read-flags.ts'
import { loadSettings, settingOptions } from '../settings.ts'

export const migrateStatus: Command = {
  name: 'migrate status',
  summary: 'Show which migrations of the database schema are applied.',
  examples: ['postern migrate status', 'postern migrate status --json'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config } = loadSettings(flags, host)
    requireData(config)
    const states = await migrationStates(config.database)
    const text = states
      .map(({ id, name, state }) => `${String(id).padStart(4, '0')}  ${state.padEnd(8)}  ${name}\n`)
      .join('')
    output.result({ migrations: states }, text)
    return exitCodes.ok
  },
}

export const migrateUp: Command = {
  name: 'migrate up',
  summary: 'Migrate the database schema to this version. Safe to run several times at once.',
  examples: ['postern migrate up'],
  options: settingOptions,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config } = loadSettings(flags, host)
    mkdirSync(config.dataDir, { recursive: true })
    const { progress } = output
    const applied = await migrate(config.database, {
      now: steadyClock().now(),
      onStep({ name }, at, of) {
        progress.step(`Migration ${at + 1} of ${of}: ${name}`, { blocks: true })
      },
    })
    progress.end()
    const names = applied.map(({ name }) => name)
    output.result({ applied: names }, names.length > 0 ? `Applied: ${names.join(', ')}.\n` : 'Nothing to do.\n')
    return exitCodes.ok
  },
}
