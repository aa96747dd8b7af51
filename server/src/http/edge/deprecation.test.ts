import { afterEach, describe, expect, test } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { createApp } from '../app.ts'
import { documentOf } from '../openapi.ts'
import type { App, DeprecatedRoute } from './context.ts'

let world: TestRuntime
let app: App | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
  await world.dispose()
})

/** A gateway with one route that is deprecated and one that is not. */
async function start(deprecated: DeprecatedRoute): Promise<App> {
  world = await aRuntime('sqlite')
  const schema = { operationId: 'old', summary: 'Old', tags: ['Old'], response: {} }
  const addRoutes = (to: App) => {
    to.get('/v1/old', { config: { access: 'token', deprecated }, schema }, async () => ({}))
    to.get('/v1/new', { config: { access: 'token' }, schema: { ...schema, operationId: 'new' } }, async () => ({}))
  }
  app = await createApp(world.rt, { readiness: { check: async () => [] }, resources: [addRoutes] })
  await app.ready()
  return app
}

describe('a route declared deprecated', () => {
  test('says since when and until when in every answer, refusals included; others say nothing', async () => {
    const gateway = await start({ since: '2027-01-01', sunset: '2028-01-01' })
    const old = await gateway.inject({ url: '/v1/old' })
    expect(old.statusCode).toBe(401)
    expect(old.headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Sat, 01 Jan 2028 00:00:00 GMT',
      link: '</docs/api>; rel="deprecation"; type="text/html"',
    })
    const other = await gateway.inject({ url: '/v1/new' })
    expect([other.headers.deprecation, other.headers.sunset]).toEqual([undefined, undefined])
  })

  test('is marked in the API document', async () => {
    const { paths } = documentOf(await start({ since: '2027-01-01', sunset: '2028-01-01' }), '/v1/')
    expect([paths['/v1/old']?.get?.deprecated, paths['/v1/new']?.get?.deprecated]).toEqual([true, undefined])
  })

  test('with less than 12 months of notice stops the start', async () => {
    await expect(start({ since: '2027-01-01', sunset: '2027-12-01' })).rejects.toThrow('less than 12 months')
  })
})
