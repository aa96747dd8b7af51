import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { openSqliteStore } from '../../server/src/store/sqlite/sqlite.ts'
import { countTemplates } from '../../server/src/store/templates/templates.ts'
import { dataFolder } from '../support/folders.ts'
import { runPostern } from '../support/run-postern.ts'

describe('the catalog of an account that the command line made', () => {
  let sandbox: Sandbox
  let folder: string
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, approved: true, development: true })
    folder = await mkdtemp(join(dataFolder(), 'postern-test-'))
  })
  afterAll(async () => {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function run(...words: string[]): Promise<void> {
    const env = { POSTERN_DATA_DIR: folder, POSTERN_BASE_URL: 'http://127.0.0.1:9' }
    await runPostern([...words, '--json'], { env })
  }

  async function counts(): Promise<Record<string, number>> {
    const store = await openSqliteStore(join(folder, 'postern.db'))
    try {
      return Object.fromEntries((await store.read(countTemplates, {})).map(({ status, total }) => [status, total]))
    } finally {
      await store.close()
    }
  }

  test('waits as drafts without a channel, and is approved with a sandbox number', async () => {
    await run('accounts', 'create', '--name', 'Acme', '--channel', 'none')
    expect(await counts()).toEqual({ draft: 8 })
    await run('channels', 'connect', '--account', 'Acme', '--sandbox', sandbox.url)
    expect(await counts()).toEqual({ approved: 9 })
  }, 60_000)
})
