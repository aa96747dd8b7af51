import type { PoolClient, QueryConfig } from 'pg'
import { StoreUnavailable } from '../engine/store-error.ts'
import { isConnectionFailure } from './postgres-failure.ts'
import { inOnePacket } from './postgres-packet.ts'

export type PointRead = { name: string; text: string; values: unknown[] }
type Rows = Record<string, unknown>[]
type Waiting = { read: PointRead; readers: { resolve(rows: Rows): void; reject(error: unknown): void }[] }

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

  return (read) =>
    new Promise((resolve, reject) => {
      const question = `${read.name} ${JSON.stringify(read.values)}`
      const known = waiting.get(question)
      if (known) known.readers.push({ resolve, reject })
      else waiting.set(question, { read, readers: [{ resolve, reject }] })
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

  async function answer(batch: readonly Waiting[]): Promise<void> {
    underWay++
    try {
      await ask(batch)
    } catch (error) {
      const unavailable = new StoreUnavailable('not_stored', error)
      for (const { readers } of batch) for (const { reject } of readers) reject(unavailable)
    } finally {
      underWay--
      schedule()
    }
  }

  async function ask(batch: readonly Waiting[]): Promise<void> {
    const client = await connect()
    let broken: Error | undefined
    try {
      const answers = inOnePacket(client, () => batch.map(({ read }) => client.query(read as QueryConfig)))
      for (const [index, result] of (await Promise.allSettled(answers)).entries()) {
        const readers = batch[index]?.readers ?? []
        if (result.status === 'fulfilled') {
          for (const { resolve } of readers)
            resolve(readers.length > 1 ? result.value.rows.map(copy) : result.value.rows)
          continue
        }
        const error: unknown = result.reason
        const lost = error instanceof Error && isConnectionFailure(error)
        if (lost) broken = error
        for (const { reject } of readers) reject(lost ? new StoreUnavailable('not_stored', error) : error)
      }
    } finally {
      client.release(broken)
    }
  }
}

/** Readers may change their rows. */
function copy(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row }
}
