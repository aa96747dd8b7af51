import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../server/src/store/engine/database.ts'
import { query } from '../../server/src/store/engine/operation.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { type RunningProcess, startProcess } from '../support/child-process.ts'
import { dataFolder } from '../support/folders.ts'
import { engines } from '../support/postgres/databases.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/postgres.ts'
import { programFile } from '../support/programs/program-file.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const loops = scaled(3)
const writers = 32

/** In one statement: PostgreSQL may still be committing the last batch of a writer that is dead. */
const storedRows = query({
  name: 'test.stored_rows',
  params: {},
  returns: { kind: 'text', account: 'text' },
  lane: 'list',
  sql: `select 'account' as kind, id as account from accounts union all select 'event', account_id from events`,
})

function startWriter(database: Database): RunningProcess {
  return startProcess(process.execPath, [programFile('store-writer'), JSON.stringify(database), String(writers)])
}

/** Whole lines only: the last one may have been cut by the kill. */
function acknowledged(writer: RunningProcess): string[] {
  return writer.output.stdout.split('\n').slice(0, -1)
}

async function untilAcknowledged(writer: RunningProcess, count: number): Promise<void> {
  const ended = writer.ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${writer.output.stderr}`)))
  await Promise.race([waitFor(() => acknowledged(writer).length >= count, 20_000), ended])
}

/** A moment that nobody chose: after some hundred units, somewhere between two of them. */
async function untilSomeMoment(writer: RunningProcess): Promise<void> {
  await untilAcknowledged(writer, 100 + Math.floor(Math.random() * 1_000))
  await delay(Math.random() * 10)
}

async function stored(database: Database): Promise<{ accounts: string[]; events: string[] }> {
  const store = await openStore({ database, now: 0, migrateFirst: false })
  try {
    const rows = await store.read(storedRows, {})
    const of = (wanted: string) => rows.flatMap(({ kind, account }) => (kind === wanted ? [account] : [])).sort()
    return { accounts: of('account'), events: of('event') }
  } finally {
    await store.close()
  }
}

async function expectNothingLost(database: Database, acks: readonly string[]): Promise<{ unheard: number }> {
  const { accounts, events } = await stored(database)
  const present = new Set(accounts)
  expect(
    acks.filter((id) => !present.has(id)),
    'acknowledged and missing',
  ).toEqual([])
  expect(events, 'accounts without their event, or events without their account').toEqual(accounts)
  return { unheard: accounts.length - acks.length }
}

function record(name: string, kills: number, acks: readonly string[], unheard: number): void {
  const proof = 'kill -9 of the store'
  recordFigure(proof, `${name}: kills`, kills)
  recordFigure(proof, `${name}: units acknowledged, all of them found`, acks.length)
  recordFigure(proof, `${name}: units stored whole whose acknowledgement was not heard`, unheard)
}

describe.each(engines)('a process that is killed while it writes to %s', (engine) => {
  let folder = ''
  let server: PostgresServer | null = null
  let database: Database = { kind: 'sqlite', path: '' }

  beforeAll(async () => {
    folder = await mkdtemp(join(dataFolder(), 'postern-kill-'))
    server = engine === 'postgres' ? await startPostgres({ durable: true }) : null
    database = server ? { kind: 'postgres', url: server.url } : { kind: 'sqlite', path: join(folder, 'postern.db') }
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test(`loses nothing it was promised and leaves nothing half done, ${loops} times`, {
    timeout: 30_000 * loops,
  }, async () => {
    const acks: string[] = []
    let unheard = 0
    for (let loop = 0; loop < loops; loop++) {
      const writer = startWriter(database)
      try {
        await untilSomeMoment(writer)
      } finally {
        await writer.destroy()
      }
      expect(await writer.ended, writer.output.stderr).toBe('SIGKILL')
      acks.push(...acknowledged(writer))
      unheard = (await expectNothingLost(database, acks)).unheard
    }
    expect(acks.length).toBeGreaterThanOrEqual(100 * loops)
    record(`${engine}, writer killed`, loops, acks, unheard)
  })
})

describe('PostgreSQL itself', () => {
  test('may be killed: the writer carries on after the restart, and nothing acknowledged is missing', async () => {
    const server = await startPostgres({ durable: true })
    const database: Database = { kind: 'postgres', url: server.url }
    const writer = startWriter(database)
    try {
      await untilSomeMoment(writer)
      await server.kill()
      const before = acknowledged(writer).length
      await server.restart()
      await untilAcknowledged(writer, before + 100)
      await writer.destroy()
      const acks = acknowledged(writer)
      record('postgres, server killed', 1, acks, (await expectNothingLost(database, acks)).unheard)
    } finally {
      await writer.destroy()
      await server.stop()
    }
  })
})
