import type { WebhookQueue } from '../queue/webhook-queue.ts'

export type LocalFailures = {
  /** Nothing is claimed before this. */
  restUntil(): number
  /** A request reached a receiver, whatever the response: the network works. */
  served(queue: WebhookQueue): void
  /**
   * The gateway failed while delivering to this webhook. `charged`: it counts as the receiver's failure. `restMs`: how
   * long the webhook pauses from now on, 0 when it already does. `everybody`: all others pause too.
   */
  note(queue: WebhookQueue, exhausted: boolean, now: number): { charged: boolean; restMs: number; everybody: boolean }
}

const restMs = { first: 1_000, max: 15_000 }
/** This many webhooks failing without an exchange in between: the gateway fails, not the receivers. */
const webhooksMin = 3
/** Waves after which the failure counts as the receiver's, if it is the only one that cannot be reached. */
const chargedFrom = 5

/**
 * Tells failures of the gateway from those that one receiver causes: a proxy that refuses one address, a route that is
 * missing for one. A failure with one webhook pauses that webhook. All pause when several fail together, or when the
 * process has no sockets or memory left: more attempts would not help then.
 */
export function createLocalFailures(): LocalFailures {
  const faulty = new Set<string>()
  let served = 0
  let rests = 0
  let restUntil = 0

  return {
    restUntil: () => restUntil,
    served(queue) {
      served++
      rests = 0
      faulty.clear()
      queue.localFailures = 0
    },
    note(queue, exhausted, now) {
      // Failures of concurrent requests are one wave.
      const first = now >= queue.restUntil
      if (first) queue.localFailures++
      if (queue.localFailures === 1 && first) queue.servedBefore = served
      if (!exhausted && queue.localFailures >= chargedFrom && served > queue.servedBefore) {
        return { charged: true, restMs: 0, everybody: false }
      }
      faulty.add(queue.webhookId)
      if (first) queue.restUntil = now + restAfter(queue.localFailures - 1)
      const everybody = exhausted || faulty.size >= webhooksMin
      if (everybody && now >= restUntil) restUntil = now + restAfter(rests++)
      return { charged: false, restMs: first ? queue.restUntil - now : 0, everybody }
    },
  }
}

function restAfter(faults: number): number {
  return Math.min(restMs.first * 2 ** faults, restMs.max)
}
