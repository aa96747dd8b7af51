import { afterEach, describe, expect, test } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { createApp } from '../app.ts'
import { resources } from '../v1/resources.ts'
import type { App } from './context.ts'

let world: TestRuntime
let app: App
afterEach(async () => {
  await app.close()
  await world.dispose()
})

async function start(env: Record<string, string>): Promise<void> {
  world = await aRuntime('sqlite', env)
  app = await createApp(world.rt, { readiness: { check: async () => [] }, resources })
}

const asks = (origin: string) => ({ origin, 'access-control-request-method': 'POST' })
const preflight = (origin: string) =>
  app.inject({ method: 'OPTIONS', url: '/v1/chat/messages/send', headers: asks(origin) })

describe('a browser', () => {
  test('on a listed origin may call, sees the limits, and is told so for ten minutes', async () => {
    await start({ POSTERN_CORS_ORIGINS: 'https://app.acme.test' })
    const asked = await preflight('https://app.acme.test')
    expect([asked.statusCode, asked.headers['access-control-max-age']]).toEqual([200, '600'])
    expect(asked.headers['access-control-allow-headers']).toContain('Idempotency-Key')
    const refused = await app.inject({ url: '/v1/auth/me', headers: { origin: 'https://app.acme.test' } })
    expect(refused.statusCode).toBe(401)
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.acme.test', vary: 'Origin' })
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    expect(refused.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test.each(['https://app.acme.test.evil.test', 'http://app.acme.test', 'https://APP.acme.test', 'null'])(
    'on %s gets no permission where another origin is listed',
    async (origin) => {
      await start({ POSTERN_CORS_ORIGINS: 'https://app.acme.test' })
      const asked = await preflight(origin)
      expect(asked.statusCode).toBe(404)
      expect(asked.headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  test('gets no permission by default', async () => {
    await start({})
    const asked = await preflight('https://app.acme.test')
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([404, undefined])
  })
})
