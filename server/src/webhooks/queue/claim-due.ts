import { randomUUID } from 'node:crypto'
import { enforced } from '../../events/publish-event.ts'
import { createShares } from '../../limits/delivery-limits.ts'
import type { Runtime } from '../../runtime.ts'
import type { Unit } from '../../store/engine/unit.ts'
import {
  type ClaimedDelivery,
  dropUnit,
  listWaiting,
  releaseUnit,
  type WaitingWebhook,
} from '../../store/webhooks/delivery-claims.ts'
import { claimUnit } from '../../store/webhooks/delivery-units.ts'
import { aheadMax } from './webhook-queue.ts'

export type Claimer = {
  /** Names the process in what it claims. */
  readonly worker: string
  /** Deliveries to claim now, over all webhooks. */
  room(): number
  /** How many of this one. */
  roomFor(waiting: WaitingWebhook): number
  /** The share of this account. */
  roomOfAccount(accountId: string): number
}

type Claimed = {
  deliveries: ClaimedDelivery[]
  /** Where the next scan continues; empty at the last webhook. */
  cursor: string
  /** Time of the next scan, if nothing happens before. */
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

export type ClaimedDeliveries = {
  has(deliveryId: string): boolean
  /** Remaining claims. */
  room(): number
  /** Remaining claims of one account. */
  roomOfAccount(accountId: string): number
  /**
   * False for one that is held already: its claim was lost, and this is another one for what is under way or waits here.
   */
  take(delivery: ClaimedDelivery): boolean
  /** Returns deliveries to the database for the next claim, at their `due_at`. */
  release(deliveries: readonly ClaimedDelivery[]): void
  /** For a delivery whose event is gone: nothing is left to send. */
  drop(delivery: ClaimedDelivery): void
  /** It is recorded, or its lease will run out. */
  forget(delivery: ClaimedDelivery): void
  /** Resolves when nothing is held any more. */
  emptied(): Promise<void>
}

type Options = { max: number; onRoom: () => void; isRecording: (delivery: ClaimedDelivery) => boolean }

/**
 * Deliveries that this process has claimed and not yet recorded or given back. One that is on its way back, or whose outcome is
 * being recorded, may be claimed before the process hears that it is done: that claim is another attempt's.
 */
export function createClaimedDeliveries(rt: Runtime, { max, onRoom, isRecording }: Options): ClaimedDeliveries {
  const held = new Map<string, ClaimedDelivery>()
  const returning = new WeakSet<ClaimedDelivery>()
  const byAccount = createShares(max)
  let onEmpty: (() => void) | null = null

  return {
    has: (id) => held.has(id),
    room: () => Math.max(0, max - held.size),
    roomOfAccount: byAccount.left,
    take(delivery) {
      const known = held.get(delivery.id)
      // PostgreSQL forgets claims when it crashes. Sent twice, it would also be beside itself at the receiver.
      if (known && !returning.has(known) && !isRecording(known)) {
        Object.assign(known, delivery)
        return false
      }
      if (!known) byAccount.take(delivery.account_id)
      held.set(delivery.id, delivery)
      return true
    },
    release(deliveries) {
      if (deliveries.length === 0) return
      const enforce = enforced(rt)
      const rows = deliveries.map(({ id, webhook_id, claim, due_at }) => ({ id, webhook_id, claim, due_at, enforce }))
      void finish(releaseUnit(rt.store.engine, rows), deliveries)
    },
    drop(delivery) {
      const { id, webhook_id, claim } = delivery
      void finish(dropUnit(rt.store.engine, { id, webhook_id, claim }), [delivery])
    },
    forget,
    emptied() {
      if (held.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        onEmpty = resolve
      })
    },
  }

  async function finish(unit: Unit, deliveries: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of deliveries) returning.add(delivery)
    await rt.store.write(unit).catch((error: unknown) => {
      rt.log.warn({ err: error, count: deliveries.length }, 'webhook.not_released')
    })
    for (const delivery of deliveries) forget(delivery)
  }

  function forget(delivery: ClaimedDelivery): void {
    const full = held.size >= max
    if (held.get(delivery.id) === delivery && held.delete(delivery.id)) byAccount.give(delivery.account_id)
    if (held.size === 0) onEmpty?.()
    if (full && held.size < max) onRoom()
  }
}
