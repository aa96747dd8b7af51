import { bodyOf } from '../../events/publish-event.ts'
import { type FeedPosition, feedEpoch } from '../../events/read-feed.ts'
import { ownIds } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { type EventRow, findEvents, readFeed } from '../../store/webhooks/events.ts'
import { deliveryHeaders, payloadFor } from '../delivery/deliver-event.ts'
import type { AttemptTrigger } from '../delivery/delivery-view.ts'
import { type Listener, sealPosition } from './open-listener.ts'
import { sealReceipt } from './record-forwarded.ts'

/** An event on its way to a developer's machine, signed for the moment it was handed out. */
export type Forwarded = {
  readonly deliveryId: string
  readonly eventId: string
  readonly type: string
  /** The cursor after this event. */
  readonly cursor: string
  /** Comes back with the answer of the receiver. */
  readonly receipt: string
  readonly headers: Record<string, string>
  /** Its bytes in UTF-8 are what was signed. */
  readonly body: string
}

/** `cause`: why this listener gets it. */
type FeedRow = EventRow & { tx: number; seq: number; cause: AttemptTrigger }

const pageSize = 50
/** Wake-ups are hints; on PostgreSQL an event can also be held back for a moment by an older transaction. */
const lookMs = 1_000

/**
 * Everything the listener has not seen, and everything that will happen, in the order of the feed. Yields null every
 * `quietMs` at the latest, so that the stream can send a heartbeat. An event is signed when it is asked for: one that
 * waits behind a slow reader does not grow old.
 */
export async function* followEvents(
  rt: Runtime,
  listener: Listener,
  { wants, signal, quietMs }: { wants(type: string): boolean; signal: AbortSignal; quietMs: number },
): AsyncGenerator<Forwarded | null, void> {
  const news = hearOf(rt, listener, signal)
  try {
    let { position } = listener
    let saidAt = performance.now()
    while (!signal.aborted) {
      // The events were restored: the client comes back with its cursor and is told.
      if ((await feedEpoch(rt)) !== listener.epoch) return
      const page = await eventsAfter(rt, listener, position)
      // Without a body: what was to be sent again is no longer kept.
      const found = page.filter(
        ({ type, created_at, body }) => created_at >= listener.since && wants(type) && body !== '',
      )
      const ownId = await ownIdsFor(rt, listener, found)
      for (const row of found) {
        yield forward(rt, listener, { ...row, body: payloadFor(listener, row.body, ownId(row.subject)) })
        if (signal.aborted) return
        saidAt = performance.now()
      }
      const last = page.at(-1)
      if (last) position = [last.tx, last.seq]
      if (performance.now() - saidAt >= quietMs) {
        yield null
        saidAt = performance.now()
      }
      if (page.length === 0) await news.next(Math.min(lookMs, quietMs))
    }
  } finally {
    news.stop()
  }
}

/** Only what is masked needs them. */
function ownIdsFor(rt: Runtime, { masked, accountId }: Listener, rows: readonly FeedRow[]) {
  return ownIds(rt, accountId, masked === 1 ? rows.map(({ subject }) => subject) : [])
}

/**
 * Samples and what is to be sent again are kept under the id of the listener they are for: no other reader of the feed
 * ever sees them.
 */
async function eventsAfter(rt: Runtime, listener: Listener, [after_tx, after_seq]: FeedPosition): Promise<FeedRow[]> {
  const read = (account_id: string) => rt.store.read(readFeed, { account_id, after_tx, after_seq, count: pageSize })
  const [real, own] = await Promise.all([read(listener.accountId), read(listener.id)])
  const published = real.map((row) => ({ ...row, body: bodyOf(row), cause: 'schedule' as const }))
  if (own.length === 0) return published
  const wanted = own.flatMap(({ subject }) => subject ?? [])
  const events = wanted.length > 0 ? await rt.store.read(findEvents, { ids: wanted }) : []
  const asked = own.map((row): FeedRow => {
    if (row.subject === null) return { ...row, cause: 'test' }
    const event = events.find(({ id }) => id === row.subject)
    if (!event) return { ...row, subject: null, cause: 'manual' }
    return { ...row, id: event.id, subject: event.subject, body: bodyOf(event), cause: 'manual' }
  })
  return [...published, ...asked].sort((a, b) => a.tx - b.tx || a.seq - b.seq).slice(0, pageSize)
}

function forward(rt: Runtime, listener: Listener, row: FeedRow): Forwarded {
  const { id: eventId, type, body } = row
  const { epoch, since } = listener
  const sentAt = rt.clock.now()
  const parcel = { eventId, type, body: Buffer.from(body), attempt: 1 }
  const delivery = {
    id: rt.newId('dlv'),
    attemptId: rt.newId('att'),
    webhookId: listener.id,
    eventId,
    type,
    messageId: type.startsWith('message.') ? row.subject : null,
    cause: row.cause,
    sentAt,
  }
  return {
    deliveryId: delivery.id,
    eventId,
    type,
    cursor: sealPosition(rt, listener, { epoch, since, at: row.created_at, position: [row.tx, row.seq] }),
    receipt: sealReceipt(rt, listener, delivery),
    headers: deliveryHeaders(rt, listener.signer, parcel, Math.floor(sentAt / 1_000)),
    body,
  }
}

/** Sleeps until an event of the account, or a sample for the listener, was committed; or until the time is over. */
function hearOf(rt: Runtime, { accountId, id }: Listener, signal: AbortSignal) {
  let wake: () => void = () => {}
  let heard = false
  const note = () => {
    heard = true
    wake()
  }
  const unsubscribe = rt.store.onCommit('events', (touched) => {
    if (touched === 'anybody' || touched.has(accountId) || touched.has(id)) note()
  })
  signal.addEventListener('abort', note)
  return {
    async next(ms: number): Promise<void> {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (heard || signal.aborted) wake()
      })
      heard = false
    },
    stop() {
      unsubscribe()
      signal.removeEventListener('abort', note)
    },
  }
}
