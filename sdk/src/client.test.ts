import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Postern } from './client.ts'
import { credentials, FakeGateway } from './testing/fake-gateway.ts'
import { version } from './version.ts'

afterEach(() => vi.unstubAllEnvs())

describe('a client', () => {
  test('takes its address and credentials from the environment', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { scopes: ['messages:send'] } }))
    vi.stubEnv('POSTERN_BASE_URL', gateway.baseUrl)
    vi.stubEnv('POSTERN_API_KEY', 'ptk_env')
    vi.stubEnv('POSTERN_API_SECRET', 'pts_env')
    expect(await new Postern().auth.me()).toEqual({ scopes: ['messages:send'] })
    expect(gateway.tokenRequests[0]?.json).toEqual({ api_key: 'ptk_env', api_secret: 'pts_env' })
  })

  test.each(['POSTERN_BASE_URL', 'POSTERN_API_KEY', 'POSTERN_API_SECRET'])('names %s when it is missing', (missing) => {
    vi.stubEnv('POSTERN_BASE_URL', 'http://gateway.test')
    vi.stubEnv('POSTERN_API_KEY', 'ptk_env')
    vi.stubEnv('POSTERN_API_SECRET', 'pts_env')
    vi.stubEnv(missing, '')
    expect(() => new Postern()).toThrow(missing)
  })

  test.each(['gateway.test', 'ftp://gateway.test', 'http://user:pass-word@gateway.test', 'http://gateway.test/?a=1'])(
    'refuses the address %s without repeating it',
    (baseUrl) => {
      expect(() => new Postern({ baseUrl, ...credentials })).toThrow(/^baseUrl (?!.*gateway\.test)/)
    },
  )

  test('can call an operation it has no method for', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { is_new: true } }))
    const answer = await gateway.client().request<{ isNew: boolean }>({
      method: 'POST',
      path: '/v1/new/thing',
      query: { someFlag: true },
      body: { aField: 1 },
    })
    expect(answer.isNew).toBe(true)
    expect(gateway.seen[0]).toMatchObject({ method: 'POST', url: '/v1/new/thing?some_flag=true', json: { a_field: 1 } })
  })

  test('has the version of the package', () => {
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    expect(version).toBe(manifest.version)
  })

  test('has all its methods in the table of the README', () => {
    const client = new Postern({ baseUrl: 'http://gateway.test', ...credentials })
    const rows = readFileSync(new URL('../README.md', import.meta.url), 'utf8').split('\n')
    const missing = Object.entries(client).flatMap(([resource, api]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(api))
        .filter((method) => method !== 'constructor')
        .filter(
          (method) => !rows.some((row) => row.includes(`\`postern.${resource}\``) && row.includes(`\`${method}\``)),
        )
        .map((method) => `${resource}.${method}`),
    )
    expect(missing).toEqual([])
  })
})
