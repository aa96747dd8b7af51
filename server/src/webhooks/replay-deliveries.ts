import { AppError } from '../contract/app-error.ts'
import { eventTypes } from '../contract/events.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { Unit } from '../store/unit.ts'
import { beginReplay, countReplayable, findReplay, queueReplay } from '../store/webhook-replays.ts'
import { webhookInactive, webhookOf } from './find-webhook.ts'
import { readInstant } from './read-instant.ts'
import { enforced } from './verification-mode.ts'
import { eventText } from './webhook-view.ts'

export type ReplayRequest = {
  since: string
  until?: string | null
  status?: 'failed' | 'all' | null
  events?: readonly string[] | null
}

export type Replay = { replay_id: string; matched: number; queued: number }

const dayMs = 86_400_000
const eventsMax = 10_000
/** `failed` is whatever did not reach the receiver and is not on its way. */
const statusesOf = {
  failed: ['failed', 'skipped', 'cancelled', 'expired'],
  all: ['failed', 'skipped', 'cancelled', 'expired', 'delivered'],
}

/** Sends past events again, oldest first. A second call while one runs joins it and gets its numbers. */
export async function replayDeliveries(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  request: ReplayRequest,
): Promise<Replay> {
  const webhook = await webhookOf(rt, accountId, webhookId)
  if (webhook.active === 0) throw webhookInactive()
  const range = readRange(rt, request)
  const statuses = statusesOf[request.status ?? 'failed']
  const types = request.events ?? ['*']
  const running = await runningReplay(rt, webhookId)
  if (running.replay) return running.replay
  const list = { statuses, types: types.includes('*') ? [...eventTypes] : types }
  const [count] = await rt.store.read(countReplayable, { webhook_id: webhookId, ...range, ...list })
  const matched = count?.matched ?? 0
  const replay_id = rt.newId('rpl')
  const unit = new Unit()
  unit.add(beginReplay, { webhook_id: webhookId, replay_id, expected: running.last, matched })
  const slot = unit.add(queueReplay, {
    webhook_id: webhookId,
    replay_id,
    ...range,
    statuses: eventText(statuses),
    types: eventText(types),
    now: rt.clock.now(),
    count: eventsMax,
    enforce: enforced(rt),
  })
  try {
    return { replay_id, matched, queued: (await rt.store.write(unit)).rows(slot).length }
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const { replay } = await runningReplay(rt, webhookId)
    if (replay) return replay
    throw webhookInactive()
  }
}

function readRange(rt: Runtime, { since, until }: ReplayRequest): { since: number; until: number } {
  const now = rt.clock.now()
  const range = { since: readInstant('since', since) ?? now, until: readInstant('until', until) ?? now + 1 }
  const days = rt.config.retentionDeliveriesDays
  if (range.since >= range.until) throw new AppError('invalid_date_range', "'since' must be before 'until'.")
  if (range.since < now - days * dayMs) {
    throw new AppError('invalid_date_range', `Events are kept for ${days} days; 'since' is longer ago.`)
  }
  return range
}

/** A replay runs until each of its deliveries has been tried once. */
async function runningReplay(rt: Runtime, webhookId: string): Promise<{ last: string; replay: Replay | null }> {
  const [found] = await rt.store.read(findReplay, { webhook_id: webhookId })
  const last = found?.replay_id ?? ''
  if (!found || last === '' || found.under_way === 0) return { last, replay: null }
  return { last, replay: { replay_id: last, matched: found.replay_matched, queued: found.queued } }
}
