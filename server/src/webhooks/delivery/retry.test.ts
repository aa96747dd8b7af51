import { describe, expect, test } from 'vitest'
import { admittedBy, afterExchange, type Circuit, closedCircuit, nextAttemptAt } from './retry.ts'

const failing = (times: number, at: number, from: Circuit = closedCircuit) =>
  Array.from({ length: times }).reduce<Circuit>((circuit) => afterExchange(circuit, false, at), from)

describe('the circuit of a webhook', () => {
  test('lets everything through until five exchanges in a row failed', () => {
    expect(admittedBy(failing(4, 0), 16, 0)).toBe(16)
    expect(admittedBy(failing(5, 0), 16, 0)).toBe(0)
  })

  test('rests 30 s and then lets one probe through', () => {
    const open = failing(5, 1_000)
    expect(admittedBy(open, 16, 30_999)).toBe(0)
    expect(admittedBy(open, 16, 31_000)).toBe(1)
  })

  test('rests twice as long after each failed probe, ten minutes at most', () => {
    let [circuit, now] = [failing(5, 0), 0]
    const rests: number[] = []
    for (let probe = 0; probe < 7; probe++) {
      rests.push(circuit.openUntil - now)
      now = circuit.openUntil
      circuit = afterExchange(circuit, false, now)
    }
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000])
  })

  test('is not made longer by what was under way when it opened', () => {
    expect(failing(11, 5, failing(5, 0)).openUntil).toBe(30_000)
  })

  test('closes at any answer', () => {
    expect(afterExchange(failing(9, 0), true, 1)).toEqual(closedCircuit)
    expect(afterExchange(failing(4, 0), true, 1).failures).toBe(0)
  })
})

const schedule = [0, 5_000, 30_000]

describe('the retry schedule', () => {
  test('gives the delay of the next attempt, a tenth more or less', () => {
    expect(nextAttemptAt(schedule, 1, { now: 100, chance: 0 })).toBe(100 + 4_500)
    expect(nextAttemptAt(schedule, 1, { now: 100, chance: 0.5 })).toBe(100 + 5_000)
    expect(nextAttemptAt(schedule, 2, { now: 100, chance: 1 })).toBe(100 + 33_000)
  })

  test('ends after the last attempt', () => {
    expect(nextAttemptAt(schedule, 3, { now: 100, chance: 0.5 })).toBeNull()
  })
})
