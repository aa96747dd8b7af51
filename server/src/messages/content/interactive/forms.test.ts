import { describe, expect, test } from 'vitest'
import { checkInteractive } from './check-interactive.ts'
import type { InteractiveRequest } from './interactive-request.ts'

const problems = (request: InteractiveRequest) =>
  checkInteractive(request).map((problem) => `${problem.field} ${problem.code}`)
const x = (length: number) => 'x'.repeat(length)

describe('a link', () => {
  const link = (over: object) =>
    problems({ type: 'cta_url', body: 'Well?', button: 'Open', url: 'https://a.test', ...over })

  test('has a short label, a full address, and every kind of header', () => {
    expect(link({ button: x(20), url: 'http://a.test/b?c=d#e', body: x(1024), footer: x(60) })).toEqual([])
    expect(link({ header: { type: 'image', media_id: 'med_1' } })).toEqual([])
    expect(link({ button: x(21), body: x(1025) })).toEqual(['body too_long', 'button too_long'])
    for (const url of ['a.test', 'https://', 'ftp://a.test', 'tel:+1', 'https://a.test/b c']) {
      expect(link({ url })).toEqual(['url invalid_url'])
    }
  })
})

describe('a Flow', () => {
  const flow = (over: object, button = 'Book') => problems({ type: 'flow', body: 'Well?', button, flow: over })

  test('is named by its id or its name, and opens by a short label without emoji', () => {
    expect(flow({ id: '1' }, x(30))).toEqual([])
    expect(flow({ name: 'booking', token: 't', mode: 'draft' })).toEqual([])
    expect(flow({})).toEqual(['flow one_of_required'])
    expect(flow({ id: '1', name: 'booking' })).toEqual(['flow mutually_exclusive'])
    expect(flow({ id: '1' }, x(31))).toEqual(['button too_long'])
    expect(flow({ id: '1' }, 'Book 📅')).toEqual(['button invalid_value'])
  })

  test('opens a screen with values, or asks its endpoint for the screen', () => {
    expect(flow({ id: '1', screen: 'A', screen_data: { day: 'Mon' } })).toEqual([])
    expect(flow({ id: '1', screen_data: {} })).toEqual(['flow.screen_data too_short'])
    expect(flow({ id: '1', action: 'data_exchange' })).toEqual([])
    expect(flow({ id: '1', action: 'data_exchange', screen: 'A', screen_data: { a: 1 } })).toEqual([
      'flow.screen mutually_exclusive',
      'flow.screen_data mutually_exclusive',
    ])
  })
})

describe('a location request', () => {
  test('is a text alone', () => {
    const request = { type: 'location_request', body: x(1024) } as const
    expect(problems(request)).toEqual([])
    const framed = { ...request, header: { type: 'text', text: 'x' } as const, footer: 'x' }
    expect(problems(framed)).toEqual(['header unknown_field', 'footer unknown_field'])
  })
})
