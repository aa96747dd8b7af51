import { describe, expect, test } from 'vitest'
import { GraphError } from '../http/errors.ts'
import type { Json } from '../http/json.ts'
import { checkInteractive } from './interactive-rules.ts'

/** The code of the refusal; 0 where there is none. */
function codeOf(interactive: Json): number {
  try {
    checkInteractive(interactive, () => undefined)
    return 0
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return error.code
  }
}

const body = { text: 'Well?' }
const x = (length: number) => 'x'.repeat(length)

const MISSING = 131008
const INVALID = 131009
const UNKNOWN_KEY = 100

describe('a link', () => {
  const link = (over: Json) => {
    const parameters = { display_text: 'Open', url: 'https://a.test', ...over }
    return codeOf({ type: 'cta_url', body, action: { name: 'cta_url', parameters } })
  }

  test.each<[string, Json, number]>([
    ['within its limits is accepted', { display_text: x(20) }, 0],
    ['without a label is refused', { display_text: '' }, MISSING],
    ['with a long label is refused', { display_text: x(21) }, INVALID],
    ['to no web page is refused', { url: 'tel:+1' }, INVALID],
    ['with a misspelt member is refused', { link: 'https://a.test' }, UNKNOWN_KEY],
  ])('%s', (_, over, code) => expect(link(over)).toBe(code))
})

test('a location request has neither header nor footer', () => {
  const asking = { type: 'location_request_message', body, action: { name: 'send_location' } }
  const header = { type: 'text', text: 'Hi' }
  const codes = [asking, { ...asking, header }, { ...asking, footer: body }].map(codeOf)
  expect(codes).toEqual([0, INVALID, INVALID])
})
