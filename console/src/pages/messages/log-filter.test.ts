import { describe, expect, test } from 'vitest'
import { countFilters, listPath, readFilter } from './log-filter.ts'

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

describe('a span from one instant to another', () => {
  test('is taken where it is one, and a span by name goes before it', () => {
    const exact = 'since=2026-11-10T00:00:00%2B01:00&until=never'
    expect(readFilter(new URLSearchParams(exact), now)).toEqual({ since: '2026-11-09T23:00:00.000Z' })
    expect(readFilter(new URLSearchParams(`time=hour&${exact}`), now)).toEqual({ since: '2026-11-15T09:30:00.000Z' })
  })

  test('is one filter among the others', () => {
    expect(countFilters(new URLSearchParams('code=template_paused&since=x&until=y&status='))).toBe(2)
  })
})

describe('the same list from the API', () => {
  test('asks for nothing the API does not know', () => {
    const search = '+351 912'
    expect(listPath({ status: 'not_sent', key_id: 'key_1', search })).toBe(
      '/v1/chat/messages?api_key_id=key_1&phone_number=%2B351+912&limit=25',
    )
    expect(listPath({ status: 'failed', direction: 'outbound', search: 'order-1', code: 'template_paused' })).toBe(
      '/v1/chat/messages?direction=outbound&status=failed&limit=25',
    )
  })
})
