import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Gate } from '../../server/src/limits/quota.ts'
import { createGate } from '../../server/src/limits/quota-shared.ts'
import { broadcastStage, type Stage } from '../support/broadcast-stage.ts'
import { aChannelWorld, type ChannelWorld } from '../support/channel-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const stops = scaled(20)
/** Of a broadcast. */
const recipients = 200
const stopsOfOne = 8

describe.each(engines)('a broadcast that is stopped at any moment, on %s', (engine) => {
  let world: ChannelWorld
  let gate: Gate
  beforeAll(async () => {
    world = await aChannelWorld(engine)
    world.sandbox.control.setScenario({ throttle: false })
    gate = createGate(world.rt)
  })
  afterAll(() => world.dispose())

  /** A moment between two statements of a turn, or behind it. */
  async function anyMoment(): Promise<void> {
    for (let wait = randomInt(60); wait > 0; wait--) await new Promise(setImmediate)
  }

  /** Pauses and resumes one of them, then cancels it or lets it end; how often it was stopped. */
  async function stopAgainAndAgain(stage: Stage, id: string, isCanceled: boolean): Promise<number> {
    let times = 0
    for (; times < stopsOfOne; times++) {
      await anyMoment()
      if ((await stage.read(id)).status !== 'running') break
      const { status } = await stage.pause(id).catch(() => ({ status: 'completed' }))
      if (status !== 'paused') break
      const { taken } = await stage.read(id)
      await anyMoment()
      // Both lanes went on trying; nothing passed after the answer.
      expect((await stage.read(id)).taken).toBe(taken)
      await stage.resume(id)
    }
    if (!isCanceled || (await stage.read(id)).status !== 'running') return times
    await stage.cancel(id).catch(() => {})
    const { taken } = await stage.read(id)
    await anyMoment()
    expect((await stage.read(id)).taken).toBe(taken)
    return times + 1
  }

  test('takes nobody after the answer, and in the end everybody once or, where it was canceled, at most once', async () => {
    const stage = await broadcastStage(world, gate)
    await stage.number('high', 'TIER_UNLIMITED')
    let goesOn = true
    // Two processes, neither of which knows of the other.
    const lanes = [stage.lane(() => goesOn), stage.lane(() => goesOn)]
    const results: { accepted: number; sent: number; canceled: number }[] = []
    let stopped = 0
    try {
      for (let round = 0; stopped < stops; round++) {
        const isCanceled = round % 3 === 2
        const id = await stage.create(recipients)
        await stage.start(id)
        stopped += await stopAgainAndAgain(stage, id, isCanceled)
        await waitFor(async () => ['completed', 'canceled'].includes((await stage.read(id)).status), 60_000)
        await waitFor(async () => (await stage.counts(id)).under_way === 0, 60_000)
        const counts = await stage.counts(id)
        expect(counts.sent + counts.canceled).toBe(recipients)
        if (!isCanceled) expect(counts.canceled).toBe(0)
        results.push(counts)
      }
    } finally {
      goesOn = false
      await Promise.all(lanes)
    }
    const addresses = stage.addresses()
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.length).toBe(results.reduce((sum, { sent }) => sum + sent, 0))
    const sum = (name: 'accepted' | 'sent' | 'canceled') => results.reduce((all, one) => all + one[name], 0)
    recordFigure(
      'broadcast races',
      `${engine}: pauses and cancels at any moment, two lanes`,
      `${stopped}; ${sum('accepted')} recipients: sent ${sum('sent')}, canceled ${sum('canceled')}, twice 0, after an answer 0`,
    )
  })
})
