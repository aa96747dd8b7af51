import { describe, expect, test } from 'vitest'
import {
  afterExchange,
  type Circuit,
  circuitState,
  closedCircuit,
  createLocalFailures,
  nextAttemptAt,
  Receiver,
} from './retry.ts'

const failing = (times: number, at: number, from: Circuit = closedCircuit) =>
  Array.from({ length: times }).reduce<Circuit>((circuit) => afterExchange(circuit, false, at), from)

describe('the circuit of a webhook', () => {
  test('lets everything through until five exchanges in a row failed', () => {
    expect(circuitState(failing(4, 0), 0)).toBe('closed')
    expect(circuitState(failing(5, 0), 0)).toBe('resting')
  })

  test('rests 30 s and then lets one probe through', () => {
    const open = failing(5, 1_000)
    expect(circuitState(open, 30_999)).toBe('resting')
    expect(circuitState(open, 31_000)).toBe('probing')
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

const now = 1_000_000

describe('faults of the gateway itself', () => {
  test('one webhook at fault rests alone, longer each time, up to 15 s', () => {
    const faults = createLocalFailures()
    const receiver = new Receiver('whk_1')
    const rests: number[] = []
    for (let at = now; rests.length < 6; at = receiver.restUntil) rests.push(faults.note(receiver, false, at).restMs)
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
    expect(faults.restUntil()).toBe(0)
  })

  test('what fails together is one fault', () => {
    const faults = createLocalFailures()
    const receiver = new Receiver('whk_1')
    expect(faults.note(receiver, false, now).restMs).toBe(1_000)
    expect(faults.note(receiver, false, now + 5).restMs).toBe(0)
    expect(receiver.restUntil).toBe(now + 1_000)
    // The second wave, not the third.
    expect(faults.note(receiver, false, now + 1_000).restMs).toBe(2_000)
  })

  test('three webhooks at fault with nothing served between make everybody rest', () => {
    const faults = createLocalFailures()
    const receivers = ['whk_1', 'whk_2', 'whk_3'].map((id) => new Receiver(id))
    const notes = receivers.map((receiver) => faults.note(receiver, false, now).everybody)
    expect(notes).toEqual([false, false, true])
    expect(faults.restUntil()).toBe(now + 1_000)
  })

  test('an exchange between tells that there is a way out', () => {
    const faults = createLocalFailures()
    const [one, two, three, healthy] = ['1', '2', '3', '4'].map((id) => new Receiver(id))
    if (!one || !two || !three || !healthy) throw new Error('no receivers')
    faults.note(one, false, now)
    faults.note(two, false, now)
    faults.served(healthy)
    expect(faults.note(three, false, now).everybody).toBe(false)
    expect(faults.restUntil()).toBe(0)
  })

  test('without sockets or memory everybody rests at once, longer while nothing is served', () => {
    const faults = createLocalFailures()
    const receiver = new Receiver('whk_1')
    expect(faults.note(receiver, true, now)).toMatchObject({ charged: false, everybody: true })
    expect(faults.restUntil()).toBe(now + 1_000)
    faults.note(receiver, true, now + 1_000)
    expect(faults.restUntil()).toBe(now + 3_000)
    faults.served(receiver)
    faults.note(receiver, true, now + 3_000)
    expect(faults.restUntil()).toBe(now + 4_000)
  })

  test('a receiver that alone cannot be reached is charged from the fifth time, if others are served', () => {
    const faults = createLocalFailures()
    const [receiver, healthy] = [new Receiver('whk_1'), new Receiver('whk_2')]
    const charged = (at: number) => faults.note(receiver, false, at).charged
    for (let wave = 1; wave <= 6; wave++) expect(charged(now + wave * 60_000)).toBe(false)
    faults.served(healthy)
    expect(charged(now + 7 * 60_000)).toBe(true)
    faults.served(receiver)
    expect(charged(now + 8 * 60_000)).toBe(false)
  })

  test('nobody is charged for a gateway without sockets', () => {
    const faults = createLocalFailures()
    const [receiver, healthy] = [new Receiver('whk_1'), new Receiver('whk_2')]
    for (let wave = 1; wave <= 8; wave++) {
      expect(faults.note(receiver, true, now + wave * 60_000).charged).toBe(false)
      faults.served(healthy)
    }
  })
})
