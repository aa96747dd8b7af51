import { describe, expect, test } from 'vitest'
import { readFilter } from './log-filter.ts'

const now = Date.parse('2026-11-15T10:30:42.123Z')

describe('the filter in the address of the log', () => {
  test('leaves out what is empty or unknown', () => {
    expect(readFilter(new URLSearchParams('search=%20&status=&nonsense=1'), now)).toEqual({})
  })

  test('takes what is there', () => {
    const search = new URLSearchParams('status=failed&template=order_confirmation&search=%2B351912345678')
    expect(readFilter(search, now)).toEqual({
      status: 'failed',
      template: 'order_confirmation',
      search: '+351912345678',
    })
  })

  test('turns a span into a moment that holds for a minute', () => {
    expect(readFilter(new URLSearchParams('time=hour'), now)).toEqual({ since: '2026-11-15T09:30:00.000Z' })
  })
})
