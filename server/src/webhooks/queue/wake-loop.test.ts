import { describe, expect, test } from 'vitest'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createLogger } from '../../observe/log.ts'
import { startWakeLoop } from './wake-loop.ts'

const log = createLogger({ level: 'silent', format: 'json' })

describe('a loop that can be woken', () => {
  test('looks at once, sleeps, and looks again when woken; many wake-ups are one', async () => {
    let turns = 0
    const turn = async () => {
      turns++
      return 60_000
    }
    const loop = startWakeLoop({ name: 'test', log, gapMs: 1, turn })
    await waitFor(() => turns === 1)
    for (let count = 0; count < 100; count++) loop.wake()
    await waitFor(() => turns === 2)
    await loop.stop()
    loop.wake()
    expect(turns).toBe(2)
  })

  test('a wake-up during a turn is not lost', async () => {
    let turns = 0
    const loop = startWakeLoop({
      name: 'test',
      log,
      gapMs: 1,
      turn: async () => {
        turns++
        if (turns === 1) loop.wake()
        return 60_000
      },
    })
    await waitFor(() => turns === 2)
    await loop.stop()
  })

  test('a failing turn is tried again and never given up', async () => {
    let turns = 0
    const turn = async () => {
      turns++
      if (turns < 3) throw new Error('away')
      return 60_000
    }
    const loop = startWakeLoop({ name: 'test', log, gapMs: 1, turn })
    await waitFor(() => turns === 3)
    await loop.stop()
    expect(turns).toBe(3)
  })
})
