import { version } from '@postern/server/settings.ts'
import { type Command, switchOption } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { noWords } from '../read-flags.ts'

export const versionCommand: Command = {
  name: 'version',
  summary: 'Print the version.',
  examples: ['postern version', 'postern version --json'],
  options: { json: switchOption('As a JSON object.') },
  async run({ positionals, output }) {
    noWords(positionals)
    output.result({ version, node: process.versions.node }, `postern ${version} (node ${process.versions.node})\n`)
    return exitCodes.ok
  },
}
