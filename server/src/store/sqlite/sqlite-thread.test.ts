import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../../../../test/support/postgres/databases.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import type { WriterReply } from './sqlite-failure.ts'
import { startSqliteThread } from './sqlite-thread.ts'

let database: TestDatabase
let another: TestDatabase

beforeAll(async () => {
  database = await freshDatabase('sqlite')
  another = await freshDatabase('sqlite')
})
afterAll(() => Promise.all([database.remove(), another.remove()]))

const pathOf = ({ database: at }: TestDatabase) => (at.kind === 'sqlite' ? at.path : '')

test('a thread that dies fails what it had not answered, and is replaced', async () => {
  let replaced = 0
  const thread = await startSqliteThread<WriterReply>({
    path: pathOf(database),
    role: 'writer',
    onReplaced: () => replaced++,
  })
  try {
    // No list of statements: the thread throws outside of its transaction, as it would on an error of its own.
    const deadly = thread.ask({})
    const behind = thread.ask({ begun: 0, learn: [], units: [] })
    await expect(deadly).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'unknown' })
    await expect(behind).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(thread.ask({ begun: 0, learn: [], units: [] })).rejects.toMatchObject({ outcome: 'not_stored' })
    await waitFor(() => replaced === 1)
    await expect(thread.ask({ begun: 0, learn: [], units: [] })).resolves.toMatchObject({ results: [] })
  } finally {
    await thread.stop()
  }
})

test('a thread that was stopped opens the next database, and knows nothing of the last one', async () => {
  let started = 0
  const count = () => started++
  const first = await startSqliteThread<WriterReply>({ path: pathOf(database), role: 'writer' })
  const statement = {
    name: 'test.add',
    text: 'create table added (n)',
    parameters: 0,
    columns: 0,
    required: false,
    onlyChecks: false,
  }
  const added = await first.ask({ begun: 0, learn: [statement], units: [2, 0, 1] })
  expect(added).toMatchObject({ results: [0], failures: [] })
  await first.stop()
  await expect(first.ask({ begun: 0, learn: [], units: [] })).rejects.toMatchObject({ outcome: 'not_stored' })
  subscribe('worker_threads', count)
  try {
    const second = await startSqliteThread<WriterReply>({ path: pathOf(another), role: 'writer' })
    const unknown = await second.ask({ begun: 0, learn: [], units: [2, 0, 1] })
    expect(unknown).toMatchObject({ failures: [{ unit: 0, error: { message: 'Nobody told of statement 0.' } }] })
    // The first database has the table already.
    const again = await second.ask({ begun: 0, learn: [statement], units: [2, 0, 1] })
    expect(again).toMatchObject({ results: [0], failures: [] })
    await second.stop()
    expect(started).toBe(0)
  } finally {
    unsubscribe('worker_threads', count)
  }
})
