import { type AuditEntry, type Author, writeChange } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { relayTypes } from '../../contract/connections.ts'
import type { Replay, ReplayRequest } from '../../contract/deliveries.ts'
import { eventTypes, wantsEvent } from '../../contract/events.ts'
import { enforced } from '../../events/publish-event.ts'
import { readInstant } from '../../events/read-feed.ts'
import { dayMs, minuteMs } from '../../lib/durations.ts'
import { createIds } from '../../lib/ids.ts'
import { ownIds } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { type CallHandle, Unit } from '../../store/engine/unit.ts'
import { endDeliveries, findDelivery, retryUnit } from '../../store/webhooks/deliveries.ts'
import { insertEvent } from '../../store/webhooks/events.ts'
import type { ListenerRow } from '../../store/webhooks/listeners.ts'
import {
  beginReplay,
  countReplayable,
  endReplayed,
  findReplay,
  queueReplay,
  type ReplayScope,
} from '../../store/webhooks/webhook-replays.ts'
import { deliveryView } from '../delivery/delivery-view.ts'
import { endpointOf, eventText, receiverOf, requireSendable, webhookLine } from '../find-webhook.ts'
import { silentMsMax } from '../listen/trigger-event.ts'
import { noSuchDelivery } from './get-delivery.ts'

const eventsMax = 10_000

/** Sends past events again, oldest first. A second call while one runs joins it and gets its numbers. */
export async function replayDeliveries(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  request: ReplayRequest,
  author: Author | null = null,
): Promise<Replay> {
  const webhook = await endpointOf(rt, accountId, webhookId)
  requireSendable(rt, webhook)
  const range = readRange(rt, request)
  const scope = request.status ?? 'failed'
  const wanted = request.events ?? ['*']
  const types: string[] =
    webhook.kind === 'relay' ? [...relayTypes] : eventTypes.filter((type) => wantsEvent(wanted, type))
  const running = await runningReplay(rt, webhookId)
  if (running.replay) return running.replay
  await rt.store.write(endDeliveries(new Unit(), rt.store.engine))
  const [count] = await rt.store.read(countReplayable[scope], { webhook_id: webhookId, ...range, types })
  const matched = count?.matched ?? 0
  const replay_id = rt.newId('rpl')
  const line = webhookLine(author, 'webhook.replayed', webhook, { since: request.since, replay_id, matched })
  const begin = { webhook_id: webhookId, replay_id, expected: running.last, matched, enforce: enforced(rt) }
  try {
    return {
      replay_id,
      matched,
      queued: await writeReplay(rt, line, begin, { scope, ...range, types: eventText(types) }),
    }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const { replay } = await runningReplay(rt, webhookId)
    // Another one began, and is over already: this one still has to be made.
    return replay ?? replayDeliveries(rt, accountId, webhookId, request, author)
  }
}

type Begin = { webhook_id: string; replay_id: string; expected: string; matched: number; enforce: number }
type Queue = ReplayRange & { scope: ReplayScope; types: string }

/** Number of deliveries queued again. */
async function writeReplay(rt: Runtime, line: AuditEntry | null, begin: Begin, queue: Queue): Promise<number> {
  const { webhook_id, replay_id, enforce } = begin
  const { scope, ...wanted } = queue
  const again = { webhook_id, replay_id, ...wanted, now: rt.clock.now(), count: eventsMax, enforce }
  let call: CallHandle<(typeof queueReplay)[ReplayScope]['returns']> | undefined
  const result = await writeChange(rt, line, (unit) => {
    unit.add(beginReplay, begin)
    call = unit.add(queueReplay[scope], again)
    endReplayed(unit, { webhook_id, replay_id })
  })
  return call ? result.rows(call).length : 0
}

function readRange(rt: Runtime, { since, until }: ReplayRequest): ReplayRange {
  const now = rt.clock.now()
  const range = { since: readInstant('since', since) ?? now, until: readInstant('until', until) ?? now + 1 }
  const days = rt.config.retentionDeliveriesDays
  if (range.since >= range.until) throw new AppError('invalid_date_range', "'since' must be before 'until'.")
  if (range.since < now - days * dayMs) {
    throw new AppError('invalid_date_range', `Events are kept for ${days} days; 'since' is earlier.`)
  }
  return replayRange(range)
}

/** A replay runs until each of its deliveries has been tried once. */
async function runningReplay(rt: Runtime, webhookId: string): Promise<{ last: string; replay: Replay | null }> {
  const [found] = await rt.store.read(findReplay, { webhook_id: webhookId })
  const last = found?.replay_id ?? ''
  if (!found || last === '' || found.under_way === 0) return { last, replay: null }
  return { last, replay: { replay_id: last, matched: found.replay_matched, queued: found.queued } }
}

type ReplayRange = { since: number; until: number; first_id: string; last_id: string }

/** `dlv_` and ten digits of time. */
const timeLength = 14

/**
 * A range of time as a range of the index: ids begin with their time. It was read a moment before the delivery's own, and
 * is ahead of it where a clock was set back, so the ids reach further than the times, by a minute and by a day.
 */
export function replayRange({ since, until }: { since: number; until: number }): ReplayRange {
  return { since, until, first_id: idAt(since - minuteMs), last_id: idAt(until + dayMs) }
}

function idAt(at: number): string {
  return createIds({ now: () => Math.max(0, at) })('dlv').slice(0, timeLength)
}

/** Another attempt now, in place of the next automatic one; the event keeps its id. */
export async function retryDelivery(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  id: string,
  { seesPeople }: { seesPeople: boolean } = { seesPeople: true },
) {
  const delivery = await retried(rt, accountId, webhookId, id)
  if (seesPeople) return delivery
  return { ...delivery, message_id: (await ownIds(rt, accountId, [delivery.message_id]))(delivery.message_id) }
}

async function retried(rt: Runtime, accountId: string, webhookId: string, id: string) {
  const { webhook, listener } = await receiverOf(rt, accountId, webhookId)
  if (listener) return resendToListener(rt, listener, id)
  requireSendable(rt, webhook)
  await rt.store
    .write(retryUnit(rt.store.engine, { id, webhook_id: webhookId, now: rt.clock.now(), enforce: enforced(rt) }))
    .catch(async (error: unknown) => {
      if (!(error instanceof ConditionFailed)) throw error
      requireSendable(rt, await endpointOf(rt, accountId, webhookId))
      throw noSuchDelivery(id)
    })
  const [row] = await rt.store.read(findDelivery, { id, webhook_id: webhookId })
  if (!row) throw noSuchDelivery(id)
  return deliveryView(row)
}

/**
 * Hands an event to its listener once more; the answer becomes a delivery of its own. What is stored names the event and
 * copies nothing of it, so that a customer who is erased meanwhile is not sent again.
 */
async function resendToListener(rt: Runtime, listener: ListenerRow, deliveryId: string) {
  const [delivery] = await rt.store.read(findDelivery, { id: deliveryId, webhook_id: listener.id })
  if (!delivery?.body) throw noSuchDelivery(deliveryId)
  const now = rt.clock.now()
  if (listener.seen_at <= now - silentMsMax) {
    throw new AppError('webhook_inactive', 'No client is listening. Start postern listen, then send the event again.')
  }
  const { type, event_id: subject } = delivery
  const unit = new Unit()
  const pointer = {
    id: rt.newId('evt'),
    account_id: listener.id,
    type,
    subject,
    sequence: 1,
    created_at: now,
    body: '',
  }
  unit.add(insertEvent, { ...pointer, traceparent: rt.tracer.current() ?? null })
  await rt.store.write(unit)
  return deliveryView(delivery)
}
