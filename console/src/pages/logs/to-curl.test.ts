import { describe, expect, test } from 'vitest'
import { tokenLines } from '../../samples.ts'
import { toCurl } from './to-curl.ts'

const world = { baseUrl: 'http://g.test', apiKey: 'ptk_1' }

describe('a logged request as curl', () => {
  test('gets a token first, and never lets its body leave the quotes', () => {
    const body = `{"name":"it's $(reboot) \`id\`"}`
    expect(toCurl(world, { method: 'POST', route: '/v1/webhooks?a=1&b=2', body })).toBe(
      `${tokenLines(world).curl}
curl -X POST 'http://g.test/v1/webhooks?a=1&b=2' \\
  -H "Authorization: Bearer \${TOKEN:?$LOGIN}" \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"it'\\''s $(reboot) \`id\`"}'`,
    )
  })

  test('sends no token where none is known yet, and says where a body goes that was not kept', () => {
    expect(toCurl(world, { method: 'POST', route: '/v1/auth/token', body: null })).toBe(
      `# The body was not kept: write it into body.json first.
curl -X POST 'http://g.test/v1/auth/token' \\
  -H 'Content-Type: application/json' \\
  -d @body.json`,
    )
    expect(toCurl(world, { method: 'GET', route: '/v1/webhooks/{webhook_id}', body: null })).toContain(
      `\n# Ids are not kept: write yours instead of {webhook_id}.\ncurl 'http://g.test/v1/webhooks/{webhook_id}'`,
    )
    expect(toCurl(world, { method: 'DELETE', route: '/v1/webhooks/whk_1', body: null })).not.toContain('body.json')
  })
})
