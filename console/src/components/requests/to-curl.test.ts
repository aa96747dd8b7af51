import { describe, expect, test } from 'vitest'
import { tokenLines } from '../../samples.ts'
import { toCurl } from './to-curl.ts'

const world = { baseUrl: 'http://g.test', apiKey: 'ptk_1' }

describe('a logged request as curl', () => {
  test('gets a token first, and never lets its body leave the quotes', () => {
    const body = `{"name":"it's $(reboot) \`id\`"}`
    expect(toCurl(world, { method: 'POST', path: '/v1/webhooks?a=1&b=2', body })).toBe(
      `${tokenLines(world).curl}
curl -X POST 'http://g.test/v1/webhooks?a=1&b=2' \\
  -H "Authorization: Bearer \${TOKEN:?$LOGIN}" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s $(reboot) \`id\`"}'`,
    )
    expect(toCurl(world, { method: 'DELETE', path: '/v1/webhooks/whk_1', body: '' })).toMatch(
      /\ncurl -X DELETE 'http:\/\/g\.test\/v1\/webhooks\/whk_1' \\\n {2}-H "Authorization: [^\n]+$/,
    )
  })

  test('is none at all where a part was not kept, was cut or was secret', () => {
    const whole = { method: 'POST', path: '/v1/webhooks', body: '{}' }
    expect(toCurl(world, whole)).not.toBeNull()
    const parts = [
      { path: null },
      { body: null },
      { body: '{"url":"https://…' },
      { path: '/v1/auth/token', body: '{"api_secret":"[secret]"}' },
    ]
    for (const part of parts) expect(toCurl(world, { ...whole, ...part })).toBeNull()
  })
})
