import { AppError } from '../contract/app-error.ts'
import { openCursor } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readFact } from '../store/accounts/installation.ts'

/** The last event of the feed that a reader has: transaction and counter. */
export type FeedPosition = readonly [tx: number, seq: number]

/** The fact of the installation that changes when its events are restored. */
export const feedEpochName = 'feed_epoch'
/** Of a database that was never restored. Cursors without an epoch were made in it. */
const firstEpoch = ''

/**
 * Positions have a meaning within one epoch only: a restored database gives the numbers of lost events to new ones.
 * Read it before the events; a reset in between then shows with the next page.
 */
export async function feedEpoch(rt: Pick<Runtime, 'store'>): Promise<string> {
  const [fact] = await rt.store.read(readFact, { name: feedEpochName })
  return fact?.value ?? firstEpoch
}

/** Before the first event. */
export const feedStart: FeedPosition = [0, 0]

type Mark = { epoch: string; position: FeedPosition }

export function sealFeedCursor(rt: Runtime, { epoch, position }: Mark, boundTo: unknown, lifeMs: number): string {
  return rt.cursors.seal([...position, epoch], boundTo, { lifeMs })
}

/** The position of a cursor, or the start without one; refuses one that is not ours and one of another epoch. */
export function openFeedCursor(rt: Runtime, cursor: string | undefined, boundTo: unknown, epoch: string): FeedPosition {
  const opened = openCursor(rt, cursor, boundTo)
  if (opened === null) return feedStart
  const [tx, seq, madeIn = firstEpoch] = opened
  if (madeIn !== epoch) {
    throw new AppError(
      'invalid_cursor',
      'The events were restored from a backup after this cursor was made. Start again without it, or with `since` and the time of the last event you have; deduplicate by `id`.',
    )
  }
  return [Number(tx), Number(seq)]
}
