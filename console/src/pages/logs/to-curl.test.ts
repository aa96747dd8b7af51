import { describe, expect, test } from 'vitest'
import { toCurl } from './to-curl.ts'

describe('a logged request as curl', () => {
  test('never lets its body leave the quotes', () => {
    const body = `{"name":"it's $(reboot) \`id\`"}`
    expect(toCurl('http://localhost:8080', { method: 'POST', route: '/v1/webhooks', body })).toBe(
      `curl -X POST http://localhost:8080/v1/webhooks \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s $(reboot) \`id\`"}'`,
    )
  })

  test('sends no token where none is known yet', () => {
    expect(toCurl('http://g.test', { method: 'POST', route: '/v1/auth/token', body: null })).toBe(
      'curl -X POST http://g.test/v1/auth/token',
    )
  })
})
