import { describe, expect, test } from 'vitest'
import { accessWords, isUnused, presetOf, presets, readAddresses, scopes } from './access.ts'

describe('the access of an API key', () => {
  test('is named by its preset whatever the order of its scopes', () => {
    expect(presetOf(['templates:read', 'messages:send', 'media:write'])).toBe('send_only')
    expect(
      presets.filter(({ value }) => value !== 'custom').every((preset) => presetOf(preset.scopes) === preset.value),
    ).toBe(true)
  })

  test('is counted when it is no preset', () => {
    expect(accessWords(['messages:send', 'messages:read'])).toBe(`2 of ${scopes.length} scopes`)
    expect(accessWords(presets[0]?.scopes ?? [])).toBe('Full access')
  })

  test('takes addresses by line, comma or space, and none as no limit', () => {
    expect(readAddresses('203.0.113.7, 10.0.0.0/8\n ::1')).toEqual(['203.0.113.7', '10.0.0.0/8', '::1'])
    expect(readAddresses(' \n')).toBeNull()
  })
})

describe('an unused key', () => {
  const now = Date.parse('2026-11-15T10:00:00.000Z')
  const key = { status: 'active', created_at: '2026-10-01T00:00:00.000Z', last_used_at: null } as never

  test('is one that was not used for 30 days, or never', () => {
    expect(isUnused(key, now)).toBe(true)
    expect(isUnused({ ...(key as object), last_used_at: '2026-11-01T00:00:00.000Z' } as never, now)).toBe(false)
    expect(isUnused({ ...(key as object), status: 'revoked' } as never, now)).toBe(false)
  })
})
