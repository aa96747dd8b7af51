import { AppError } from '../contract/app-error.ts'
import type { Store } from '../store/engine/store.ts'
import { countWaiting } from '../store/messages/waiting.ts'

export type WaitingRoom = {
  /** Makes room for one more message of the account, or refuses it. */
  enter(accountId: string, max: number): Promise<void>
}

/** A count of a million takes a tenth of a second: it is made again once the time it took is a fiftieth of its age. */
const trustedMs = { min: 1_000, perMs: 50 }
const accountsMax = 10_000

type Count = { count: number; trustedUntil: number }

/** What waits is counted now and then, and what this process accepts is added: a few more than allowed do no harm. */
export function createWaitingRoom({ store }: { store: Pick<Store, 'read'> }): WaitingRoom {
  const counts = new Map<string, Count>()

  async function countOf(accountId: string): Promise<Count> {
    const startedMs = performance.now()
    const known = counts.get(accountId)
    if (known && known.trustedUntil > startedMs) return known
    const [row] = await store.read(countWaiting, { account_id: accountId })
    const endedMs = performance.now()
    const trustedUntil = endedMs + Math.max(trustedMs.min, (endedMs - startedMs) * trustedMs.perMs)
    const counted = { count: row?.count ?? 0, trustedUntil }
    if (counts.size >= accountsMax) counts.clear()
    counts.set(accountId, counted)
    return counted
  }

  return {
    async enter(accountId, max) {
      const known = await countOf(accountId)
      if (known.count >= max) {
        const sentence = `${max.toLocaleString('en')} messages wait to be sent, as many as the plan allows.`
        throw new AppError('queue_full', sentence, { retryAfterSeconds: 60 })
      }
      known.count++
    },
  }
}
