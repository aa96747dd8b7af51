import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Camel, type CamelName, snakeName, toCamel, toSnake } from './case.ts'

describe('names', () => {
  const names = {
    client_reference: 'clientReference',
    amount_1000: 'amount_1000',
    last_7_days: 'last_7Days',
    delivery_seconds_p50: 'deliverySecondsP50',
    sha256: 'sha256',
    to: 'to',
    a__b: 'a_B',
    trailing_: 'trailing_',
  } as const

  test.each(Object.entries(names))('%s on the wire is %s in the SDK, and back', (wire, name) => {
    expect(toCamel({ [wire]: 1 })).toEqual({ [name]: 1 })
    expect(toSnake({ [name]: 1 })).toEqual({ [wire]: 1 })
  })

  test('have the same rule in types', () => {
    expectTypeOf(names).toEqualTypeOf<{ readonly [Wire in keyof typeof names]: CamelName<Wire> }>()
  })

  test('every snake_case name survives the way there and back', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
    const names = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('_'))
    const roundTrip = fc.property(names, (name) => {
      expect(toSnake(toCamel({ [name]: 1 }))).toEqual({ [name]: 1 })
    })
    expect(() => fc.assert(roundTrip, { seed: 1 })).not.toThrow()
  })

  test('that already are snake_case in a request stay', () => {
    expect(snakeName('sub_type')).toBe('sub_type')
  })
})

describe('types', () => {
  const wire = {
    message_id: 'm',
    error: { trace_id: 't' },
    read_at: null,
    steps: [{ recorded_at: 'r' }, { recorded_at: 's' }],
    last_7_days: { sent: 1 },
    series: [{ group: { phone_number: '+1' } }],
    response_headers: { x_request_id: '1' },
  }
  const renamed = {
    messageId: 'm',
    error: { traceId: 't' },
    readAt: null,
    steps: [{ recordedAt: 'r' }, { recordedAt: 's' }],
    last_7Days: { sent: 1 },
    series: [{ group: { phone_number: '+1' } }],
    responseHeaders: { x_request_id: '1' },
  }

  test('say what becomes of values', () => {
    expect(toCamel(wire)).toEqual(renamed)
    expectTypeOf<Camel<typeof wire>>().toEqualTypeOf<typeof renamed>()
  })

  test('keep unions, arrays, optional members and free keys', () => {
    type Wire = {
      to_or_not?: ({ kind_of: 'a' } | { kind_of: 'b'; b_only: 1 }) | null
      readonly word_list: ('snake_word' | 'other')[]
      any_thing: unknown
      free_keys: { [key: string]: { inner_name: 1 } }
    }
    expectTypeOf<Camel<Wire>>().toEqualTypeOf<{
      toOrNot?: ({ kindOf: 'a' } | { kindOf: 'b'; bOnly: 1 }) | null
      readonly wordList: ('snake_word' | 'other')[]
      anyThing: unknown
      freeKeys: { [key: string]: { inner_name: 1 } }
    }>()
  })
})

describe('values', () => {
  test('of template components keep their text, whatever it looks like', () => {
    const components = [
      { type: 'body', parameters: [{ type: 'date_time', dateTime: { fallbackValue: 'firstName last_name' } }] },
      { type: 'button', subType: 'quick_reply', index: 0, parameters: [{ type: 'payload', payload: '{"aB":"c_d"}' }] },
    ]
    expect(toSnake(components)).toEqual([
      { type: 'body', parameters: [{ type: 'date_time', date_time: { fallback_value: 'firstName last_name' } }] },
      { type: 'button', sub_type: 'quick_reply', index: 0, parameters: [{ type: 'payload', payload: '{"aB":"c_d"}' }] },
    ])
  })

  test('that are maps of data keep their keys', () => {
    expect(toCamel({ response_headers: { x_request_id: '1' }, series: [{ group: { phone_number: '+1' } }] })).toEqual({
      responseHeaders: { x_request_id: '1' },
      series: [{ group: { phone_number: '+1' } }],
    })
    expect(toSnake({ responseHeaders: { camelKey: '1' } })).toEqual({ response_headers: { camelKey: '1' } })
    const action = { flowToken: 't', flowActionData: { orderId: { camelKey: 1 } } }
    expect(toSnake({ action })).toEqual({ action: { flow_token: 't', flow_action_data: { orderId: { camelKey: 1 } } } })
  })

  test('that are no records pass unchanged', () => {
    const date = new Date(0)
    const bytes = new Uint8Array([1])
    expect(toSnake({ aB: [date, bytes, null, 1, true] })).toEqual({ a_b: [date, bytes, null, 1, true] })
    expect(toCamel(null)).toBeNull()
  })

  test('cannot reach a prototype', () => {
    const renamed = toSnake(JSON.parse('{"__proto__":{"admin":true}}')) as object
    expect(Object.getPrototypeOf(renamed)).toBe(Object.prototype)
    expect('admin' in renamed).toBe(false)
  })
})
