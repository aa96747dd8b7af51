import { here, type Moved, moveFiles } from '@postern/server/files.ts'
import { switchOption } from '../command.ts'
import type { Verb } from '../control/control-server.ts'
import { carryOut, type DataCommand } from '../data-command.ts'
import { exitCodes } from '../exit-codes.ts'
import { dataNote, settingsForData } from '../find-data.ts'
import { noWords } from '../read-flags.ts'
import { dataOptions } from '../settings.ts'

const name = 'media move'
type Page = { after: string; back: boolean }

const verb: Verb = (rt, args) => moveFiles(rt, args as Page)

/** A page at a time: a running server that moves them answers in between, and Ctrl-C ends it after the page. */
export const mediaMove: DataCommand = {
  name,
  summary: 'Move stored files to the bucket of POSTERN_MEDIA_STORE, or back from it. Can be repeated.',
  examples: ['postern media move', 'postern media move --back'],
  options: {
    back: switchOption('From the bucket to the database, before POSTERN_MEDIA_STORE is changed or removed.'),
    ...dataOptions,
  },
  verb,
  async run({ flags, positionals, output, host }) {
    noWords(positionals)
    const config = settingsForData(flags, host)
    if (flags.data === undefined) output.note(dataNote(config))
    output.progress.step('Moving files')
    const sum = { to: '', moved: 0, bytes: 0, passed: 0 }
    for (let after: string | null = ''; after !== null; ) {
      const page: Page = { after, back: flags.back === true }
      const { next, to, moved, bytes, passed } = (await carryOut(config, { name, verb }, page)) as Moved
      sum.to = to
      sum.moved += moved
      sum.bytes += bytes
      sum.passed += passed
      output.progress.advance(bytes)
      after = next
    }
    output.progress.end()
    const to = sum.to === here ? 'the database' : sum.to
    const files = `${sum.moved} ${sum.moved === 1 ? 'file' : 'files'}`
    const text =
      sum.moved === 0
        ? `Every file is in ${to} already.\n`
        : `${files} (${(sum.bytes / 1_000_000).toFixed(1)} MB) moved to ${to}.\n`
    const rest =
      sum.passed === 0
        ? ''
        : `${sum.passed} were deleted meanwhile, or are still being removed there: run the command again in 10 minutes.\n`
    output.result(sum, text + rest)
    return exitCodes.ok
  },
}
