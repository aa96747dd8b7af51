import { describe, expect, test } from 'vitest'
import { toCurl } from './to-curl.ts'

const world = { baseUrl: 'http://g.test', apiKey: 'ptk_1' }

describe('a logged request as curl', () => {
  test('takes the secret from the environment, and never lets its body leave the quotes', () => {
    const body = `{"name":"it's $(reboot) \`id\`"}`
    expect(toCurl(world, { method: 'POST', path: '/v1/webhooks?a=1&b=2', body })).toBe(
      `curl -X POST 'http://g.test/v1/webhooks?a=1&b=2' \\
  -u "ptk_1:$POSTERN_API_SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s $(reboot) \`id\`"}'`,
    )
    expect(toCurl(world, { method: 'DELETE', path: '/v1/webhooks/whk_1', body: '' })).toBe(
      `curl -X DELETE 'http://g.test/v1/webhooks/whk_1' \\\n  -u "ptk_1:$POSTERN_API_SECRET"`,
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
