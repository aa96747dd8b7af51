import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf, lastBackupFile, refuseMoved } from '@postern/server/database.ts'
import { formatInstant, steadyClock } from '@postern/server/tools.ts'
import { makeBackup } from '../backup/make-backup.ts'
import type { Manifest } from '../backup/manifest.ts'
import { type Command, switchOption } from '../command.ts'
import { CommandFailure, exitCodes } from '../exit-codes.ts'
import { onlyWord } from '../read-flags.ts'
import { dataOptions, loadSettings } from '../settings.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Write all data to one file while the gateway runs. The master key is not included.',
  examples: ['postern backup postern.tar', 'postern backup "backups/$(date +%F).tar" --json'],
  options: { force: switchOption('Overwrite an existing file.'), ...dataOptions },
  async run({ flags, positionals, output, host }) {
    const { config } = loadSettings({ data: flags.data, config: flags.config }, host)
    const file = onlyWord(positionals, 'the file to write, for example postern.tar')
    const { ownTools } = factsOf(config.database)
    if (ownTools) throw new CommandFailure(ownTools.backup)
    refuseMoved(config.database)
    if (existsSync(file) && statSync(file).isDirectory()) {
      throw new CommandFailure(`${file} is a folder: name a file in it, for example ${join(file, 'postern.tar')}.`)
    }
    if (existsSync(file) && flags.force !== true) {
      throw new CommandFailure(`${file} already exists: choose another name, or overwrite it with --force.`)
    }
    const madeAt = formatInstant(steadyClock().now())
    const { progress } = output
    const { manifest, bytes } = await makeBackup({ dataDir: config.dataDir, file, madeAt, progress })
    progress.end()
    // For the console of operators, which says how old the last backup is.
    writeFileSync(join(config.dataDir, lastBackupFile), JSON.stringify({ made_at: madeAt, bytes }))
    const { files, schema, masterKeyId, records, elsewhere } = manifest
    output.result(
      { file, bytes, made_at: madeAt, schema, files: files.length, master_key_id: masterKeyId, records, elsewhere },
      `${file} (${inMegabytes(bytes)}): ${countsOf(records)}.\nThe master key${masterKeyId ? ` (${masterKeyId})` : ''} is not in it. Store the key separately: without it, the secrets in this backup cannot be decrypted.\n${elsewhereOf(elsewhere)}`,
    )
    return exitCodes.ok
  },
}

/** `1 account, 12 messages`; what there is none of is not mentioned. */
export function countsOf(records: Readonly<Record<string, number>>): string {
  const counts = Object.entries(records).filter(([, count]) => count > 0)
  return counts.map(([table, count]) => `${count} ${nameOf(table, count)}`).join(', ') || 'no records yet'
}

/** What is not in the file although it belongs to the data. */
export function elsewhereOf(elsewhere: Manifest['elsewhere']): string {
  return elsewhere
    .map(({ place, files, bytes }) => {
      const count = files === 1 ? '1 media file' : `${files} media files`
      return `${count} in ${place} (${inMegabytes(bytes)}) ${files === 1 ? 'is' : 'are'} not in it: back up the bucket too.\n`
    })
    .join('')
}

function nameOf(table: string, count: number): string {
  const name = table.replaceAll('_', ' ')
  return count === 1 && name.endsWith('s') ? name.slice(0, -1) : name
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
