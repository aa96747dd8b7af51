/**
 * When a delivery is tried again after its `step`-th failure (from 1), or null when the schedule is used up. A tenth
 * more or less, so that what failed together does not return together. `chance` is 0 to 1.
 */
export function nextAttemptAt(
  scheduleMs: readonly number[],
  step: number,
  { now, chance }: { now: number; chance: number },
): number | null {
  const delayMs = scheduleMs[step]
  return delayMs === undefined ? null : now + Math.round(delayMs * (0.9 + chance * 0.2))
}

/** How often a receiver was out of reach in a row, and until when it is left alone. */
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

/** Requests that may be under way now, out of `cap`: none while it rests, one probe when the rest is over. */
export function admittedBy(circuit: Circuit, cap: number, now: number): number {
  if (circuit.restMs === 0) return cap
  return now >= circuit.openUntil ? Math.min(cap, 1) : 0
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
