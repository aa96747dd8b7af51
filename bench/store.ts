import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { steadyClock } from '../server/src/lib/clock.ts'
import { createIds } from '../server/src/lib/ids.ts'
import { insertAccount } from '../server/src/store/accounts/accounts.ts'
import { sqliteOperation } from '../server/src/store/engine/dialect.ts'
import { createGroupCommit } from '../server/src/store/engine/group-commit.ts'
import type { Operation } from '../server/src/store/engine/operation.ts'
import { type Call, Unit } from '../server/src/store/engine/unit.ts'
import { migrate } from '../server/src/store/migrate.ts'
import { openStore } from '../server/src/store/open-store.ts'
import { openSqlite } from '../server/src/store/sqlite/sqlite-connection.ts'
import { insertEvent } from '../server/src/store/webhooks/events.ts'
import { startPostgres } from '../test/support/postgres/postgres.ts'
import { type Bench, type Contestant, compare, type Running, runLoad } from './harness.ts'

const concurrency = 64
const clock = steadyClock()
const newId = createIds(clock)

/** What group commit and the writer thread are worth; a unit is one account and one event of it. */
export const storeBench: Bench = {
  name: 'store',
  summary: 'durable units per second at 64 writers: commit per write, group commit, inline and in a thread',
  async run() {
    return [
      {
        title: 'SQLite, 64 writers',
        rows: await compare({ contestants: [perWrite, perWriteInline, grouped, groupedInline] }),
      },
      {
        title: 'PostgreSQL on the same machine, 64 writers',
        rows: await compare({ contestants: [postgres], rounds: 3 }),
      },
    ]
  },
}

const perWrite: Contestant = {
  name: 'commit per write, writer thread',
  start: () =>
    onSqlite(async (path) => {
      const store = await openStore({ database: { kind: 'sqlite', path }, now: 0 })
      const oneByOne = createQueue()
      return running(
        () => oneByOne(() => store.write(aUnit())),
        () => store.close(),
      )
    }),
}

const perWriteInline: Contestant = {
  name: 'commit per write, inline',
  start: () =>
    onSqlite(async (path) => {
      await migrate({ kind: 'sqlite', path }, { now: 0 })
      const { commit, close } = inlineWriter(path)
      return running(
        async () => commit([aUnit().calls]),
        async () => close(),
      )
    }),
}

const grouped: Contestant = {
  name: 'group commit, writer thread (ours)',
  start: () =>
    onSqlite(async (path) => {
      const store = await openStore({ database: { kind: 'sqlite', path }, now: 0 })
      return running(
        () => store.write(aUnit()),
        () => store.close(),
      )
    }),
}

const groupedInline: Contestant = {
  name: 'group commit, inline',
  start: () =>
    onSqlite(async (path) => {
      await migrate({ kind: 'sqlite', path }, { now: 0 })
      const { commit, close } = inlineWriter(path)
      const commits = createGroupCommit({
        async runBatch(units) {
          commit(units)
          return units.map((calls) => ({ rowsByCall: calls.map(() => []) }))
        },
      })
      return running(
        () => commits.write(aUnit().calls),
        async () => close(),
      )
    }),
}

const postgres: Contestant = {
  name: 'group commit, PostgreSQL',
  async start() {
    const server = await startPostgres({ durable: true })
    const store = await openStore({ database: { kind: 'postgres', url: server.url }, now: 0 })
    return running(
      () => store.write(aUnit()),
      async () => {
        await store.close()
        await server.stop()
      },
    )
  },
}

function running(operation: () => Promise<unknown>, stop: () => Promise<void>): Running {
  return { run: (seconds) => runLoad({ concurrency, seconds, operation }), stop }
}

async function onSqlite(start: (path: string) => Promise<Running>): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'))
  const live = await start(join(folder, 'postern.db'))
  return {
    run: live.run,
    async stop() {
      await live.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One after another, for all callers. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine
    return mine
  }
}

/** The same statements and savepoints as the writer thread, on the main loop. */
function inlineWriter(path: string): { commit(units: readonly (readonly Call[])[]): void; close(): void } {
  const db = openSqlite(path, 'write')
  const [begin, commitAll, save, release] = ['begin immediate', 'commit', 'savepoint unit', 'release unit'].map(
    (text) => db.prepare(text),
  )
  const statements = new Map(
    [insertAccount, insertEvent].map((operation) => {
      const { text, parameters } = sqliteOperation(operation as unknown as Operation)
      return [operation.name, { statement: db.prepare(text), parameters }]
    }),
  )
  return {
    commit(units) {
      begin?.run()
      for (const calls of units) {
        save?.run()
        for (const { operation, rows } of calls) {
          const { statement, parameters } = statements.get(operation.name) ?? {}
          for (const row of rows)
            statement?.run(...(parameters ?? []).map((name) => (row[name] ?? null) as string | null))
        }
        release?.run()
      }
      commitAll?.run()
    },
    close: () => db.close(),
  }
}

function aUnit(): Unit {
  const unit = new Unit()
  const now = clock.now()
  const id = newId('acc')
  unit.add(insertAccount, {
    id,
    name: 'Acme',
    plan: 'free',
    status: 'active',
    created_at: now,
    updated_at: now,
    revision: 1,
  })
  unit.add(insertEvent, {
    id: newId('evt'),
    account_id: id,
    type: 'message.sent',
    subject: null,
    sequence: 1,
    created_at: now,
    body: JSON.stringify({ id, type: 'message.sent', data: { text: 'x'.repeat(300) } }),
    traceparent: null,
  })
  return unit
}
