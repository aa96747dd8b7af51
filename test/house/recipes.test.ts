import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processTimeoutMs, startProcess } from '../support/child-process.ts'
import { codeOf, samplePages } from '../support/guides/samples.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { programFile } from '../support/programs/program-file.ts'
import { aPlayground, type Playground, stop } from '../support/serve.ts'

const shellStart = `set -eu
npx() { shift 2; "$NODE" "$CLI" "$@"; }
`

describe('the recipes about PostgreSQL', { timeout: processTimeoutMs }, () => {
  let play: Playground
  let removeDatabase: () => Promise<void>
  beforeAll(async () => {
    play = await aPlayground()
    const { database, remove } = await freshDatabase('postgres')
    removeDatabase = remove
    if (database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
    writeFileSync(join(play.folder, 'database-url'), `${database.url}\n`)
    writeFileSync(join(play.folder, 'master.key'), `${'5a'.repeat(32)}\n`)
  }, processTimeoutMs)
  afterAll(async () => {
    await play.dispose()
    await removeDatabase()
  })

  async function run(page: string): Promise<string> {
    const found = samplePages().find((one) => one.page === `docs/recipes/${page}.md`)
    const script = found ? codeOf(found, 'sh').join('\n') : ''
    expect(script).toContain('npx --no-install postern')
    const env = { NODE: process.execPath, CLI: programFile('postern') }
    const shell = startProcess('sh', ['-c', shellStart + script], { cwd: play.folder, env })
    expect([page, await shell.ended, shell.output.stdout + shell.output.stderr]).toEqual([page, 0, expect.any(String)])
    return shell.output.stdout
  }

  test('three nodes: the settings are accepted and the tables are created', async () => {
    mkdirSync(join(play.folder, 'data'), { recursive: true })
    expect(await run('three-nodes')).toContain('The database schema is up to date')
  })

  test('from SQLite: everything is copied, and the gateway starts there', async () => {
    await stop(await play.serve())
    const printed = await run('sqlite-to-postgresql')
    expect(printed).toContain('Every table has the same rows as its original.')
    expect(printed).toContain('0 messages are released.')
    const gateway = await play.serve([], { POSTERN_DATABASE_URL_FILE: join(play.folder, 'database-url') })
    expect(gateway.firstRun).toBeNull()
    await stop(gateway)
  })
})
