import type pg from 'pg'
import { processNow } from '../../lib/clock.ts'

export type DatabaseClock = { offsetMs(): number; stop(): void }

const sampleEveryMs = 10_000
const questionsPerSample = 3

/**
 * The difference between the database's clock and ours, sampled every 10 s. The database looks at its clock somewhere
 * between question and answer: half the round trip is taken off, and the quickest of three answers is the most exact.
 * The connection is open before the first question, because opening one takes longer than any answer.
 */
export async function followDatabaseClock(connect: () => Promise<pg.PoolClient>): Promise<DatabaseClock> {
  let offset = 0

  async function sample(): Promise<void> {
    const client = await connect()
    let broken: Error | undefined
    try {
      let quickest = Number.POSITIVE_INFINITY
      for (let question = 0; question < questionsPerSample; question++) {
        const asked = processNow()
        const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now')
        const answered = processNow()
        if (answered - asked >= quickest) continue
        quickest = answered - asked
        offset = Number(rows[0]?.now) - (asked + answered) / 2
      }
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  await sample()
  const timer = setInterval(() => void sample().catch(() => {}), sampleEveryMs)
  return { offsetMs: () => offset, stop: () => clearInterval(timer) }
}
