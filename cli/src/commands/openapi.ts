import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument, withRuntime } from '@postern/server/gateway.ts'
import { loadConfig } from '@postern/server/settings.ts'
import { type Command, switchOption } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { noWords } from '../read-flags.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document, as a server of this version returns it at /openapi.json.',
  examples: ['postern openapi > openapi.json'],
  options: { json: switchOption('On one line.') },
  async run({ positionals, output }) {
    noWords(positionals)
    // The routes are declared on a throw-away database: nobody's settings or data are touched.
    const folder = await mkdtemp(join(tmpdir(), 'postern-openapi-'))
    try {
      const { config } = loadConfig({ env: { POSTERN_DATA_DIR: folder } })
      const document = await withRuntime(config, openApiDocument, { migrates: true })
      output.result(document, `${JSON.stringify(document, null, 2)}\n`)
      return exitCodes.ok
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
