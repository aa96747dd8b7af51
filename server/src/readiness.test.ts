import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { countRoundTrips } from '../../test/support/postgres/count-round-trips.ts'
import { aRuntime } from '../../test/support/runtime.ts'
import { createReadiness } from './readiness.ts'
import type { Runtime } from './runtime.ts'

let cleanup = new AsyncDisposableStack()
afterEach(async () => {
  await cleanup.disposeAsync()
  cleanup = new AsyncDisposableStack()
})

test('a PostgreSQL that is away is reported as such, not as a disk', async () => {
  let between: Awaited<ReturnType<typeof countRoundTrips>> | undefined
  const { rt, dispose } = await aRuntime('postgres', {}, async (database) => {
    if (database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
    between = await countRoundTrips(database.url)
    return { kind: 'postgres', url: between.url }
  })
  cleanup.defer(dispose)
  expect(await failures(rt)).toEqual([])
  await between?.close()
  // A connection that was open breaks, the next one is refused.
  const away = 'failed: (connect ECONNREFUSED 127\\.0\\.0\\.1:\\d+|Connection terminated.*)\\.$'
  expect(await failures(rt)).toEqual([
    ['database', expect.stringMatching(`^A write ${away}`)],
    ['database_reads', expect.stringMatching(`^A read ${away}`)],
  ])
})

test('a write that SQLite refuses is reported with its reason', async () => {
  const { rt, dispose } = await aRuntime('sqlite', {}, async (database) => {
    if (database.kind === 'sqlite') refuseWrites(database.path)
    return database
  })
  cleanup.defer(dispose)
  expect(await failures(rt)).toEqual([['database', 'A write failed: no space here.']])
})

function refuseWrites(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`create trigger refuse before insert on probes begin select raise(abort, 'no space here'); end`)
  db.close()
}

async function failures(rt: Runtime): Promise<[string, string | undefined][]> {
  const checks = await createReadiness(rt).check()
  return checks.filter(({ status }) => status === 'failing').map(({ name, detail }) => [name, detail])
}
