import { describe, expect, test, vi } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createLogger } from '../../observe/log.ts'
import { startWakeLoop } from './wake-loop.ts'

const log = createLogger({ level: 'silent', format: 'json' })

describe('a wake loop', () => {
  test('runs at once, sleeps, and runs again when woken; many wake-ups cause one run', async () => {
    let runs = 0
    const run = async () => {
      runs++
      return 60_000
    }
    const loop = startWakeLoop({ failureEvent: 'test.interrupted', log, gapMs: 1, run })
    await waitFor(() => runs === 1)
    for (let count = 0; count < 100; count++) loop.wake()
    await waitFor(() => runs === 2)
    await loop.stop()
    loop.wake()
    expect(runs).toBe(2)
  })

  test('a wake-up during a run is not lost', async () => {
    let runs = 0
    const loop = startWakeLoop({
      failureEvent: 'test.interrupted',
      log,
      gapMs: 1,
      run: async () => {
        runs++
        if (runs === 1) loop.wake()
        return 60_000
      },
    })
    await waitFor(() => runs === 2)
    await loop.stop()
  })

  test('a wake-up while the end of a run is on its way is not lost', async () => {
    for (let microtasks = 0; microtasks < 8; microtasks++) {
      const firstRun = Promise.withResolvers<number>()
      let runs = 0
      const run = () => (++runs === 1 ? firstRun.promise : Promise.resolve(60_000))
      const loop = startWakeLoop({ failureEvent: 'test.interrupted', log, gapMs: 1, run })
      await waitFor(() => runs === 1)
      firstRun.resolve(60_000)
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve()
      loop.wake()
      await waitFor(() => runs === 2)
      await loop.stop()
    }
  })

  test('a wake-up during the run that ends a failure is not lost', async () => {
    let runs = 0
    const loop = startWakeLoop({
      failureEvent: 'test.interrupted',
      log,
      gapMs: 1,
      run: async () => {
        runs++
        if (runs === 1) throw new Error('away')
        if (runs === 2) loop.wake()
        return 60_000
      },
    })
    await waitFor(() => runs === 3)
    await loop.stop()
  })

  test('a wake-up during the pause after a failure does not shorten it', async () => {
    const run = () => Promise.reject(new Error('away'))
    const failed = Promise.withResolvers<void>()
    const watched = { warn: () => failed.resolve() }
    const loop = startWakeLoop({ failureEvent: 'test.interrupted', log: watched, gapMs: 1, run })
    await failed.promise
    vi.useFakeTimers()
    loop.wake()
    const timers = vi.getTimerCount()
    vi.useRealTimers()
    await loop.stop()
    expect(timers).toBe(0)
  })

  test('a failed run is retried for ever', async () => {
    let runs = 0
    const run = async () => {
      runs++
      if (runs < 3) throw new Error('away')
      return 60_000
    }
    const loop = startWakeLoop({ failureEvent: 'test.interrupted', log, gapMs: 1, run })
    await waitFor(() => runs === 3)
    await loop.stop()
    expect(runs).toBe(3)
  })
})
