import type { Line } from '../queue/line.ts'

export type OwnFaults = {
  /** Nothing is claimed before this. */
  restUntil(): number
  /** An exchange took place, whatever came of it: there is a way out. */
  served(line: Line): void
  /**
   * The gateway failed while delivering to this webhook. `charged`: to the receiver, all the same. `restMs`: how long
   * the webhook rests from now on, 0 when it already does. `everybody`: and all others with it.
   */
  note(line: Line, exhausted: boolean, now: number): { charged: boolean; restMs: number; everybody: boolean }
}

const restMs = { first: 1_000, max: 15_000 }
/** So many webhooks at fault and no exchange between: it is not for the receivers. */
const webhooksMin = 3
/** Waves after which a receiver that alone cannot be reached is charged like any that cannot be reached. */
const chargedFrom = 5

/**
 * Tells a gateway that is in trouble from a receiver that gets it into trouble: a proxy that refuses one address, a
 * route that is missing for one. What concerns one webhook makes that one rest. All rest when several fail together, or
 * when the process has no sockets or memory left: knocking harder would not help then.
 */
export function createOwnFaults(): OwnFaults {
  const faulty = new Set<string>()
  let served = 0
  let rests = 0
  let restUntil = 0

  return {
    restUntil: () => restUntil,
    served(line) {
      served++
      rests = 0
      faulty.clear()
      line.ownFaults = 0
    },
    note(line, exhausted, now) {
      // What was under way together and failed together is one wave.
      const first = now >= line.restUntil
      if (first) line.ownFaults++
      if (line.ownFaults === 1 && first) line.servedBefore = served
      if (!exhausted && line.ownFaults >= chargedFrom && served > line.servedBefore) {
        return { charged: true, restMs: 0, everybody: false }
      }
      faulty.add(line.webhookId)
      if (first) line.restUntil = now + restAfter(line.ownFaults - 1)
      const everybody = exhausted || faulty.size >= webhooksMin
      if (everybody && now >= restUntil) restUntil = now + restAfter(rests++)
      return { charged: false, restMs: first ? line.restUntil - now : 0, everybody }
    },
  }
}

function restAfter(faults: number): number {
  return Math.min(restMs.first * 2 ** faults, restMs.max)
}
