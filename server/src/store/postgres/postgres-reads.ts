import type { PoolClient, QueryConfig } from 'pg'
import { createConcurrencyLimiter } from '../../limits/concurrency.ts'
import { watchWaiting } from '../engine/probe.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import { discardPlans, plansAreOld, timeLimits } from './postgres-connection.ts'
import { isOfOlderSchema, isUnavailable } from './postgres-failure.ts'
import { inOnePacket, tearDown } from './postgres-pipeline.ts'

export type PointRead = { name: string; text: string; values: unknown[] }
type Rows = Record<string, unknown>[]
type Reader = { resolve(rows: Rows): void; reject(error: unknown): void }
type Waiting = { read: PointRead; since: number; readers: Reader[] }

type Options = { connect: () => Promise<PoolClient>; parallel: number }

/**
 * Reads of single rows, as every request makes some: those of the same moment leave in one packet, and the same question
 * asked twice is asked once. A write to a socket costs 50 us and a row read 30, so this is most of the price of a read.
 * Each statement runs after everyone who waits for it has asked, so nobody sees anything older than with a read of its own.
 */
export function createPointReads({ connect, parallel }: Options): (read: PointRead) => Promise<Rows> {
  let waiting = new Map<string, Waiting>()
  let underWay = 0
  let scheduled = false
  const watch = watchWaiting(dropLate)

  return (read) =>
    new Promise((resolve, reject) => {
      const question = `${read.name} ${JSON.stringify(read.values)}`
      const known = waiting.get(question)
      if (known) known.readers.push({ resolve, reject })
      else waiting.set(question, { read, since: performance.now(), readers: [{ resolve, reject }] })
      watch()
      schedule()
    })

  function schedule(): void {
    if (scheduled || underWay >= parallel || waiting.size === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const batch = [...waiting.values()]
      waiting = new Map()
      void answer(batch)
    })
  }

  /** In order of arrival. */
  function dropLate(before: number): number {
    for (const [question, late] of waiting) {
      if (late.since > before) break
      waiting.delete(question)
      refuse([late], new Error('No connection for reading became free in time.'))
    }
    return waiting.size
  }

  async function answer(batch: readonly Waiting[]): Promise<void> {
    underWay++
    let left = batch
    try {
      while (left.length > 0) left = await askOn(await connect(), left)
    } catch (error) {
      refuse(left, error)
    } finally {
      underWay--
      schedule()
    }
  }
}

/** One connection answers the whole batch; its first failure to answer ends the rest. Gives what another one has to answer. */
async function askOn(client: PoolClient, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
  let broken: Error | undefined
  try {
    const answers = inOnePacket(client, () => {
      // If it fails, so do the reads behind it.
      if (plansAreOld(client)) client.query(discardPlans).catch(() => {})
      return batch.map(({ read }) => client.query(read as QueryConfig))
    })
    for (const answer of answers) answer.catch(() => {})
    for (const [index, { readers }] of batch.entries()) {
      try {
        const { rows = [] } = (await answers[index]) ?? {}
        for (const { resolve } of readers) resolve(readers.length > 1 ? rows.map(copy) : rows)
      } catch (error) {
        const isOutdated = error instanceof Error && isOfOlderSchema(error)
        if (!isOutdated && !(error instanceof Error && isUnavailable(error))) {
          for (const { reject } of readers) reject(error)
          continue
        }
        broken = error
        tearDown(client)
        if (isOutdated) return batch.slice(index)
        // The reads behind it would wait for the same lock, one after the other.
        refuse(batch.slice(index), error)
        break
      }
    }
    return []
  } finally {
    client.release(broken)
  }
}

function refuse(batch: readonly Waiting[], cause: unknown): void {
  const unavailable = new StoreUnavailable('not_stored', cause)
  for (const { readers } of batch) for (const { reject } of readers) reject(unavailable)
}

/** Readers may change their rows. */
function copy(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row }
}

/**
 * Lists and reports: each on a connection of its own, so that a long one delays no other. An account has a quarter of the
 * connections at a time: however slow its lists are, others find one. What the gateway asks for itself has no owner.
 */
export function createListReads(connect: () => Promise<PoolClient>, connections: number) {
  const shares = createConcurrencyLimiter()
  const share = Math.max(1, Math.floor(connections / 4))
  return async (query: QueryConfig, owner: string): Promise<unknown[]> => {
    if (owner === '') return readRows(connect, query)
    const release = await shares.acquire(owner, share, timeLimits.list.statementMs)
    if (release === null) throw new StoreUnavailable('not_stored', new Error('A list waited too long in the queue.'))
    try {
      return await readRows(connect, query)
    } finally {
      release()
    }
  }
}

export async function readRows(connect: () => Promise<PoolClient>, query: QueryConfig): Promise<unknown[]> {
  const client = await connect().catch((error: unknown) => {
    throw new StoreUnavailable('not_stored', error)
  })
  let broken: Error | undefined
  try {
    return (await client.query(query)).rows
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (isOfOlderSchema(error)) broken = error
    else if (isUnavailable(error)) broken = new StoreUnavailable('not_stored', error)
    else throw error
  } finally {
    client.release(broken)
  }
  if (broken instanceof StoreUnavailable) throw broken
  return readRows(connect, query)
}
