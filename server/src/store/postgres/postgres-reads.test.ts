import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { countRoundTrips } from '../../../../test/support/postgres/count-round-trips.ts'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { query } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import { createPointReads, type PointRead } from './postgres-reads.ts'

let pool: pg.Pool
let store: Store
let dispose: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshStore('postgres')
  ;({ store, dispose } = fresh)
  if (fresh.test.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  pool = new pg.Pool({ connectionString: fresh.test.database.url, max: 1, pipeline: true } as pg.PoolConfig)
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await pool.end()
  await dispose()
})

const aRead = (text: string, ...values: unknown[]): PointRead => ({ name: text, text, values })

describe('reads of single rows on PostgreSQL', () => {
  test('the same question of the same moment is asked once, and everyone gets rows of their own', async () => {
    const read = createPointReads({ connect: () => pool.connect(), parallel: 1 })
    await pool.query('create sequence asked')
    const question = aRead("select nextval('asked') as nth where $1 = 'a'", 'a')
    const answers = await Promise.all([read(question), read(question), read(question)])
    expect(answers.map(([row]) => row?.nth)).toEqual(['1', '1', '1'])
    expect(answers[0]?.[0]).not.toBe(answers[1]?.[0])
    // A later read gets an answer from after it was asked.
    expect((await read(question))[0]?.nth).toBe('2')
  })

  test('different questions of one packet get their own answers, and one that fails fails alone', async () => {
    const read = createPointReads({ connect: () => pool.connect(), parallel: 1 })
    const square = 'select $1::int * $1::int as square'
    const answers = await Promise.allSettled([
      read(aRead(square, 2)),
      read(aRead('select 1 / $1::int as nothing', 0)),
      read(aRead(square, 3)),
    ])
    expect(answers[0]).toMatchObject({ value: [{ square: 4 }] })
    expect(answers[1]).toMatchObject({ reason: { message: 'division by zero' } })
    expect(answers[2]).toMatchObject({ value: [{ square: 9 }] })
  })

  test('a connection that dies is reported as unavailable, and the next read has another', async () => {
    const read = createPointReads({ connect: () => pool.connect(), parallel: 1 })
    const [own] = await read(aRead('select pg_backend_pid() as pid'))
    const killer = new pg.Client({ connectionString: pool.options.connectionString })
    await killer.connect()
    const sleeping = read(aRead('select pg_sleep($1)', 60))
    const isAsleep = async () => {
      const { rows } = await killer.query("select 1 from pg_stat_activity where pid = $1 and query like '%sleep%'", [
        own?.pid,
      ])
      return rows.length === 1
    }
    const refused = expect(sleeping).rejects.toBeInstanceOf(StoreUnavailable)
    await waitFor(isAsleep, 10_000)
    await killer.query('select pg_terminate_backend($1)', [own?.pid])
    await refused
    await killer.end()
    expect(await read(aRead('select 1 as one'))).toEqual([{ one: 1 }])
  })

  test('a statement is planned once, not for every read', async () => {
    const plans = query({
      name: 'test.plans',
      params: {},
      returns: { generic_plans: 'int', custom_plans: 'int' },
      sql: `select generic_plans, custom_plans from pg_prepared_statements where name = 'test.plans'`,
    })
    for (let count = 1; count <= 3; count++) await store.read(plans, {})
    expect(await store.read(plans, {})).toEqual([{ generic_plans: 4, custom_plans: 0 }])
  })

  test('a plan is kept for five seconds, so that it never belongs to a table of another size for long', async () => {
    const counted = await countRoundTrips(String(pool.options.connectionString))
    const through = new pg.Pool({ connectionString: counted.url, max: 1 })
    const read = createPointReads({ connect: () => through.connect(), parallel: 1 })
    const sent = async () => {
      await read({ name: 'one', text: 'select 1 as one', values: [] })
      return counted.take().flatMap(({ statements }) => statements)
    }
    try {
      // Whole: a sum with fractions is rounded, and may be less than five seconds away.
      const now = Math.ceil(performance.now())
      const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
      expect(await sent()).toEqual(['discard plans', 'one'])
      clock.mockReturnValue(now + 4_999)
      expect(await sent()).toEqual(['one'])
      clock.mockReturnValue(now + 5_000)
      expect(await sent()).toEqual(['discard plans', 'one'])
    } finally {
      await through.end()
      await counted.close()
    }
  })
})

describe('lists on PostgreSQL', () => {
  test('of one account take a quarter of the connections, so that others have one whatever these read', async () => {
    const holder = await pool.connect()
    await holder.query('select pg_advisory_lock(4711)')
    // Each waits behind the lock, as one that reads a table from end to end would.
    const slow = {
      sql: 'select pg_advisory_xact_lock_shared(4711)',
      parameters: [],
    } as unknown as CompiledQuery<object>
    const waiting = async () => {
      const counted = "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted"
      return (await holder.query(counted)).rows[0].n as number
    }
    const lists = Array.from({ length: 8 }, () => store.list(slow, 'acc_1'))
    try {
      await waitFor(async () => (await waiting()) >= 2)
      const quick = { sql: 'select 1 as one', parameters: [] } as unknown as CompiledQuery<object>
      const others = ['acc_2', 'acc_3', ''].map((account) => store.list(quick, account))
      expect(await Promise.all(others)).toEqual([[{ one: 1 }], [{ one: 1 }], [{ one: 1 }]])
      expect(await waiting()).toBe(2)
    } finally {
      await holder.query('select pg_advisory_unlock(4711)')
      holder.release()
      await Promise.allSettled(lists)
    }
    expect(await Promise.all(lists)).toHaveLength(8)
  })
})
