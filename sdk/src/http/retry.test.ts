import { describe, expect, test } from 'vitest'
import { nowMs, retryAfterVectors } from '../../../test/support/retry-after-vectors.ts'
import { ServerError } from '../errors.ts'
import { retryAfterSeconds, retryDelayMs } from './retry.ts'

const failing = new ServerError({ code: 'internal_error', type: 'server', message: '', retryable: true })

describe('retryDelayMs', () => {
  test('draws from the whole range up to the ceiling, and never beyond 8 seconds', () => {
    const at = (failures: number, random: number) =>
      retryDelayMs(failing, { failures, maxRetries: 10, random: () => random })
    expect(at(1, 0)).toBe(0)
    expect(at(1, 1)).toBe(500)
    expect(at(5, 1)).toBe(8_000)
    expect(at(9, 1)).toBe(8_000)
  })

  test('gives up after maxRetries', () => {
    const after = (failures: number) => retryDelayMs(failing, { failures, maxRetries: 2, random: () => 1 })
    expect(after(2)).toBeDefined()
    expect(after(3)).toBeUndefined()
  })
})

describe('retryAfterSeconds', () => {
  test.each(retryAfterVectors)('reads %j as %j, as the gateway does', (header, seconds) => {
    expect(retryAfterSeconds(header, nowMs)).toBe(seconds ?? undefined)
  })

  test('is undefined without a header', () => {
    expect(retryAfterSeconds(null, nowMs)).toBeUndefined()
  })
})
