import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@postern/server/config/config.ts'
import { resetFeed } from '@postern/server/events/feed-retention.ts'
import { steadyClock } from '@postern/server/lib/clock.ts'
import { createIds } from '@postern/server/lib/ids.ts'
import { formatInstant } from '@postern/server/lib/instant.ts'
import { createSecrets } from '@postern/server/lib/secrets.ts'
import { findMasterKey } from '@postern/server/master-key.ts'
import { factsOf } from '@postern/server/store/open-store.ts'
import { holdsData, restoreBackup } from '../backup/restore-backup.ts'
import { type Command, switchOption } from '../command.ts'
import { lockDataFolder } from '../control/data-lock.ts'
import { dataCommand } from '../data-command.ts'
import { CommandFailure, exitCodes } from '../exit-codes.ts'
import { noWords, onlyWord } from '../read-flags.ts'
import { dataOptions, loadSettings } from '../settings.ts'
import { countsOf } from './backup.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Restore the data of a backup, after checking that it is complete.',
  examples: ['postern restore postern.tar --data /srv/postern', 'postern restore postern.tar --force'],
  options: {
    force: switchOption('Restore even if the folder already contains data. The old data is moved aside, not deleted.'),
    ...dataOptions,
  },
  async run({ flags, positionals, output, host }) {
    const { config } = loadSettings({ data: flags.data, config: flags.config }, host)
    const file = onlyWord(positionals, 'the backup, for example postern.tar')
    const { ownTools } = factsOf(config.database)
    if (ownTools) throw new CommandFailure(ownTools.restore)
    const { dataDir } = config
    const lock = lockDataFolder(dataDir)
    try {
      const occupied = holdsData(dataDir)
      if (occupied && flags.force !== true) {
        throw new CommandFailure(
          `${dataDir} already contains data. Use --force to move it aside, or choose another folder with --data.`,
        )
      }
      const putAside = occupied ? join(dataDir, `replaced-${stamp()}`) : null
      const masterKeyId = keyIdOf(config)
      const feedEpoch = createIds(steadyClock())('fep')
      const order = { file, dataDir, masterKeyId, putAside, feedEpoch, progress: output.progress }
      const { madeAt, version, records, elsewhere, masterKeyId: needed } = await restoreBackup(order)
      output.progress.end()
      output.result(
        { data: dataDir, made_at: madeAt, version, records, elsewhere, replaced: putAside, master_key_id: needed },
        [
          `${dataDir} is restored to ${madeAt}: ${countsOf(records)}.`,
          ...(putAside ? [`The previous data is in ${putAside}.`] : []),
          ...(masterKeyId === null && needed
            ? [
                `Provide its master key (${needed}) before you start: set POSTERN_MASTER_KEY, or put the file ${join(dataDir, 'master.key')} back.`,
              ]
            : []),
          ...elsewhere.map(
            ({ place, files }) =>
              `${files} of its media files are read from ${place}, which POSTERN_MEDIA_STORE must name.`,
          ),
          'Readers of the event feed get invalid_cursor once and start again.',
          'Customers erased since then are in it again: erase them again with "postern purge".',
          '',
        ].join('\n'),
      )
      return exitCodes.ok
    } finally {
      lock.release()
    }
  },
}

/** Of the key that is set or lies in the folder; none is made here. */
function keyIdOf(config: Config): string | null {
  const none = !config.masterKey && !existsSync(join(config.dataDir, 'master.key'))
  return none ? null : createSecrets(findMasterKey(config, true).key).keyId
}

function stamp(): string {
  return formatInstant(steadyClock().now()).replace(/[:.]/g, '-')
}

export const feedReset = dataCommand({
  name: 'feed reset',
  summary: 'Invalidate all existing cursors of the event feed. Needed after a restore without "postern restore".',
  examples: ['postern feed reset', 'postern feed reset --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  run: (rt) => resetFeed(rt),
  text: ({ settled }) =>
    [
      'Readers of the event feed get invalid_cursor once and start again.',
      ...(settled > 0
        ? [
            `${settled === 1 ? '1 event' : `${settled} events`} of another PostgreSQL cluster ${settled === 1 ? 'is' : 'are'} back in the feed.`,
          ]
        : []),
      '',
    ].join('\n'),
})
