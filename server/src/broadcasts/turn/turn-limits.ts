import type { Plan } from '../../contract/plans.ts'
import { dayMs, minuteMs, secondMs } from '../../lib/durations.ts'
import type { Gate, QuotaState } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import type { BroadcastRow } from '../../store/broadcasts/broadcasts.ts'
import { countWrittenFirst } from '../../store/broadcasts/results.ts'

/** Of the plan's hour and day: a fifth is left to sends that do not wait. */
export const quotaShare = 0.8

/** How many recipients the limits allow; if none, when to check again. */
type Room = { count: number; until: number }

/** The plan's remaining quota for broadcasts. */
export async function quotaRoom(gate: Gate, accountId: string, plan: Plan, wanted: number): Promise<Room> {
  const state = await gate.peek(accountId, plan)
  if (state === null) return { count: wanted, until: 0 }
  const rooms = state.windows.map(({ quota, used, resetsAt }) => ({
    count: Math.max(0, Math.floor(quota * quotaShare) - used),
    until: resetsAt,
  }))
  const full = rooms.filter(({ count }) => count === 0)
  return {
    count: Math.min(wanted, ...rooms.map(({ count }) => count)),
    until: Math.max(0, ...full.map(({ until }) => until)),
  }
}

type QuotaGrant = { granted: boolean; giveBack(): void }

/** Takes one request of the plan for each message, or none at all. */
export async function takeQuotaFor(gate: Gate, accountId: string, plan: Plan, count: number): Promise<QuotaGrant> {
  const taken: QuotaState[] = await Promise.all(Array.from({ length: count }, () => gate.take(accountId, plan)))
  const giveBack = () => {
    for (const state of taken) if (state?.granted) gate.refund(accountId, plan, state)
  }
  const granted = taken.every((state) => state === null || state.granted)
  if (!granted) giveBack()
  return { granted, giveBack: granted ? giveBack : () => {} }
}

const countedForMs = minuteMs

/** Customers a number wrote to first within 24 hours: counted once a minute, and what is taken meanwhile added. */
export class WrittenFirst {
  #customers = 0
  #oldest: number | null = null
  #countedAt = Number.NEGATIVE_INFINITY

  async room(rt: Runtime, row: BroadcastRow, tier: string | null, wanted: number): Promise<Room> {
    const limit = customersADay(tier)
    if (limit === null) return { count: wanted, until: 0 }
    const now = rt.clock.now()
    if (Math.abs(now - this.#countedAt) >= countedForMs) {
      const { account_id, number_id } = row
      const [found] = await rt.store.read(countWrittenFirst, { account_id, number_id, since: now - dayMs })
      this.#customers = found?.customers ?? 0
      this.#oldest = found?.oldest ?? null
      this.#countedAt = now
    }
    const count = Math.max(0, Math.min(wanted, Math.floor(limit * limitShare) - this.#customers))
    return { count, until: Math.max(now + countedForMs, (this.#oldest ?? now) + dayMs) }
  }

  add(count: number): void {
    this.#customers += count
  }
}

/** Keeps to the rate that a broadcast was given; one lane sends for a number, so that this process knows. */
export class Pace {
  #tokens = 1
  #at: number | null = null

  take(perSecond: number | null, wanted: number, now: number): number {
    if (perSecond === null) return wanted
    const passedMs = this.#at === null ? 0 : Math.max(0, now - this.#at)
    this.#at = now
    this.#tokens = Math.min(Math.max(1, perSecond / 4), this.#tokens + (passedMs * perSecond) / secondMs)
    const taken = Math.min(wanted, Math.floor(this.#tokens))
    this.#tokens -= taken
    return taken
  }

  giveBack(count: number): void {
    this.#tokens += count
  }
}

/** Customers a number may write to first in 24 hours, by Meta's names of its tiers; null: without a limit, or not told. */
export function customersADay(tier: string | null): number | null {
  if (tier === null || /UNLIMITED/i.test(tier)) return null
  const [, digits, thousands] = /^(?:TIER_)?(\d+)(K)?$/i.exec(tier) ?? []
  return digits === undefined ? null : Number(digits) * (thousands ? 1_000 : 1)
}

/**
 * A tenth is left to sends that do not wait. Our count takes customers with an open window for new ones and does not see
 * what others send with the same portfolio.
 */
export const limitShare = 0.9
