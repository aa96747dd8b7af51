import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines, freshStore } from '../../../../test/support/postgres/databases.ts'
import { readRequests } from '../../../../test/support/store-queries.ts'
import { dayMs } from '../../lib/durations.ts'
import { createIds, firstIdAt, timeOfId } from '../../lib/ids.ts'
import { insertRequests } from '../accounts/request-log.ts'
import { daysAhead, dayTableNames } from './day-tables.ts'
import { unitOf } from './unit.ts'

const today = Date.UTC(2026, 10, 18)
const noon = today + dayMs / 2
type World = Awaited<ReturnType<typeof freshStore>>
let world: World

/** A row of the log that arrived at a time. */
async function arrive(at: number): Promise<string> {
  const id = createIds({ now: () => at })('req')
  const row = {
    id,
    account_id: 'acc_1',
    key_id: null,
    at,
    method: 'GET',
    route: '/v1/auth/me',
    status: 200,
    code: null,
  }
  await world.store.write(unitOf(insertRequests, { ...row, duration_ms: 1, body: null, path: null, answer: null }))
  return id
}

async function stored(): Promise<string[]> {
  const all = { account_id: 'acc_1', before_at: Number.MAX_SAFE_INTEGER, before_id: '', count: 100 }
  return (await world.store.read(readRequests, all)).map(({ id }) => id).sort()
}

test('the time of an id is that of the first id of its moment', () => {
  const id = createIds({ now: () => noon })('evt')
  expect(timeOfId(id)).toBe(noon)
  expect(timeOfId(firstIdAt('evt', noon))).toBe(noon)
  expect([id < firstIdAt('evt', noon), id < firstIdAt('evt', noon + 1)]).toEqual([false, true])
})

describe.each(engines)('tables of days on %s', (engine) => {
  beforeEach(async () => {
    world = await freshStore(engine)
  })
  afterEach(() => world.dispose())

  test('lose what arrived before a day, and nothing of that day or later', async () => {
    const ids = []
    for (const days of [-9, -8, -7, -1, 0]) ids.push(await arrive(noon + days * dayMs))
    await world.store.days.drop('request_log', today - 7 * dayMs)
    expect(await stored()).toEqual(ids.slice(2))
    await world.store.days.drop('request_log', today - 7 * dayMs)
    expect(await stored()).toEqual(ids.slice(2))
  })

  test('have room for a week, made as often as one likes', async () => {
    await Promise.all([world.store.days.make(noon), world.store.days.make(noon)])
    expect(await world.store.days.ahead(noon)).toBe(daysAhead)
    await world.store.days.make(noon + dayMs)
    expect(await world.store.days.ahead(noon + dayMs)).toBe(daysAhead)
  })

  test('take a row whose clock is a month ahead, and one of half a year ago', async () => {
    await world.store.days.make(noon)
    const ids = await Promise.all([arrive(noon - 180 * dayMs), arrive(noon), arrive(noon + 30 * dayMs)])
    expect(await stored()).toEqual(ids)
    await world.store.days.make(noon + 29 * dayMs)
    await world.store.days.drop('request_log', today)
    expect(await stored()).toEqual(ids.slice(1))
  })
})

describe('partitions on PostgreSQL', () => {
  let other: pg.Client
  let watcher: pg.Client
  beforeEach(async () => {
    world = await freshStore('postgres')
    other = await connect()
    watcher = await connect()
  })
  afterEach(async () => {
    await Promise.all([other.end(), watcher.end()])
    await world.dispose()
  })

  test('the days ahead are counted in every table', async () => {
    await world.store.days.make(noon)
    expect(await world.store.days.ahead(noon + 5 * dayMs)).toBe(2)
    expect(await world.store.days.ahead(noon + 40 * dayMs)).toBe(0)
    await other.query(`drop table ${dayTableNames.at(-1)}_20261119`)
    expect(await world.store.days.ahead(noon)).toBe(0)
    await world.store.days.make(noon)
    expect(await world.store.days.ahead(noon)).toBe(daysAhead)
  })

  test('nobody waits behind a day that is dropped while a list reads the table', async () => {
    await arrive(noon - 9 * dayMs)
    await arrive(noon)
    await other.query('begin')
    await other.query('select count(*) from request_log')
    let isOver = false
    const dropping = world.store.days.drop('request_log', today - 7 * dayMs).finally(() => {
      isOver = true
    })
    await waitingFor('detach partition')
    const during = [await arrive(noon + 1), ...(await stored())]
    expect([isOver, during.length]).toEqual([false, 3])
    await other.query('commit')
    await dropping
    expect(await names()).not.toContain('request_log_20261109')
  })

  test('a drop that was interrupted is taken up again', async () => {
    await arrive(noon - 9 * dayMs)
    await other.query('begin')
    await other.query('select count(*) from request_log')
    await watcher.query(`set lock_timeout = '50ms'`)
    const detach = 'alter table request_log detach partition request_log_20261109 concurrently'
    await expect(watcher.query(detach)).rejects.toThrow('lock timeout')
    await other.query('commit')
    await other.query('create table request_log_20261108 (like request_log)')
    await world.store.days.drop('request_log', today - 7 * dayMs)
    expect((await names()).filter((name) => /_2026110[89]$/.test(name))).toEqual([])
  })

  async function connect(): Promise<pg.Client> {
    const { database } = world.test
    const client = new pg.Client(database.kind === 'postgres' ? database.url : '')
    await client.connect()
    return client
  }

  /** Until a statement of another connection waits for a lock. */
  async function waitingFor(text: string): Promise<void> {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like $1`
    while ((await watcher.query(waiting, [`%${text}%`])).rows.length === 0) {}
  }

  async function names(): Promise<string[]> {
    const { rows } = await other.query(`select relname from pg_class where relkind = 'r'`)
    return rows.map(({ relname }) => relname as string)
  }
})
