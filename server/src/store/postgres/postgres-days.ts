import type { PoolClient } from 'pg'
import { dayMs } from '../../lib/durations.ts'
import { timeOfId } from '../../lib/ids.ts'
import {
  type DayKeeper,
  type DayTable,
  dayOf,
  daysAhead,
  dayTableNames,
  idsOfDay,
  isDayTable,
} from '../engine/day-tables.ts'
import { isLockTimeout, toStoreError } from './postgres-failure.ts'

type Connect = () => Promise<PoolClient>

/** Nobody may stand behind a change of tables for longer. */
const lockTimeout = `set lock_timeout = '1s'`
/** Lists end after 8 s; a change that met one is tried until it is over. */
const triesMax = 12
/** Any fixed number: processes make days one after another. */
const advisoryLock = 7_064_612

/**
 * Days as partitions. There is no default partition: PostgreSQL detaches none without a lock on the whole table while there
 * is one. Where a row has no partition, `makeDayOf` makes it.
 */
export function createPostgresDays(connect: Connect): DayKeeper {
  return {
    make: (now) =>
      withClient(connect, async (client) => {
        const known = new Set((await readPartitions(client)).map(({ name }) => name))
        for (const table of dayTableNames) {
          for (const day of daysFrom(dayOf(now) - dayMs, daysAhead + 2)) {
            if (!known.has(nameOf(table, day))) await untilUnlocked(() => client.query(makingOf(table, day)))
          }
        }
      }),
    ahead: (now) =>
      withClient(connect, async (client) => {
        const known = new Set((await readPartitions(client)).map(({ name }) => name))
        const days = daysFrom(dayOf(now) + dayMs, daysAhead)
        const missing = days.findIndex((day) => dayTableNames.some((table) => !known.has(nameOf(table, day))))
        return missing === -1 ? daysAhead : missing
      }),
    drop: (table, before) =>
      withClient(connect, async (client) => {
        const old = (await readPartitions(client)).filter(
          (found) => found.table === table && found.day + dayMs <= before,
        )
        for (const { name } of old) await dropDay(client, table, name)
      }),
  }
}

/** For a row that no day has room for, by the error that says so: its clock, or this one, is far from the others'. */
export async function makeDayOf(connect: Connect, error: Error): Promise<void> {
  const { table, detail = '' } = error as Error & { table?: string; detail?: string }
  const id = /\(([a-z]+_[^)]*)\)[^(]*$/.exec(detail)?.[1]
  if (!isDayTable(table) || id === undefined) throw error
  await withClient(connect, (client) => client.query(makingOf(table, dayOf(timeOfId(id)))))
}

async function withClient<Result>(connect: Connect, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await connect()
  let broken: Error | undefined
  try {
    await client.query(lockTimeout)
    const result = await work(client)
    await client.query('reset lock_timeout')
    return result
  } catch (error) {
    broken = toStoreError(error as Error)
    throw broken
  } finally {
    client.release(broken)
  }
}

/** Made apart and then attached, which locks nobody out of the table; in one transaction, so that there is no half of it. */
export function makingOf(table: DayTable, day: number): string {
  const name = nameOf(table, day)
  const { from, to } = idsOfDay(table, day)
  return `do $$ begin
    perform pg_advisory_xact_lock(${advisoryLock});
    if to_regclass('${name}') is null then
      create table ${name} (like ${table} including all);
      alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}');
    end if;
  end $$`
}

/** In steps that wait for readers and never make one wait. What was interrupted between them is taken up again. */
async function dropDay(client: PoolClient, table: DayTable, name: string): Promise<void> {
  await untilUnlocked(async () => {
    const { rows } = await client.query(
      'select inhdetachpending as pending from pg_inherits where inhrelid = to_regclass($1)',
      [name],
    )
    const [attached] = rows as { pending: boolean }[]
    const how = attached?.pending ? 'finalize' : 'concurrently'
    if (attached) await client.query(`alter table ${table} detach partition ${name} ${how}`)
    await client.query(`drop table if exists ${name}`)
  })
}

async function untilUnlocked(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (!isLockTimeout(error as Error) || tries === triesMax) throw error
    }
  }
}

type Partition = { name: string; table: DayTable; day: number }

/** With those that are detached and not dropped yet. */
async function readPartitions(client: PoolClient): Promise<Partition[]> {
  const { rows } = await client.query(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace
       and relname ~ $1`,
    [`^(${dayTableNames.join('|')})_[0-9]{8}$`],
  )
  return (rows as { name: string }[]).map(({ name }) => {
    const digits = name.slice(-8)
    const day = Date.UTC(Number(digits.slice(0, 4)), Number(digits.slice(4, 6)) - 1, Number(digits.slice(6)))
    return { name, table: name.slice(0, -9) as DayTable, day }
  })
}

/** `events_20261118`. */
function nameOf(table: DayTable, day: number): string {
  return `${table}_${new Date(day).toISOString().split('T', 1)[0]?.replaceAll(/\D/g, '')}`
}

function daysFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index * dayMs)
}
