import { describe, expect, test } from 'vitest'
import { callbackContracts, callContracts, checkCallback, checkExchange, nameOfCall } from './contract.ts'
import { differences, type Shape } from './shape.ts'

describe('a shape', () => {
  const shape: Shape = { id: 'string', 'size?': 'number|string', tags: ['string'], 'owner?': 'Person' }
  const types = { Person: { name: 'string' } }
  const of = (value: unknown) => differences(shape, value, types)

  test('takes what it describes', () => {
    expect(of({ id: 'a', tags: [] })).toEqual([])
    expect(of({ id: 'a', size: '7', tags: ['x'], owner: { name: 'Ana' } })).toEqual([])
  })

  test('tells what is missing, of another kind, or unknown, and no value', () => {
    expect(of({ size: true, tags: ['x', 1, 2], owner: { name: 'Ana', phone: '+12025550100' } })).toEqual([
      { at: 'id', expected: 'string', found: 'nothing' },
      { at: 'size', expected: 'number|string', found: 'boolean' },
      { at: 'tags[]', expected: 'string', found: 'number' },
      { at: 'owner.phone', expected: 'nothing', found: 'string' },
    ])
    expect(of([])).toEqual([{ at: '', expected: 'object', found: 'list' }])
  })
})

describe('the recorded contract', () => {
  test('says of each call and callback where it was read, and when', () => {
    expect(callContracts.length).toBeGreaterThan(20)
    expect(callbackContracts.length).toBeGreaterThan(8)
    for (const { source, read } of [...callContracts, ...callbackContracts]) {
      expect([source.length > 3, read]).toEqual([true, expect.stringMatching(/^2026-\d\d$/)])
    }
  })

  test('probes only what changes nothing', () => {
    const probes = callContracts.filter(({ probe }) => probe !== undefined)
    expect(probes.length).toBeGreaterThan(5)
    for (const { call } of probes) expect(call).toMatch(/^GET /)
  })

  test('knows a call by its path, whatever the version', () => {
    const kindOf = (id: string) => (id === '1065' ? 'phone_number' : undefined)
    expect(nameOfCall('POST', '/v26.0/1065/messages', kindOf)).toBe('POST /{phone_number}/messages')
    expect(nameOfCall('GET', '/debug_token', kindOf)).toBe('GET /debug_token')
  })

  test('holds requests and answers, errors, and the nearest of two documents', () => {
    const call = 'POST /{phone_number}/messages'
    const read = { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.1' }
    expect(checkExchange({ call, status: 200, request: read, answer: { success: true } })).toEqual([])
    expect(checkExchange({ call, status: 200, request: { ...read, sort: 1 }, answer: { success: 'yes' } })).toEqual([
      { at: 'request.sort', expected: 'nothing', found: 'number' },
      { at: 'answer.success', expected: 'boolean', found: 'string' },
    ])
    expect(checkExchange({ call, status: 400, request: {}, answer: { error: 'no' } })).toEqual([
      { at: 'answer.error', expected: 'object', found: 'string' },
    ])
    expect(checkExchange({ call: 'GET /nowhere', status: 200, request: {}, answer: {} })).toBeNull()
  })

  test('holds callbacks by their field', () => {
    const body = (field: string, value: object) => ({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field, value }] }],
    })
    const value = {
      event: 'APPROVED',
      message_template_id: 1,
      message_template_name: 'a',
      message_template_language: 'en',
    }
    expect(checkCallback(body('message_template_status_update', value))).toEqual([])
    expect(checkCallback(body('message_template_status_update', { ...value, event: 7 }))).toEqual([
      { at: 'message_template_status_update.event', expected: 'string', found: 'number' },
    ])
    expect(checkCallback(body('a_new_field', {}))).toEqual([
      { at: 'a_new_field', expected: 'nothing', found: 'object' },
    ])
    expect(checkCallback({ entry: [] })).toEqual([{ at: 'object', expected: 'string', found: 'nothing' }])
  })
})
