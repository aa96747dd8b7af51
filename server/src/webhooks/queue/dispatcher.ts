import { randomUUID } from 'node:crypto'
import { enforced } from '../../events/verification-mode.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Runtime } from '../../runtime.ts'
import type { ClaimedDelivery } from '../../store/webhooks/webhook-claims.ts'
import { type DeliveryTarget, findTargets } from '../../store/webhooks/webhooks.ts'
import { attemptDelivery } from '../delivery/attempt-delivery.ts'
import type { Attempt } from '../delivery/deliver-event.ts'
import { createOwnFaults } from '../delivery/own-faults.ts'
import type { Claimer } from './claim-due.ts'
import { createHoldings } from './holdings.ts'
import { capOf, follow, freePlace, isSlow, type Line, newLine, roomOf, takeNext, tokensOf } from './line.ts'
import { createSlots } from './slots.ts'

export type Dispatcher = Claimer & {
  /** Takes claimed deliveries; they start as slots come free. */
  offer(deliveries: ClaimedDelivery[]): void
  /** Claimed here and not yet recorded. */
  holds(deliveryId: string): boolean
  /** Starts nothing more, gives back what has not started, and waits for the rest. */
  drain(timeoutMs: number): Promise<void>
  forgetIdle(): void
}

type Options = {
  /**
   * What is to be done with an attempt: write it down, tell of it. Its place in the line is free afterwards, so that a
   * crash repeats at most as many deliveries as the webhook has places.
   */
  settle: (delivery: ClaimedDelivery, attempt: Attempt) => Promise<void>
  /** A line has room again. */
  onRoom: () => void
}

const idleMsMax = 600_000
/**
 * Starts deliveries: one slot per webhook and turn, never more than its cap, the events of one message in order. Slow
 * webhooks have a part of the slots, and so has each account. A webhook that rests or pauses gets its deliveries put back.
 */
export function createDispatcher(rt: Runtime, { settle, onRoom }: Options): Dispatcher {
  // 2 s of the 15 s that an attempt may take.
  const slowMs = (rt.config.webhookTotalTimeoutMs * 2) / 15
  const slots = createSlots(rt.config.webhookConcurrencyMax, slowMs)
  const lines = new Map<string, Line>()
  const ready = new Set<Line>()
  const ownFaults = createOwnFaults()
  // Twice as many as can be under way: no slot waits for the database, and a lease outlasts the wait in memory.
  const holdings = createHoldings(rt, rt.config.webhookConcurrencyMax * 2, onRoom)
  /** Ready but for the share of their account. */
  const turnedAway = new Map<Line, string>()
  let hangTimer: NodeJS.Timeout | null = null
  let stopped = false
  let starting: { line: Line; delivery: ClaimedDelivery }[] = []
  let beginning = false

  return {
    worker: randomUUID(),
    room() {
      return stopped || rt.clock.now() < ownFaults.restUntil() ? 0 : holdings.room()
    },
    roomFor(waiting) {
      const now = rt.clock.now()
      const line = lineOf(waiting.webhook_id, now)
      follow(line, waiting)
      return slots.slowIsFull() && isSlow(line, slowMs) ? 0 : roomOf(line, now)
    },
    roomOfAccount: holdings.roomOfAccount,
    offer(deliveries) {
      for (const delivery of deliveries) {
        const line = lineOf(delivery.webhook_id, rt.clock.now())
        line.queue.push(delivery)
        holdings.take(delivery)
        ready.add(line)
      }
      pump()
    },
    holds: holdings.has,
    async drain(timeoutMs) {
      stopped = true
      for (const line of lines.values()) holdings.release(line.queue.splice(0))
      await withTimeout(holdings.emptied(), timeoutMs)
    },
    forgetIdle() {
      const before = rt.clock.now() - idleMsMax
      for (const line of lines.values()) {
        if (line.usedAt < before && line.queue.length === 0 && line.busy.size === 0) lines.delete(line.webhookId)
      }
    },
  }

  function lineOf(webhookId: string, now: number): Line {
    let line = lines.get(webhookId)
    if (!line) {
      line = newLine(webhookId, now)
      lines.set(webhookId, line)
    }
    return line
  }

  /** One delivery of each ready line in turn, until slots or lines run out. */
  function pump(): void {
    const now = rt.clock.now()
    while (!stopped) {
      const [line] = ready
      if (!line) break
      if (!slots.isFree()) {
        lookAgainWhenOneHangs()
        break
      }
      ready.delete(line)
      const delivery = nextOf(line, now)
      if (!delivery) continue
      slots.take(delivery.id, delivery.account_id, isSlow(line, slowMs))
      starting.push({ line, delivery })
      ready.add(line)
    }
    if (starting.length > 0 && !beginning) void beginAll()
  }

  /** A slot that comes free looks for the next delivery itself; one that a hanging request leaves does not. */
  function lookAgainWhenOneHangs(): void {
    const waitMs = slots.nextInMs()
    if (hangTimer !== null || waitMs === null) return
    hangTimer = setTimeout(() => {
      hangTimer = null
      makeAllReady()
    }, Math.ceil(waitMs))
    hangTimer.unref()
  }

  /** A place of the account's share is free again. */
  function letIn(account: string): void {
    for (const [line, owner] of turnedAway) {
      if (owner !== account) continue
      turnedAway.delete(line)
      ready.add(line)
    }
  }

  function makeAllReady(): void {
    turnedAway.clear()
    for (const line of lines.values()) if (line.queue.length > 0) ready.add(line)
    pump()
  }

  /** What becomes startable while webhooks are being read shares the next reading. */
  async function beginAll(): Promise<void> {
    beginning = true
    await new Promise((resolve) => setImmediate(resolve))
    while (starting.length > 0) {
      const batch = starting
      starting = []
      await begin(batch)
    }
    beginning = false
  }

  function nextOf(line: Line, now: number): ClaimedDelivery | null {
    const [first] = line.queue
    if (!first) return null
    if (capOf(line, now) === 0) {
      holdings.release(line.queue.splice(0))
      return null
    }
    if (slots.slowIsFull() && isSlow(line, slowMs)) return null
    if (slots.isShareTaken(first.account_id)) {
      turnedAway.set(line, first.account_id)
      lookAgainWhenOneHangs()
      return null
    }
    const delivery = takeNext(line, now)
    if (!delivery && line.maxPerSecond !== null && line.lookAgain === null) {
      const missing = 1 - tokensOf(line, now)
      // Without a place it is the next one to come free that looks again.
      if (missing > 0) lookAgainIn(line, missing / line.maxPerSecond)
    }
    return delivery
  }

  function lookAgainIn(line: Line, seconds: number): void {
    line.lookAgain = setTimeout(
      () => {
        line.lookAgain = null
        makeReady(line)
      },
      Math.ceil(seconds * 1_000),
    )
    line.lookAgain.unref()
  }

  function makeReady(line: Line): void {
    if (line.queue.length > 0) ready.add(line)
    pump()
  }

  /** Webhooks are read at this moment, once for all: a change that was answered before holds for what starts now. */
  async function begin(batch: { line: Line; delivery: ClaimedDelivery }[]): Promise<void> {
    const ids = [...new Set(batch.map(({ line }) => line.webhookId))]
    const targets = await rt.store.read(findTargets, { ids }).catch((error: unknown) => {
      rt.log.warn({ err: error, count: batch.length }, 'webhook.not_started')
      return null
    })
    const byId = new Map(targets?.map((target) => [target.id, target]))
    const refused: ClaimedDelivery[] = []
    for (const { line, delivery } of batch) {
      const target = byId.get(line.webhookId)
      if (target && mayStart(line, delivery, target)) void run(line, delivery, target)
      else {
        refused.push(delivery)
        leave(line, delivery)
      }
    }
    // Without the database nothing can be given back; the leases will run out.
    if (targets) holdings.release(refused)
    else for (const { id } of refused) holdings.forget(id)
  }

  function mayStart(line: Line, delivery: ClaimedDelivery, target: DeliveryTarget): boolean {
    const now = rt.clock.now()
    const paused = Math.max(line.pausedUntil, line.restUntil, target.paused_until) > now
    // A process that stood still may have lost its claim: only with time enough for the whole attempt it is its own.
    const leased = delivery.lease_until - now >= rt.config.webhookTotalTimeoutMs
    const verified = target.verification === 'verified' || enforced(rt) === 0
    return !stopped && leased && target.active === 1 && verified && !paused
  }

  /** Never rejects: nobody waits for it. */
  async function run(line: Line, delivery: ClaimedDelivery, target: DeliveryTarget): Promise<void> {
    try {
      const attempt = await attemptDelivery(rt, { holdings, ownFaults }, { line, delivery, target })
      if (attempt) await settleIn(line, delivery, attempt)
    } catch (error) {
      // Whatever is not on disk now is found when the lease is over.
      rt.log.error({ err: error, delivery_id: delivery.id, webhook_id: line.webhookId }, 'webhook.not_settled')
      holdings.forget(delivery.id)
    } finally {
      leave(line, delivery)
    }
  }

  async function settleIn(line: Line, delivery: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const pauses = attempt.judgement.pauseMs > 0 ? 1 : 0
    line.pausesUnsettled += pauses
    try {
      await settle(delivery, attempt)
      holdings.forget(delivery.id)
    } finally {
      line.pausesUnsettled -= pauses
    }
  }

  /** The slot is free: for the next of this line, and for slow ones that waited for one of theirs. */
  function leave(line: Line, delivery: ClaimedDelivery): void {
    freePlace(line, delivery)
    if (slots.give(delivery.id) === 'slow') makeAllReady()
    else letIn(delivery.account_id)
    makeReady(line)
    if (line.queue.length <= line.maxInFlight / 4) onRoom()
  }
}
