import { chownSync, copyFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { smallDisk } from '../../test/support/disk.ts'
import { diskFolder } from '../../test/support/folders.ts'
import { countRoundTrips } from '../../test/support/postgres/count-round-trips.ts'
import type { Through } from '../../test/support/postgres/databases.ts'
import { startPostgres } from '../../test/support/postgres/postgres.ts'
import { aRuntime } from '../../test/support/runtime.ts'
import type { Readiness } from './http/health.ts'
import { createReadiness } from './readiness.ts'
import type { Runtime } from './runtime.ts'
import type { Database } from './store/engine/database.ts'
import { migrate } from './store/migrate.ts'

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

describe.each(['sqlite', 'postgres'] as const)('a full disk under the tables, on %s', (engine) => {
  test('is noticed although the rows that exist can still be changed, and so is the room that was made', async () => {
    const disk = await aDiskFor[engine]()
    const { rt, dispose } = await aRuntime(engine, {}, disk.through)
    cleanup.defer(dispose)
    holdClock()
    const readiness = createReadiness(rt)
    expect(await failuresOf(readiness)).toEqual([])
    await disk.fill()
    await rt.store.probeWrite()
    vi.advanceTimersByTime(5_001)
    expect(await failuresOf(readiness)).toEqual([
      [
        'database',
        expect.stringMatching(/^A write failed: .*(no space left on device|temp_file_limit|directory).*\.$/i),
      ],
    ])
    await disk.empty()
    vi.advanceTimersByTime(2_001)
    expect(await failuresOf(readiness)).toEqual([])
  })

  test('is looked for at most once in 5 s while there is room', async () => {
    const { rt, dispose } = await aRuntime(engine)
    cleanup.defer(dispose)
    const probeRoom = vi.fn(async () => {})
    holdClock()
    const readiness = createReadiness({ ...rt, store: { ...rt.store, probeRoom } })
    for (const _ of Array.from({ length: 12 })) {
      await readiness.check()
      vi.advanceTimersByTime(1_000)
    }
    expect(probeRoom.mock.calls.length).toBeLessThanOrEqual(3)
  })
})

/** The one that readiness looks at; everything else goes on. */
function holdClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  cleanup.defer(() => void vi.useRealTimers())
}

type Disk = { through: Through; fill(): Promise<void>; empty(): Promise<void> }

/** A disk of 64 MB for the tables. Where mounting is not allowed, something else is in the way of the same file. */
const aDiskFor: Record<'sqlite' | 'postgres', () => Promise<Disk>> = {
  async sqlite() {
    const folder = mkdtempSync(join(diskFolder(), 'postern-room-'))
    cleanup.defer(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'postern.db')
    const disk = await smallDisk(folder, 64)
    cleanup.defer(async () => disk?.remove())
    return {
      async through(database) {
        if (database.kind === 'sqlite') copyFileSync(database.path, path)
        lengthenLog(path)
        return { kind: 'sqlite', path }
      },
      fill: async () => (disk ? disk.fail(process.pid) : mkdirSync(`${path}-room`)),
      empty: async () => (disk ? disk.heal(process.pid) : rmdirSync(`${path}-room`)),
    }
  },
  async postgres() {
    const server = await startPostgres()
    cleanup.defer(() => server.stop())
    const folder = join(server.folder, 'tables')
    mkdirSync(folder)
    const disk = await smallDisk(folder, 64)
    cleanup.defer(async () => disk?.remove())
    const { uid, gid } = statSync(server.folder)
    chownSync(folder, uid, gid)
    const admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    cleanup.defer(() => admin.end())
    await admin.query(`create tablespace apart location '${folder}'`)
    await admin.query('create database apart template template0 tablespace apart')
    const database: Database = {
      kind: 'postgres',
      url: Object.assign(new URL(server.url), { pathname: '/apart' }).href,
    }
    const limit = async (size: string) => {
      await admin.query(`alter system set temp_file_limit = '${size}'`)
      await admin.query('select pg_reload_conf()')
    }
    return {
      async through() {
        await migrate(database, { now: 0 })
        return database
      },
      fill: () => (disk ? disk.fail(server.pid) : limit('64kB')),
      empty: () => (disk ? disk.heal(server.pid) : limit('-1')),
    }
  },
}

/** A log that was long once keeps its room on a full disk, and commits are written over what it holds. */
function lengthenLog(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(
    'pragma journal_mode = wal; create table filler (content blob); insert into filler values (zeroblob(1000000))',
  )
  const onlooker = new DatabaseSync(path)
  onlooker.exec('pragma wal_checkpoint(restart)')
  // The last connection would remove the log; the store has its own by the time the test is over.
  cleanup.defer(() => {
    db.close()
    onlooker.close()
  })
}

function refuseWrites(path: string): void {
  const db = new DatabaseSync(path)
  db.exec(`create trigger refuse before insert on probes begin select raise(abort, 'no space here'); end`)
  db.close()
}

const failures = (rt: Runtime) => failuresOf(createReadiness(rt))

async function failuresOf(readiness: Readiness): Promise<[string, string | undefined][]> {
  const checks = await readiness.check()
  return checks.filter(({ status }) => status === 'failing').map(({ name, detail }) => [name, detail])
}
