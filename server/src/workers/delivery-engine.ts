import { randomUUID } from 'node:crypto'
import { startWakeLoop, type WakeLoop } from '../lib/async/wake-loop.ts'
import type { Runtime } from '../runtime.ts'
import { createRecorder, settleAttempt } from '../webhooks/delivery/record-attempts.ts'
import { reclaimExpired, tidyHeld } from '../webhooks/delivery/sweep-deliveries.ts'
import { claimDue, leaseMs } from '../webhooks/queue/claim-due.ts'
import { createDispatcher } from '../webhooks/queue/dispatcher.ts'
import { challengesMax, checkOwnership, claimDueChallenges, nextChallengeInMs } from '../webhooks/verify-webhook.ts'

export type DeliveryEngine = {
  /** Claims nothing more, finishes what is under way, gives the rest back. */
  drain(timeoutMs: number): Promise<void>
  /** Looks at once, without waiting for a commit or the clock. */
  wake(): void
}

const pollMs = 1_000

/**
 * Delivers webhooks. Three loops: one claims due deliveries fairly and hands them to the dispatcher, one sends
 * challenges, one gives back what others lost. A commit wakes them within milliseconds; polling is the safety net.
 */
export function startDeliveryEngine(rt: Runtime): DeliveryEngine {
  const recorder = createRecorder(rt)
  const dispatcher = createDispatcher(rt, {
    settle: (delivery, attempt) => settleAttempt(rt, recorder, delivery, attempt),
    isRecording: recorder.isRecording,
    onRoom: () => deliveries.wake(),
  })
  let cursor = ''

  const deliveries = startWakeLoop({
    failureEvent: 'webhooks.deliveries.interrupted',
    log: rt.log,
    // While deliveries are under way, claims are this far apart, so that each takes many; the first after a pause is at once.
    gapMs: 10,
    async run() {
      dispatcher.giveBackFromSlow()
      const claimed = await claimDue(rt, dispatcher, cursor)
      cursor = claimed.cursor
      dispatcher.offer(claimed.deliveries)
      return Math.min(claimed.againInMs, pollMs)
    },
  })
  const challenges = startChallenges(rt)
  const sweeps = startWakeLoop({
    failureEvent: 'webhooks.sweep.interrupted',
    log: rt.log,
    gapMs: 10,
    async run() {
      if ((await reclaimExpired(rt, dispatcher.holds)) > 0) deliveries.wake()
      await tidyHeld(rt)
      dispatcher.forgetIdle()
      return leaseMs(rt) / 4
    },
  })
  const wake = () => {
    deliveries.wake()
    challenges.wake()
  }
  const stopListening = rt.store.onCommit('deliveries', wake)

  return {
    async drain(timeoutMs) {
      stopListening()
      await Promise.all([deliveries.stop(), challenges.stop(), sweeps.stop()])
      await dispatcher.drain(timeoutMs)
    },
    wake() {
      wake()
      sweeps.wake()
    },
  }
}

/** Asks webhooks whether they want their deliveries; a few at a time. */
function startChallenges(rt: Runtime): WakeLoop {
  let running = 0
  const challenges = startWakeLoop({
    failureEvent: 'webhooks.challenges.interrupted',
    log: rt.log,
    gapMs: 20,
    async run() {
      const inMs = running < challengesMax ? await nextChallengeInMs(rt) : pollMs
      if (inMs > 0) return Math.min(inMs, pollMs)
      const claim = randomUUID()
      const due = await claimDueChallenges(rt, claim, running)
      for (const webhook of due) {
        running++
        void checkOwnership(rt, webhook, claim)
          .catch((error: unknown) => rt.log.warn({ err: error, webhook_id: webhook.id }, 'webhook.check_not_recorded'))
          .finally(() => {
            running--
            challenges.wake()
          })
      }
      // What is due and was not given has to wait for its account or for others; the end of one of those wakes us.
      return due.length === 0 ? pollMs : 0
    },
  })
  return challenges
}
