import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../config/config.ts'
import { requireTimeToCall, sendDeadline } from './send-deadline.ts'

describe('the deadline of a send', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  const { config } = loadConfig({ env: {}, terminal: false })
  const at = (ms: number) => {
    const deadline = sendDeadline({ config }, performance.now() - ms)
    const { rateWaitMs, filesWaitMs, callMs, lostWaitMs, answerWaitMs, lateAnswerMs } = deadline
    return [rateWaitMs(), filesWaitMs(), callMs(), lostWaitMs(), answerWaitMs(), lateAnswerMs()].map(Math.round)
  }

  test('it gives the rate 3 s, the platform until second 8, a lost answer until 9.2, the rest until 9.5, and answers at 9.75', () => {
    expect(at(0)).toEqual([3_000, 7_000, 8_000, 9_200, 9_500, 9_750])
    expect(at(5_000)).toEqual([2_000, 2_000, 3_000, 4_200, 4_500, 4_750])
    expect(at(7_500)).toEqual([0, 0, 500, 1_700, 2_000, 2_250])
    expect(at(60_000)).toEqual([0, 0, 1, 0, 0, 0])
  })

  test('a send that has less than a second left for the platform is not begun', () => {
    expect(() => requireTimeToCall(sendDeadline({ config }, performance.now() - 6_900))).not.toThrow()
    expect(() => requireTimeToCall(sendDeadline({ config }, performance.now() - 7_001))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', extras: { retryAfterSeconds: 1 } }),
    )
  })
})
