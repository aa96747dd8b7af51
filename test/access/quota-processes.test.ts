import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { createAccount } from '../../server/src/installation/create-account.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { aRuntime } from '../support/runtime.ts'
import { answerOf, answerOfBurst, aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'

/** Counts are per UTC hour: a burst across its end would pass more than one quota, and rightly. */
async function notAtTheEndOfAnHour(): Promise<void> {
  const leftMs = 3_600_000 - (Date.now() % 3_600_000)
  if (leftMs < 20_000) await delay(leftMs + 100)
}

function count(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}

describe('three processes on one PostgreSQL', { timeout: 120_000 }, () => {
  let database: TestDatabase
  let plays: Playground[] = []
  let gateways: Gateway[] = []
  let env: Record<string, string> = {}

  beforeAll(async () => {
    database = await freshDatabase('postgres')
    const url = database.database.kind === 'postgres' ? database.database.url : ''
    env = {
      POSTERN_DATABASE_URL: url,
      POSTERN_MASTER_KEY: 'd'.repeat(64),
      POSTERN_SANDBOX_LISTEN: 'off',
      POSTERN_LOG_LEVEL: 'warn',
    }
    plays = await Promise.all([aPlayground(), aPlayground(), aPlayground()])
    gateways = await Promise.all(plays.map((play) => play.serve([], env)))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(gateways.map(stop))
    for (const play of plays) await play.dispose()
    await database.remove()
  })

  const cli = async (...args: string[]) => (await plays[0]?.runHere([...args, '--json'], env))?.json ?? {}
  const meUrl = (gateway: Gateway | undefined) => `${gateway?.base_url}/v1/auth/me`
  const meOn = (gateway: Gateway | undefined, token: string) => answerOf(meUrl(gateway), token)

  test('let exactly 100 of a burst of 200 on Free pass', async () => {
    const account = await cli('accounts', 'create', '--name', 'Bursting', '--plan', 'free')
    const key = await cli('keys', 'create', '--name', 'Burst', '--account', String(account.id))
    const token = await tokenOf(gateways[0]?.base_url ?? '', key)
    await notAtTheEndOfAnHour()
    const ask = (_: unknown, index: number) => answerOfBurst(meUrl(gateways[index % 3]), token)
    const answers = await Promise.all(Array.from({ length: 200 }, ask))
    expect(count(answers)).toEqual({ '200 ok': 100, '429 rate_limit_exceeded': 100 })
  })

  test('all refuse a token at the next request after one of them revoked it', async () => {
    const credentials = gateways.flatMap(({ firstRun }) => firstRun ?? [])[0] ?? {}
    const token = await tokenOf(gateways[0]?.base_url ?? '', credentials)
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('200 ok')
    const revoked = await fetch(`${gateways[0]?.base_url}/v1/auth/revoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(revoked.status).toBe(200)
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('401 token_revoked')
  })

  test('all follow the command line at the next request', async () => {
    const account = await cli('accounts', 'create', '--name', 'Followed', '--plan', 'starter')
    const key = await cli('keys', 'create', '--name', 'Followed', '--account', String(account.id))
    const token = await tokenOf(gateways[1]?.base_url ?? '', key)
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('200 ok')
    await cli('accounts', 'suspend', String(account.id), '--yes')
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('403 account_suspended')
    await cli('accounts', 'resume', String(account.id))
    await cli('keys', 'revoke', String(key.api_key), '--yes')
    for (const gateway of gateways) expect(await meOn(gateway, token)).toBe('401 token_revoked')
  })
})

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
    expect(count(await burst(before))).toEqual({ '200 ok': 60 })
    await stop(before)
    const after = await play.serve([], env)
    expect(count(await burst(after))).toEqual({ '200 ok': 40, '429 rate_limit_exceeded': 20 })
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
