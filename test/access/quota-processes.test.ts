import { describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { countOf, notAtTheEndOfAnHour } from '../support/quota.ts'
import { aRuntime } from '../support/runtime.ts'
import { answerOfBurst, aPlayground, type Gateway, stop, tokenOf } from '../support/serve.ts'

describe('one process on SQLite', { timeout: 120_000 }, () => {
  test('goes on counting where it stopped', async () => {
    const play = await aPlayground()
    const env = { POSTERN_SANDBOX_LISTEN: 'off' }
    await notAtTheEndOfAnHour()
    const before = await play.serve([], env)
    await play.runHere(['accounts', 'create', '--name', 'Counted', '--plan', 'free'])
    const { json: key } = await play.runHere(['keys', 'create', '--name', 'Counted', '--account', 'Counted', '--json'])
    const token = await tokenOf(before.base_url, key)
    const burst = (gateway: Gateway) =>
      Promise.all(Array.from({ length: 60 }, () => answerOfBurst(`${gateway.base_url}/v1/auth/me`, token)))
    expect(countOf(await burst(before))).toEqual({ '200 ok': 60 })
    await stop(before)
    const after = await play.serve([], env)
    expect(countOf(await burst(after))).toEqual({ '200 ok': 40, '429 rate_limit_exceeded': 20 })
    await stop(after)
    await play.dispose()
  })
})

describe('a hundred warm requests of one moment on PostgreSQL', () => {
  test('share their questions to the database, and are counted one by one', async () => {
    const { rt, dispose } = await aRuntime('postgres')
    const calls = { reads: 0, writes: 0 }
    const app = await createApp(counting(rt, calls), {
      readiness: { check: async () => [] },
      resources: [
        addAuthRoutes,
        (one) => void one.get('/v1/nothing', { config: { access: 'token' } }, async () => ({})),
      ],
    })
    const { account, owner } = await createAccount(rt, { name: 'Acme', plan: 'professional', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(rt, input)
    const payload = { api_key: row.public_key, api_secret: secret }
    const token = (await app.inject({ method: 'POST', url: '/v1/auth/token', payload })).json().data.access_token
    const request = () => app.inject({ url: '/v1/nothing', headers: { authorization: `Bearer ${token}` } })
    await request()
    Object.assign(calls, { reads: 0, writes: 0 })
    const responses = await Promise.all(Array.from({ length: 100 }, request))
    const left = responses.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(new Set(left).size).toBe(100)
    expect(Math.min(...left)).toBe(10_000 - 101)
    expect(calls.reads).toBeLessThan(10)
    expect(calls.writes).toBeLessThan(10)
    await app.close()
    await dispose()
  })

  function counting(rt: Runtime, calls: { reads: number; writes: number }): Runtime {
    const { store } = rt
    const counted: Runtime['store'] = {
      ...store,
      read: (query, params) => {
        calls.reads++
        return store.read(query, params)
      },
      tally: (unit) => {
        calls.writes++
        return store.tally(unit)
      },
      write: (unit) => {
        calls.writes++
        return store.write(unit)
      },
    }
    return { ...rt, store: counted }
  }
})
