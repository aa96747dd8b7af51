import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { recordFigure, scaled } from '../../../../test/support/proof.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { operator } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { scopes } from '../../contract/scopes.ts'
import { createAccount } from '../../installation/account.ts'
import { type AttemptLimit, createAttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { createKey } from '../keys/create-key.ts'
import { newApiSecret, newPublicKey } from '../keys/credentials.ts'
import { issueToken } from './issue-token.ts'
import { createTokenAuthority } from './token-codec.ts'

describe.each(engines)('credentials that are wrong, on %s', (engine) => {
  let world: TestRuntime
  let publicKey = ''

  beforeAll(async () => {
    world = await aRuntime(engine)
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    publicKey = (await createKey(world.rt, input)).row.public_key
  })
  afterAll(() => world.dispose())

  const unlimited: AttemptLimit = { failed: async (_key, _ip, refusal) => refusal, async succeeded() {} }

  async function attempt(rt: Runtime, apiKey: string): Promise<string> {
    const request = { apiKey, apiSecret: newApiSecret(), scopes: null, ip: '192.0.2.1' }
    const refusal = await issueToken(rt, createTokenAuthority(rt), unlimited, request).catch((error: unknown) => error)
    return refusal instanceof Error ? refusal.message : 'accepted'
  }

  test('ask the database the same, whether the key is unknown or the secret wrong', async () => {
    const asked: string[] = []
    const { store } = world.rt
    const watched: Runtime = {
      ...world.rt,
      store: {
        ...store,
        read(query, params) {
          asked.push(query.name)
          return store.read(query, params)
        },
        write(unit) {
          asked.push('write')
          return store.write(unit)
        },
      },
    }
    // The pepper is read once per process.
    await attempt(watched, publicKey)
    asked.length = 0
    const wrongSecret = await attempt(watched, publicKey)
    const afterWrongSecret = asked.splice(0)
    const unknownKey = await attempt(watched, newPublicKey())
    expect(asked).toEqual(afterWrongSecret)
    expect(asked).toEqual(['api_keys.by_public_key'])
    expect(unknownKey).toBe(wrongSecret)
  })

  test('are hashed once, whether the key is unknown or the secret wrong', async () => {
    await attempt(world.rt, publicKey)
    const wrongSecret = await countingHashes(() => attempt(world.rt, publicKey))
    const unknownKey = await countingHashes(() => attempt(world.rt, newPublicKey()))
    expect(wrongSecret).toBe(1)
    expect(unknownKey).toBe(1)
  })

  test('take as long, within what can be measured', async () => {
    const tries = scaled(200)
    const times: Record<'unknown' | 'wrong', number[]> = { unknown: [], wrong: [] }
    for (let index = 0; index < tries * 2; index++) {
      const kind = index % 2 === 0 ? 'unknown' : 'wrong'
      const startedAt = performance.now()
      await attempt(world.rt, kind === 'unknown' ? newPublicKey() : publicKey)
      times[kind].push(performance.now() - startedAt)
    }
    const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
    const differenceUs = Math.abs(median(times.unknown) - median(times.wrong)) * 1_000
    recordFigure('credential timing', `${engine}: median difference, microseconds`, Math.round(differenceUs))
    // A read and a hash take some 30 us here; skipping either would show as half of it.
    expect(differenceUs).toBeLessThan(median(times.wrong) * 1_000)
  })

  test('from one address never keep the real client out', async () => {
    const limit = createAttemptLimit(world.rt)
    const fail = async (ip: string) => (await limit.failed(publicKey, ip, refusal())).code
    const codes: string[] = []
    for (let tries = 0; tries < 60; tries++) codes.push(await fail('198.51.100.7'))
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('invalid_credentials'))
    expect(codes[10]).toBe('too_many_attempts')
    expect(await fail('198.51.100.8')).toBe('invalid_credentials')
    await limit.succeeded('key_1')
  })

  const refusal = () => new AppError('invalid_credentials', 'wrong')
})

/** How often `run` makes an HMAC. */
async function countingHashes(run: () => Promise<unknown>): Promise<number> {
  const real = crypto.createHmac
  let count = 0
  crypto.createHmac = (...args) => {
    count++
    return real(...args)
  }
  syncBuiltinESMExports()
  try {
    await run()
    return count
  } finally {
    crypto.createHmac = real
    syncBuiltinESMExports()
  }
}
