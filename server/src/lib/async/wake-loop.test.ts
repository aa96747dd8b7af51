import { describe, expect, test } from 'vitest'
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
