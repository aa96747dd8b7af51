import { randomUUID } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/unit.ts'
import { type ClaimedDelivery, claimDeliveries, listWaiting, type WaitingWebhook } from '../store/webhook-claims.ts'
import { aheadOf } from './line.ts'

export type Claimed = {
  deliveries: ClaimedDelivery[]
  /** Where the next look continues; empty when this one reached the last webhook. */
  cursor: string
  /** When the next delivery of the webhooks looked at is due. */
  nextInMs: number
}

const pageSize = 100

/**
 * Claims what is due, webhook by webhook: up to a hundred webhooks a turn, beginning behind the cursor, each with as
 * many deliveries as there is room for it. A backlog of 300,000 takes no more of a turn than a single delivery.
 */
export async function claimDue(
  rt: Runtime,
  dispatcher: { roomFor(waiting: WaitingWebhook): number },
  cursor: string,
): Promise<Claimed> {
  const page = await rt.store.read(listWaiting, { after: cursor, count: pageSize })
  const now = rt.clock.now()
  const wanted = page.flatMap((waiting) => {
    const room = waiting.next_due_at <= now ? dispatcher.roomFor(waiting) : 0
    return room > 0 ? [{ waiting, room }] : []
  })
  const last = page.length === pageSize ? page.at(-1)?.webhook_id : undefined
  const laterMs = page.filter(({ next_due_at }) => next_due_at > now).map(({ next_due_at }) => next_due_at - now)
  const deliveries = wanted.length > 0 ? await claim(rt, wanted, now) : []
  return { deliveries, cursor: last ?? '', nextInMs: Math.min(Number.POSITIVE_INFINITY, ...laterMs) }
}

async function claim(
  rt: Runtime,
  wanted: { waiting: WaitingWebhook; room: number }[],
  now: number,
): Promise<ClaimedDelivery[]> {
  const lease = { now, lease_until: now + leaseMs(rt), claim: randomUUID() }
  const unit = new Unit()
  const rows = wanted.map(({ waiting, room }) => ({
    webhook_id: waiting.webhook_id,
    room,
    ceiling: ceilingOf(waiting.max_in_flight ?? 1),
    ...lease,
  }))
  const slot = unit.add(claimDeliveries[rt.store.engine], ...rows)
  const claimed = (await rt.store.write(unit)).rows(slot)
  return claimed.sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
}

/** Never so short that a claim could run out under an attempt that started in time. */
export function leaseMs(rt: Pick<Runtime, 'config'>): number {
  return Math.max(rt.config.jobLeaseMs, rt.config.webhookTotalTimeoutMs * 1.5)
}

/** What all processes together may hold of one webhook: in strict order one, and nothing beside it. */
function ceilingOf(maxInFlight: number): number {
  return maxInFlight + aheadOf(maxInFlight)
}
