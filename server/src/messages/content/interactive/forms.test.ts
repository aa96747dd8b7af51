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

describe('a location request', () => {
  test('is a text alone', () => {
    const request = { type: 'location_request', body: x(1024) } as const
    expect(problems(request)).toEqual([])
    const framed = { ...request, header: { type: 'text', text: 'x' } as const, footer: 'x' }
    expect(problems(framed)).toEqual(['header unknown_field', 'footer unknown_field'])
  })
})
