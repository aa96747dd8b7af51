import { describe, expect, test } from 'vitest'
import { path, withQuery } from './path.ts'

describe('path', () => {
  test('percent-encodes the characters of channel ids', () => {
    expect(path`/v1/chat/messages/${'wamid.HB/g+A=='}/read`).toBe('/v1/chat/messages/wamid.HB%2Fg%2BA%3D%3D/read')
  })

  test.each(['', '.', '..'])('refuses %j, which would address something else', (id) => {
    expect(() => path`/v1/webhooks/${id}`).toThrow(TypeError)
  })

  test('cannot be left by an id', () => {
    const url = new URL(path`/v1/webhooks/${'../../admin?x#y'}`, 'https://gateway.test')
    expect(url.pathname).toBe('/v1/webhooks/..%2F..%2Fadmin%3Fx%23y')
  })
})

describe('withQuery', () => {
  test('names parameters in snake_case, joins lists and writes dates in UTC', () => {
    const query = { groupBy: ['template', 'type'], since: new Date(0), limitGroups: 5, dryRun: true }
    expect(withQuery('/x', query)).toBe(
      '/x?group_by=template%2Ctype&since=1970-01-01T00%3A00%3A00.000Z&limit_groups=5&dry_run=true',
    )
  })

  test('encodes the plus of a phone number', () => {
    expect(withQuery('/x', { phoneNumber: '+351912345678' })).toBe('/x?phone_number=%2B351912345678')
  })

  test('leaves out what is not set', () => {
    expect(withQuery('/x', { cursor: undefined, type: null })).toBe('/x')
  })
})
