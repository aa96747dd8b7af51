import { AppError } from '../contract/app-error.ts'
import { requireOpened } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readFact } from '../store/accounts/installation.ts'
import type { BoundTo } from '../store/engine/cursor.ts'

/** The last event of the feed that a reader has: transaction and counter. */
export type FeedPosition = readonly [tx: number, seq: number]

/** The fact of the installation that changes when its events are restored. */
export const feedEpochName = 'feed_epoch'
/** Of a database that was never restored. */
const firstEpoch = ''

/**
 * Positions have a meaning within one epoch only: a restored database gives the numbers of lost events to new ones.
 * Read it before the events; a reset in between then shows with the next page.
 */
export async function feedEpoch(rt: Pick<Runtime, 'store'>): Promise<string> {
  const [fact] = await rt.store.read(readFact, { name: feedEpochName })
  return fact?.value ?? firstEpoch
}

const startAgain =
  'Start again without it, or with `since` and the time of the last event you have; deduplicate by `id`.'

/** Before the first event. */
export const feedStart: FeedPosition = [0, 0]

/** Where a reader is. Events recorded before `since` are passed over: it is when the reader started, 0 for all events. */
export type FeedMark = { position: FeedPosition; since: number }
type OpenedMark = FeedMark & { expiresAt: number }

export function sealFeedCursor(
  rt: Runtime,
  { epoch, position, since }: FeedMark & { epoch: string },
  boundTo: BoundTo,
  lifeMs: number,
): string {
  return rt.cursors.seal([...position, epoch, since], boundTo, { lifeMs })
}

/** Rejects a cursor that is not ours, and one of another epoch. */
export function openFeedCursor(rt: Runtime, cursor: string, boundTo: BoundTo, epoch: string): OpenedMark {
  const { position, expiresAt } = requireOpened(rt, cursor, boundTo, startAgain)
  const [tx, seq, madeIn, since] = position
  if (madeIn !== epoch) {
    throw new AppError(
      'invalid_cursor',
      `The events were restored from a backup after this cursor was created. ${startAgain}`,
    )
  }
  return { position: [Number(tx), Number(seq)], since: Number(since), expiresAt }
}
