import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import { startSqliteThread } from './sqlite-thread.ts'
import type { WriterReply } from './sqlite-wire.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase('sqlite')
})
afterAll(() => database.remove())

test('a thread that dies fails what it had not answered, and is replaced', async () => {
  const path = database.database.kind === 'sqlite' ? database.database.path : ''
  let replaced = 0
  const thread = await startSqliteThread<WriterReply>({ path, role: 'writer', onReplaced: () => replaced++ })
  try {
    // No list of statements: the thread throws outside of its transaction, as it would on an error of its own.
    const deadly = thread.ask({})
    const behind = thread.ask({ learn: [], units: [] })
    await expect(deadly).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' })
    await expect(behind).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(thread.ask({ learn: [], units: [] })).rejects.toMatchObject({ outcome: 'not_stored' })
    await waitFor(() => replaced === 1)
    await expect(thread.ask({ learn: [], units: [] })).resolves.toMatchObject({ outcomes: [] })
  } finally {
    await thread.stop()
  }
})
