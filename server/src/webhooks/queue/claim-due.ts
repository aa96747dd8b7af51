import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../runtime.ts'
import { claimUnit } from '../../store/webhooks/claim-unit.ts'
import { type ClaimedDelivery, listWaiting, type WaitingWebhook } from '../../store/webhooks/delivery-claims.ts'
import { aheadMax } from './webhook-queue.ts'

export type Claimer = {
  /** Names the process in what it claims. */
  readonly worker: string
  /** How many deliveries may be claimed now, of all webhooks together. */
  room(): number
  /** How many of this one. */
  roomFor(waiting: WaitingWebhook): number
  /** How many of all that this account has. */
  roomOfAccount(accountId: string): number
}

export type Claimed = {
  deliveries: ClaimedDelivery[]
  /** Where the next look continues; empty when this one reached the last webhook. */
  cursor: string
  /** When to look again, should nothing happen before. */
  againInMs: number
}

type Wanted = { waiting: WaitingWebhook; room: number }

const pageSize = 100
/** Another node was at a webhook in the same moment; what it left is there a few milliseconds later. */
const contestedMs = 20

/**
 * Claims what is due, webhook by webhook: up to a hundred webhooks a round, beginning behind the cursor, each with as
 * many deliveries as there is room for it. A backlog of 300,000 takes no more of a round than a single delivery.
 */
export async function claimDue(rt: Runtime, claimer: Claimer, cursor: string): Promise<Claimed> {
  const room = claimer.room()
  if (room <= 0) return { deliveries: [], cursor, againInMs: Number.POSITIVE_INFINITY }
  const page = await rt.store.read(listWaiting, { after: cursor, count: pageSize })
  const now = rt.clock.now()
  const due = page.filter(({ next_due_at }) => next_due_at !== null && next_due_at <= now)
  const { wanted, leftOut } = shareOut(claimer, due, room)
  const { deliveries, contested } = wanted.length > 0 ? await claim(rt, claimer, wanted, now) : nothing
  const behind = leftOut ?? (page.length === pageSize ? page.at(-1)?.webhook_id : undefined)
  const laterMs = page.flatMap(({ next_due_at: at }) => (at !== null && at > now ? at - now : []))
  const againInMs = Math.min(Number.POSITIVE_INFINITY, ...laterMs, ...(contested ? [contestedMs] : []))
  return { deliveries, cursor: behind ?? '', againInMs: behind === undefined ? againInMs : 0 }
}

const nothing = { deliveries: [], contested: false }

/**
 * Divides the room among those who have something due. Nobody gets more than an equal part of what is left, so that the
 * first of a hundred cannot take all. When it does not suffice for all, the next round begins with those that got none.
 */
function shareOut(claimer: Claimer, due: WaitingWebhook[], room: number): { wanted: Wanted[]; leftOut?: string } {
  const leftOf = new Map<string, number>()
  const asking = due.map((waiting) => ({ waiting, room: claimer.roomFor(waiting) })).filter((one) => one.room > 0)
  const wanted: Wanted[] = []
  let left = room
  for (const [index, { waiting, room: asked }] of asking.entries()) {
    if (left === 0) return { wanted, leftOut: asking[index - 1]?.waiting.webhook_id ?? '' }
    // Of a webhook that is gone nobody knows the account any more.
    const account = waiting.account_id ?? ''
    const leftOfAccount = leftOf.get(account) ?? claimer.roomOfAccount(account)
    const share = Math.min(asked, leftOfAccount, Math.max(1, Math.floor(left / (asking.length - index))))
    leftOf.set(account, leftOfAccount - share)
    if (share > 0) wanted.push({ waiting, room: share })
    left -= share
  }
  return { wanted }
}

async function claim(rt: Runtime, { worker }: Claimer, wanted: Wanted[], now: number) {
  const lease = { now, lease_until: now + leaseMs(rt), worker, claim: `${worker}.${randomUUID()}` }
  const rows = wanted.map(({ waiting, room }) => ({
    webhook_id: waiting.webhook_id,
    room,
    ...limitsOf(waiting.max_in_flight ?? 1),
    per_second: waiting.max_per_second,
    ...lease,
  }))
  const [unit, read] = claimUnit(rt.store, rows)
  const { deliveries, contested } = read(await rt.store.write(unit))
  return { deliveries: deliveries.sort((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1)), contested }
}

/** Never so short that a claim could run out under an attempt that started in time. */
export function leaseMs(rt: Pick<Runtime, 'config'>): number {
  return Math.max(rt.config.jobLeaseMs, rt.config.webhookTotalTimeoutMs * 1.5)
}

/** In strict order one, and nothing beside it. */
function limitsOf(maxInFlight: number): { cap: number; ceiling: number } {
  return { cap: maxInFlight, ceiling: maxInFlight + aheadMax(maxInFlight) }
}
