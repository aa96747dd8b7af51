import { AppError } from '../contract/app-error.ts'
import type { Event, EventQuery } from '../contract/event-feed.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { firstIdAt, timeOfId } from '../lib/ids.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import { mergeFound, requireOpened } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readFact, replaceFact } from '../store/accounts/installation.ts'
import type { BoundTo } from '../store/engine/cursor.ts'
import { type Found, readLists } from '../store/engine/list.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { endDeliveries, skipOldHeld } from '../store/webhooks/deliveries.ts'
import {
  feedLag,
  feedStart as firstEventSince,
  lastEventAmongForeign,
  newestForeignEvent,
  settleEvents,
} from '../store/webhooks/events.ts'
import { commitLagMsMax, type FeedRow, feedListing } from '../store/webhooks/webhook-lists.ts'
import { erasedIds } from './masked-event.ts'
import { bodyOf } from './publish-event.ts'

const limitDefault = 25
/** An event that the next run of retention will delete is still shown, and its reader has to get behind it. */
const lifeMsMin = hourMs

/**
 * All events, oldest first, for software without a public address. There is always a cursor to continue with. It is
 * valid as long as the event before it is kept, and longer for a reader that keeps asking: while there are no new events
 * it stays the same until half of its time is over. `since` only chooses the start; the cursor remembers it, so a reader
 * resumes with the cursor alone, also after an empty first page.
 */
export async function readFeed(rt: Runtime, accountId: string, request: EventQuery) {
  const { cursor, limit = limitDefault, since, ...filters } = request
  const boundTo = [accountId, 'feed', filters]
  const epoch = await feedEpoch(rt)
  const given = cursor === undefined ? null : openFeedCursor(rt, cursor, boundTo, epoch)
  const mark: FeedMark = given ?? { position: feedStart, at: 0, since: readInstant('since', since) ?? 0 }
  const { rows, edge } = await readEvents(rt, accountId, { filters, mark, count: limit + 1 })
  const page = rows.slice(0, limit)
  const isCut = edge !== null && rows.length <= limit
  return {
    events: page.map((row) => JSON.parse(bodyOf(row)) as Event),
    pagination: {
      limit,
      has_more: rows.length > limit || isCut,
      next_cursor: nextCursor(),
      ...(isCut ? { searched_back_to: formatInstant(edge.created_at) } : {}),
    },
  }

  function nextCursor(): string {
    const now = rt.clock.now()
    const keptMs = rt.config.retentionDeliveriesDays * dayMs
    const last = isCut ? edge : page.at(-1)
    if (!last && cursor && given && given.expiresAt - now > keptMs / 2) return cursor
    const lifeMs = Math.max(lifeMsMin, keptMs - (last ? now - last.created_at : 0))
    const position = last ? ([last.tx, last.seq] as const) : mark.position
    return sealFeedCursor(rt, { epoch, position, at: last?.created_at ?? mark.at, since: mark.since }, boundTo, lifeMs)
  }
}

type Wanted = { filters: Pick<EventQuery, 'type' | 'message_id'>; mark: FeedMark; count: number }

/** Under each id of a message, or all. Nothing was recorded yet where a start in time has no event behind it. */
async function readEvents(rt: Runtime, accountId: string, { filters, mark, count }: Wanted): Promise<Found<FeedRow>> {
  const { type = null, message_id: message = null } = filters
  const since = mark.since === 0 ? null : mark.since
  const after = mark.position[1] === 0 ? await positionAt(rt, since) : mark.position
  if (after === null) return { rows: [], edge: null }
  const from = Math.max(mark.at, mark.since)
  const ids = message === null ? [null] : [...new Set([message, (await erasedIds(rt, accountId))(message)])]
  const founds = await readLists(
    rt.store,
    accountId,
    ids.map((messageId) => [
      feedListing(rt.store.engine, { accountId, type, since, from, messageId }),
      { after, count },
    ]),
  )
  return mergeFound(founds, (a, b) => a.tx - b.tx || a.seq - b.seq)
}

/** Before the first event since a time, and before all of them without one; null when nothing was recorded since. */
export async function positionAt(rt: Runtime, since: number | null): Promise<FeedPosition | null> {
  if (since === null) return feedStart
  const [first] = await rt.store.read(firstEventSince, { first_id: firstIdAt('evt', since - commitLagMsMax) })
  return first ? [first.tx, first.seq - 1] : null
}

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
const feedStart: FeedPosition = [0, 0]

/**
 * Where a reader is. Events recorded before `since` are passed over: it is when the reader started, 0 for all events. `at` is the
 * time of the event at `position`, 0 where it is not known.
 */
export type FeedMark = { position: FeedPosition; at: number; since: number }
type OpenedMark = FeedMark & { expiresAt: number }

export function sealFeedCursor(
  rt: Runtime,
  { epoch, position, at, since }: FeedMark & { epoch: string },
  boundTo: BoundTo,
  lifeMs: number,
): string {
  return rt.cursors.seal([...position, epoch, since, at], boundTo, { lifeMs })
}

/** Rejects a cursor that is not ours, and one of another epoch. */
export function openFeedCursor(rt: Runtime, cursor: string, boundTo: BoundTo, epoch: string): OpenedMark {
  const { position, expiresAt } = requireOpened(rt, cursor, boundTo, startAgain)
  const [tx, seq, madeIn, since, at] = position
  if (madeIn !== epoch) {
    throw new AppError(
      'invalid_cursor',
      `The events were restored from a backup after this cursor was created. ${startAgain}`,
    )
  }
  return { position: [Number(tx), Number(seq)], at: Number(at), since: Number(since), expiresAt }
}

/** A time from a caller, or null when it was left out. Its form was checked before; the day may still not exist. */
export function readInstant(field: string, text: string | null | undefined): number | null {
  if (text === undefined || text === null) return null
  const at = parseInstant(text)
  if (at === null) throw new AppError('invalid_date_range', `'${field}' names a day or time that does not exist.`)
  return at
}

const batch = 1_000
const heldMsMax = dayMs

/**
 * Events, deliveries and attempts are kept equally long. What has waited for longer than that came to its end before. A delivery
 * that was held for a day is skipped.
 */
export async function expireOldEvents(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - rt.config.retentionDeliveriesDays * dayMs
  const unit = unitOf(skipOldHeld, { before: rt.clock.now() - heldMsMax, count: batch })
  await rt.store.writeApart(endDeliveries(unit, rt.store.engine))
  await rt.store.days.drop('attempts', before)
  await rt.store.days.drop('deliveries', before)
  await rt.store.days.drop('events', before)
  return 'done'
}

/** For the operator's gauge: the feed shows nothing past a transaction that does not end, even one of another program. */
export async function measureFeed(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const [row] = await rt.store.read(feedLag, { ids: lagSteps.map((ageMs) => firstIdAt('evt', now - ageMs)) })
  const id = row?.id ?? null
  rt.metrics.feedLag.set({}, id === null ? 0 : (now - timeOfId(id)) / 1_000)
}

const lagSteps = [10_000, 30_000, 60_000, 120_000, 300_000, 900_000, hourMs, 6 * hourMs]

const batchSize = 5_000

/**
 * For a database that was restored: every cursor made before is refused from now on, and its reader told to start
 * again. On PostgreSQL it also settles events with transaction numbers of another cluster, which the feed would hide.
 */
export async function resetFeed(rt: Runtime): Promise<{ epoch: string; settled: number }> {
  const settled = await settleForeignEvents(rt)
  const epoch = rt.newId('fep')
  await rt.store.write(unitOf(replaceFact, { name: feedEpochName, value: epoch }))
  return { epoch, settled }
}

/**
 * At the start: events that provably come from another cluster need a reset, whether or not the operator asked for it.
 */
export async function resetForeignFeed(rt: Runtime): Promise<void> {
  const [foreign] = await rt.store.read(newestForeignEvent, {})
  if (foreign) rt.log.warn(await resetFeed(rt), 'feed.reset_after_restore')
}

async function settleForeignEvents(rt: Runtime): Promise<number> {
  const [foreign] = await rt.store.read(lastEventAmongForeign, {})
  if (!foreign) return 0
  let settled = 0
  for (let after = ''; ; ) {
    const unit = new Unit()
    const batch = unit.add(settleEvents, { after, last: foreign.id, count: batchSize })
    const rows = (await rt.store.writeApart(unit)).rows(batch)
    settled += rows.length
    if (rows.length < batchSize) return settled
    after = rows.reduce((last, { id }) => (id > last ? id : last), after)
  }
}
