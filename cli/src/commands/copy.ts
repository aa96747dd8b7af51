import { type Copied, type Copy, CopyDiffers, copyAll, openCopy } from '@postern/server/copy.ts'
import { chooseDatabase, type Database, factsOf, noteMoved, readConnectionLimit } from '@postern/server/database.ts'
import type { Config } from '@postern/server/settings.ts'
import { type Command, switchOption } from '../command.ts'
import { lockDataFolder } from '../control/data-lock.ts'
import { CommandFailure, exitCodes, wrongUsage } from '../exit-codes.ts'
import { requireAnyData } from '../find-data.ts'
import { keyIdOf } from '../key-id.ts'
import { noWords } from '../read-flags.ts'
import { dataOptions, loadSettings } from '../settings.ts'

export const copy: Command = {
  name: 'copy',
  summary: 'Copy all data from SQLite to the PostgreSQL of POSTERN_DATABASE_URL, or back. Stop the gateway first.',
  examples: [
    'POSTERN_DATABASE_URL_FILE=/run/secrets/database postern copy --data /srv/postern',
    'postern copy --back --data /srv/postern-sqlite',
  ],
  options: {
    back: switchOption('From PostgreSQL to SQLite in the data folder, which must contain no database.'),
    restart: switchOption('Discard an unfinished copy in the target and start again.'),
    ...dataOptions,
  },
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const { config } = loadSettings({ data: flags.data, config: flags.config }, host)
    const postgres = config.database
    if (!factsOf(postgres).shared) {
      throw wrongUsage(
        'Set POSTERN_DATABASE_URL, or POSTERN_DATABASE_URL_FILE to a file that contains it, to the PostgreSQL database. The command accepts no address, because other users of this host can see its arguments.',
      )
    }
    const sqlite = chooseDatabase(config.dataDir, null)
    const [source, target] = flags.back === true ? [postgres, sqlite] : [sqlite, postgres]
    if (flags.back !== true) requireAnyData({ ...config, database: sqlite })
    const lock = lockDataFolder(config.dataDir)
    try {
      await requireNoGateway(config, postgres)
      const found = await openCopy(source, target, { restart: flags.restart === true })
      try {
        const masterKeyId = await requireKey(config, found)
        const order = { dataDir: config.dataDir, target, progress: output.progress }
        const copied = await copyAll(found, order).catch(explainDifference)
        noteMoved(source, target)
        output.progress.end()
        output.result(
          { ...described(source, target, copied), master_key_id: masterKeyId },
          textOf(config, target, copied, masterKeyId),
        )
        return exitCodes.ok
      } finally {
        await found.close()
      }
    } finally {
      lock.release()
    }
  },
}

async function requireNoGateway(config: Config, postgres: Database): Promise<void> {
  const { databasePoolReadMax: readConnections, databasePoolWriteMax: writeConnections } = config
  const connected = await readConnectionLimit(postgres, { readConnections, writeConnections })
  if (connected && connected.processes > 0) {
    throw new CommandFailure('A gateway is connected to this PostgreSQL database: stop it first, on every host.')
  }
}

/** A copy that no key opens would be found out too late, when the original is gone. */
async function requireKey(config: Config, found: Copy): Promise<string | null> {
  const needed = await found.masterKeyId()
  const here = keyIdOf(config)
  if (here === null || needed === null || here === needed) return needed
  throw new CommandFailure(
    `This data needs another master key (${needed}) than the one that is set (${here}): set that key, or remove POSTERN_MASTER_KEY.`,
  )
}

function explainDifference(error: unknown): never {
  if (!(error instanceof CopyDiffers)) throw error
  throw new CommandFailure(
    `The copy of '${error.table}' differs from its original: the source changed after the copy began. Stop every gateway and run the command again with --restart.`,
  )
}

function described(source: Database, target: Database, { resumed, rows, files }: Copied) {
  return {
    from: factsOf(source).title,
    to: factsOf(target).title,
    resumed,
    rows,
    files: files.files,
    bytes: files.bytes,
    missing_files: files.missing,
    held: rows.waiting_sends ?? 0,
  }
}

function textOf({ dataDir }: Config, target: Database, { rows, files }: Copied, masterKeyId: string | null): string {
  const counts = Object.values(rows)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const held = rows.waiting_sends ?? 0
  const toPostgres = factsOf(target).shared
  return [
    `Copied ${total} rows of ${counts.length} tables and ${files.files === 1 ? '1 file' : `${files.files} files`} to ${toPostgres ? 'PostgreSQL' : dataDir}. Every table has the same rows as its original.`,
    ...(files.missing.length > 0
      ? [
          `The source had no readable bytes for ${files.missing.length} of its files: ${files.missing.slice(0, 5).join(', ')}.`,
        ]
      : []),
    ...(held > 0
      ? [
          `${held === 1 ? '1 message waits' : `${held} messages wait`} and will be held: release them with "postern waiting release".`,
        ]
      : []),
    toPostgres
      ? `Start the gateway with POSTERN_DATABASE_URL, the same data folder and the same master key (${masterKeyId}). Commands need POSTERN_DATABASE_URL too. The database in ${dataDir} is unchanged, and gateways no longer start on it.`
      : `Start the gateway without POSTERN_DATABASE_URL, with the same master key (${masterKeyId}). Readers of the event feed get invalid_cursor once and start again. PostgreSQL is unchanged: never start a gateway on it again.`,
    '',
  ].join('\n')
}
