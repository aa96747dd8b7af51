import { mkdirSync } from 'node:fs'
import { migrate, migrationStates } from '@postern/server/database.ts'
import { steadyClock } from '@postern/server/tools.ts'
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
    const applied = states.filter(({ state }) => state === 'applied').length
    const newest = `This program supports versions up to ${states.at(-1)?.id}`
    const text =
      applied === states.length
        ? `The database schema is up to date. ${newest}.\n`
        : `${applied} of ${states.length} migrations are applied. ${newest}: run 'postern migrate up', or start the gateway.\n`
    // Names of migrations mean something to contributors only.
    output.result({ migrations: states.map(({ name: _, ...state }) => state) }, text)
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
      onStep(_migration, at, of) {
        progress.step(`Migration ${at + 1} of ${of}`, { blocks: true })
      },
    })
    progress.end()
    const ids = applied.map(({ id }) => id)
    const count = ids.length === 1 ? '1 migration' : `${ids.length} migrations`
    const text =
      ids.length > 0 ? `Applied ${count}. The database schema has version ${ids.at(-1)}.\n` : 'Nothing to do.\n'
    output.result({ applied: ids }, text)
    return exitCodes.ok
  },
}
