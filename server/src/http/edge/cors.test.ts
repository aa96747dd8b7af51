import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { createApp } from '../app.ts'
import { resources } from '../v1/resources.ts'
import type { App } from './context.ts'

const asks = (origin: string) => ({ origin, 'access-control-request-method': 'POST' })

/** A gateway for the tests of a `describe`. */
function aGateway(env: Record<string, string>) {
  let world: TestRuntime
  let app: App
  beforeAll(async () => {
    world = await aRuntime('sqlite', env)
    app = await createApp(world.rt, { readiness: { check: async () => [] }, resources })
  })
  afterAll(async () => {
    await app.close()
    await world.dispose()
  })
  return {
    preflight: (origin: string) =>
      app.inject({ method: 'OPTIONS', url: '/v1/chat/messages/send', headers: asks(origin) }),
    get: (origin: string) => app.inject({ url: '/v1/auth/me', headers: { origin } }),
  }
}

describe('a browser, where an origin is listed,', () => {
  const { preflight, get } = aGateway({ POSTERN_CORS_ORIGINS: 'https://app.acme.test' })

  test('on that one may call, sees the limits, and is told so for ten minutes', async () => {
    const asked = await preflight('https://app.acme.test')
    expect([asked.statusCode, asked.headers['access-control-max-age']]).toEqual([200, '600'])
    expect(asked.headers['access-control-allow-headers']).toContain('Idempotency-Key')
    const refused = await get('https://app.acme.test')
    expect(refused.statusCode).toBe(401)
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.acme.test', vary: 'Origin' })
    expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
    expect(refused.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test.each(['https://app.acme.test.evil.test', 'http://app.acme.test', 'https://APP.acme.test', 'null'])(
    'on %s gets no permission',
    async (origin) => {
      const asked = await preflight(origin)
      expect(asked.statusCode).toBe(404)
      expect(asked.headers['access-control-allow-origin']).toBeUndefined()
    },
  )
})

describe('a browser', () => {
  const { preflight } = aGateway({})

  test('gets no permission by default', async () => {
    const asked = await preflight('https://app.acme.test')
    expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([404, undefined])
  })
})
