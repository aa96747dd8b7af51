import { join } from 'node:path'
import { newFeedEpoch } from '@postern/server/copy.ts'
import { factsOf } from '@postern/server/database.ts'
import { releaseHeld, resetFeed } from '@postern/server/messages.ts'
import { formatInstant, steadyClock } from '@postern/server/tools.ts'
import { holdsData, restoreBackup } from '../backup/restore-backup.ts'
import { anyAccountOption, chooseAccount } from '../choose-account.ts'
import { type Command, switchOption } from '../command.ts'
import { lockDataFolder } from '../control/data-lock.ts'
import { dataCommand } from '../data-command.ts'
import { CommandFailure, exitCodes } from '../exit-codes.ts'
import { keyIdOf } from '../key-id.ts'
import { noWords, onlyWord, textFlag } from '../read-flags.ts'
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
      const feedEpoch = newFeedEpoch()
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

export const waitingRelease = dataCommand({
  name: 'waiting release',
  summary: 'Release held messages: after a restore or a failover, or because their API key was revoked.',
  examples: ['postern waiting release', 'postern waiting release --account acc_01m7qrh78f4k31gz6jppsgrkrp --yes'],
  options: anyAccountOption,
  args(flags, words) {
    noWords(words)
    return { account: textFlag(flags, 'account') }
  },
  confirm: ({ account }) => ({
    warning:
      'Held messages may already have been sent, after the restored backup was made or before the standby took over. Check them first:\nGET /v1/chat/messages?status=waiting lists them with waiting_for: person. You can cancel them one by one.',
    word: account ?? 'release',
  }),
  async run(rt, { account }) {
    return releaseHeld(rt, account === null ? null : (await chooseAccount(rt, account)).id)
  },
  text: ({ released }) => `${released === 1 ? '1 message is' : `${released} messages are`} released.\n`,
})
