/**
 * Time of the retry after the `step`-th failure (from 1), or null when the schedule is exhausted. Plus or minus a tenth,
 * so that deliveries that failed together don't retry together. `chance` is 0 to 1.
 */
export function nextAttemptAt(
  scheduleMs: readonly number[],
  step: number,
  { now, chance }: { now: number; chance: number },
): number | null {
  const delayMs = scheduleMs[step]
  return delayMs === undefined ? null : now + Math.round(delayMs * (0.9 + chance * 0.2))
}

/** Consecutive failures to reach a receiver, and the time until the next probe. */
export type Circuit = {
  readonly failures: number
  readonly openUntil: number
  /** Length of the current rest; 0 while closed. */
  readonly restMs: number
}

export const closedCircuit: Circuit = { failures: 0, openUntil: 0, restMs: 0 }

const failuresMax = 5
const restMsMin = 30_000
const restMsMax = 600_000

export function circuitState(circuit: Circuit, now: number): 'closed' | 'resting' | 'probing' {
  if (circuit.restMs === 0) return 'closed'
  return now >= circuit.openUntil ? 'probing' : 'resting'
}

/**
 * Five failures in a row to get any answer stop the attempts for 30 s, each failed probe for twice as long, up to ten
 * minutes. Whatever answer comes closes the circuit: the receiver is there. Deliveries lose nothing by waiting.
 */
export function afterExchange(circuit: Circuit, answered: boolean, now: number): Circuit {
  if (answered) return closedCircuit
  const failures = circuit.failures + 1
  if (failures < failuresMax) return { ...circuit, failures }
  // The rest of a wave that was under way when it opened says nothing new.
  if (circuit.restMs > 0 && now < circuit.openUntil) return { ...circuit, failures }
  const restMs = circuit.restMs === 0 ? restMsMin : Math.min(circuit.restMs * 2, restMsMax)
  return { failures, restMs, openUntil: now + restMs }
}

/** Durations that count for the median. */
const recentCount = 9

/** Knowledge of this process about the receiver of a webhook. A webhook that changes gets a new one. */
export class Receiver {
  readonly webhookId: string
  #hasAnswered = false
  readonly #recentMs: number[] = []
  #medianMs = 0
  #circuit = closedCircuit
  /** End of the rest after failures of the gateway itself. */
  #restUntil = 0
  /** Consecutive waves of those failures. */
  #localFailures = 0
  /** Exchanges with all webhooks before the first wave. */
  #servedBefore = 0

  constructor(webhookId: string) {
    this.webhookId = webhookId
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  get medianMs(): number {
    return this.#medianMs
  }

  get restUntil(): number {
    return this.#restUntil
  }

  state(now: number): 'closed' | 'resting' | 'probing' {
    return this.#restUntil > now ? 'resting' : circuitState(this.#circuit, now)
  }

  noteExchange(answered: boolean, durationMs: number, now: number): void {
    this.#circuit = afterExchange(this.#circuit, answered, now)
    this.#hasAnswered ||= answered
    this.#recentMs.push(durationMs)
    if (this.#recentMs.length > recentCount) this.#recentMs.shift()
    this.#medianMs = this.#recentMs.toSorted((a, b) => a - b)[this.#recentMs.length >> 1] ?? 0
  }

  rest(until: number): void {
    this.#restUntil = until
  }

  /** `served` counts the exchanges with all webhooks so far. `restMs` is 0 if the receiver rests already. */
  noteLocalFailure(served: number, exhausted: boolean, now: number): { charged: boolean; restMs: number } {
    // Failures of concurrent requests are one wave.
    const first = now >= this.#restUntil
    if (first && ++this.#localFailures === 1) this.#servedBefore = served
    if (!exhausted && this.#localFailures >= chargedFrom && served > this.#servedBefore) {
      return { charged: true, restMs: 0 }
    }
    if (!first) return { charged: false, restMs: 0 }
    const restMs = restAfter(this.#localFailures - 1)
    this.#restUntil = now + restMs
    return { charged: false, restMs }
  }

  endLocalFailures(): void {
    this.#localFailures = 0
  }
}

export type LocalFailures = {
  /** Nothing is claimed before this. */
  restUntil(): number
  /** A request reached a receiver, whatever the response: the network works. */
  served(receiver: Receiver): void
  /**
   * The gateway failed while delivering to this webhook. `charged`: it counts as the receiver's failure. `restMs`: how
   * long the webhook pauses from now on, 0 when it already does. `everybody`: all others pause too.
   */
  note(receiver: Receiver, exhausted: boolean, now: number): { charged: boolean; restMs: number; everybody: boolean }
}

const localRestMs = { first: 1_000, max: 15_000 }
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
    served(receiver) {
      served++
      rests = 0
      faulty.clear()
      receiver.endLocalFailures()
    },
    note(receiver, exhausted, now) {
      const { charged, restMs } = receiver.noteLocalFailure(served, exhausted, now)
      if (charged) return { charged, restMs, everybody: false }
      faulty.add(receiver.webhookId)
      const everybody = exhausted || faulty.size >= webhooksMin
      if (everybody && now >= restUntil) restUntil = now + restAfter(rests++)
      return { charged, restMs, everybody }
    },
  }
}

function restAfter(faults: number): number {
  return Math.min(localRestMs.first * 2 ** faults, localRestMs.max)
}
