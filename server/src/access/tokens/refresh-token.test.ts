import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { operator, verifyAudit } from '../../audit/audit.ts'
import type { AppError } from '../../contract/app-error.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import { createAccount } from '../../installation/account.ts'
import { hourMs, minuteMs } from '../../lib/durations.ts'
import type { Gate } from '../../limits/quota.ts'
import { createGate } from '../../limits/quota-shared.ts'
import { createAttemptLimit } from '../../limits/sign-in.ts'
import { findApiKeyAnywhere } from '../../store/accounts/api-keys.ts'
import { type AccessRow, insertChain, readAccess, revokeToken as revokeOne } from '../../store/accounts/tokens.ts'
import { query } from '../../store/engine/operation.ts'
import { Unit } from '../../store/engine/unit.ts'
import { changeKey } from '../keys/console-keys.ts'
import { createKey } from '../keys/create-key.ts'
import { type CheckOptions, createTokenCheck } from './check-token.ts'
import { issueToken } from './issue-token.ts'
import { expireOldTokens, refreshToken, revokeToken } from './token-chain.ts'
import { createTokenAuthority } from './token-codec.ts'

const ip = '192.0.2.1'
const openChains = query({
  name: 'test.open_chains',
  params: { key_id: 'text' },
  returns: { open: 'int' },
  sql: 'select count(*) as open from token_chains where key_id = :key_id and refresh_closed_at is null',
})

describe.each(engines)('tokens of one chain, on %s,', (engine) => {
  let world: TestRuntime
  let gate: Gate
  let tools: ReturnType<typeof newTools>
  let key: { id: string; api_key: string; api_secret: string; accountId: string }

  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  // Every test has an account and a key of its own, and counts attempts anew.
  beforeEach(async () => {
    gate = createGate(world.rt)
    tools = newTools()
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(world.rt, input)
    key = { id: row.id, api_key: row.public_key, api_secret: secret, accountId: account.id }
  })
  afterEach(() => gate.close())
  afterAll(() => world.dispose())

  function newTools() {
    const authority = createTokenAuthority(world.rt)
    return { authority, limit: createAttemptLimit(world.rt), check: createTokenCheck(world.rt, authority, gate) }
  }
  async function issue(wanted: Scope[] | null = null): Promise<string> {
    const request = { apiKey: key.api_key, apiSecret: key.api_secret, scopes: wanted, ip }
    return (await issueToken(world.rt, tools.authority, tools.limit, request)).access_token
  }
  const rowOf = async (token: string): Promise<AccessRow> => {
    const [row] = await world.rt.store.read(readAccess, { id: decodeJwt(token).jti ?? '' })
    if (!row) throw new Error('no such token')
    return row
  }
  const refresh = async (token: string) => refreshToken(world.rt, tools, await rowOf(token), ip)
  const revoke = async (bearer: string, options: { token?: string; chain?: boolean } = {}) => {
    const { token = null, chain = false } = options
    return revokeToken(world.rt, tools.authority, await rowOf(bearer), { token, chain })
  }
  const codeOf = (call: Promise<unknown>) =>
    call.then(
      () => 'ok',
      (error: AppError) => error.code,
    )
  const check = (token: string, options: Partial<CheckOptions> = {}) =>
    codeOf(tools.check(token, { ip, counted: false, ...options }))

  test('are refreshed as often as workers ask: 25 at once and more an hour later, and all of them live', async () => {
    const token = await issue()
    const before = await verifyAudit(world.rt, key.accountId)
    const together = await Promise.all(Array.from({ length: 25 }, () => refresh(token)))
    world.clock.advance(hourMs - minuteMs)
    const later = [await refresh(token), await refresh(token)]
    const living = [...together, ...later].map(({ access_token }) => access_token)
    expect(new Set(living.map((one) => decodeJwt(one).jti)).size).toBe(27)
    for (const one of [token, ...living]) expect(await check(one)).toBe('ok')
    expect(await verifyAudit(world.rt, key.accountId)).toEqual(before)
  })

  test('are revoked with everything refreshed from them, and nothing else', async () => {
    const token = await issue()
    const [{ access_token: child }, { access_token: sibling }] = [await refresh(token), await refresh(token)]
    const { access_token: grandchild } = await refresh(child)
    const { access_token: next } = await refresh(grandchild)
    for (const one of [child, grandchild, next, sibling]) expect(await check(one)).toBe('ok')
    await revoke(token, { token: child })
    for (const one of [child, grandchild, next]) expect(await check(one)).toBe('token_revoked')
    for (const one of [token, sibling]) expect(await check(one)).toBe('ok')
    await revoke(token)
    expect(await check(sibling)).toBe('token_revoked')
  })

  test('leave no living descendant when refreshes race the revocation', async () => {
    for (let round = 0; round < 10; round++) {
      const token = await issue()
      const { access_token: child } = await refresh(token)
      const [parentRow, childRow] = [await rowOf(token), await rowOf(child)]
      const made: string[] = []
      const refreshes = [parentRow, childRow, childRow, parentRow].map((row) =>
        refreshToken(world.rt, tools, row, ip).then(({ access_token }) => made.push(access_token)),
      )
      const outcomes = Promise.allSettled(refreshes)
      await revoke(token)
      await outcomes
      for (const one of made) expect(await check(one)).toBe('token_revoked')
      expect(await codeOf(refreshToken(world.rt, tools, childRow, '192.0.2.9'))).toBe('token_revoked')
    }
  })

  test('are kept refreshable for exactly 100 of a chain: the oldest beyond lose refresh alone', async () => {
    const token = await issue()
    const first = await rowOf(token)
    // All of one millisecond: the ids decide.
    const made = []
    for (let index = 1; index < 100; index++) made.push(await refreshToken(world.rt, tools, first, ip))
    expect((await rowOf(token)).refresh_closed_at).toBeNull()
    const { access_token: newest } = await refreshToken(world.rt, tools, first, ip)
    expect((await rowOf(token)).refresh_closed_at).not.toBeNull()
    // Also for a request that read the token before it lost its refresh.
    expect(await codeOf(refreshToken(world.rt, tools, first, ip))).toBe('token_refresh_window_closed')
    expect(await codeOf(refresh(token))).toBe('token_refresh_window_closed')
    expect(await check(token)).toBe('ok')
    expect(await codeOf(refresh(newest))).toBe('ok')
    expect(await codeOf(refresh(made.at(-1)?.access_token ?? ''))).toBe('ok')
  })

  test('are refreshed 600 times a minute and no more', async () => {
    const token = await issue()
    const row = await rowOf(token)
    for (let index = 1; index < 599; index++) await tools.limit.succeeded(key.id)
    expect(await codeOf(refreshToken(world.rt, tools, row, ip))).toBe('ok')
    expect(await codeOf(refreshToken(world.rt, tools, row, ip))).toBe('too_many_attempts')
  })

  test('that are over become 429 for a caller that keeps trying, from that address alone', async () => {
    const token = await issue()
    world.clock.advance(26 * hourMs)
    const row = await rowOf(token)
    const codes = []
    for (let index = 0; index < 12; index++) codes.push(await codeOf(refreshToken(world.rt, tools, row, ip)))
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('token_refresh_window_closed'))
    expect(codes.slice(10)).toEqual(['too_many_attempts', 'too_many_attempts'])
    expect(await codeOf(refreshToken(world.rt, tools, row, '192.0.2.2'))).toBe('token_refresh_window_closed')
  })

  test('are not refreshed once they are revoked, also by a request that read them before', async () => {
    const token = await issue()
    const seen = await rowOf(token)
    const unit = new Unit()
    unit.add(revokeOne, { id: seen.id, now: world.clock.now() })
    await world.rt.store.write(unit)
    expect(await codeOf(refreshToken(world.rt, tools, seen, ip))).toBe('token_revoked')
  })

  test('are not refreshed once their chain is revoked, also by a request that read them before', async () => {
    const token = await issue()
    const seen = await rowOf(token)
    const { access_token: sibling } = await refresh(token)
    await revoke(sibling, { chain: true })
    expect(seen.chain_revoked_at).toBeNull()
    expect(await codeOf(refreshToken(world.rt, tools, seen, ip))).toBe('token_revoked')
  })

  test('have the scopes the key has left, and never more than the token before', async () => {
    const token = await issue(['messages:send', 'messages:read'])
    const [row] = await world.rt.store.read(findApiKeyAnywhere, { id: key.id })
    if (!row) throw new Error('no key')
    const fewer = JSON.stringify(['messages:read', 'analytics:read'])
    await changeKey(world.rt, row, { scopes: fewer }, { action: 'api_key.access_changed', actor: operator })
    const { access_token: successor } = await refresh(token)
    expect(decodeJwt(successor).scope).toBe('messages:read')
    expect((await rowOf(successor)).scopes).toBe('["messages:read"]')
  })

  test('are kept refreshable for exactly 1,000 of a key: the oldest beyond lose refresh alone', async () => {
    const first = await issue()
    const unit = new Unit()
    const chain = { account_id: key.accountId, key_id: key.id, created_at: world.clock.now() }
    // All of one millisecond: the ids decide.
    for (let index = 0; index < 998; index++) unit.add(insertChain, { id: world.rt.newId('fam'), ...chain })
    await world.rt.store.write(unit)
    const thousandth = await issue()
    expect(await world.rt.store.read(openChains, { key_id: key.id })).toEqual([{ open: 1_000 }])
    expect(await codeOf(refresh(first))).toBe('ok')
    await issue()
    expect(await world.rt.store.read(openChains, { key_id: key.id })).toEqual([{ open: 1_000 }])
    expect((await rowOf(first)).chain_refresh_closed_at).not.toBeNull()
    expect(await codeOf(refresh(thousandth))).toBe('ok')
    expect(await check(first)).toBe('ok')
  })

  test('have no power left once they are revoked: nothing else can be revoked with them', async () => {
    const token = await issue()
    const other = await issue()
    const first = await revoke(token)
    world.clock.advance(1_000)
    expect(await revoke(token)).toEqual(first)
    expect(await revoke(token, { chain: true })).toEqual(first)
    expect(await revoke(token, { token: other })).toMatchObject({ revoked: false, token_id: null })
    expect(await check(other)).toBe('ok')
    expect(await revoke(other, { chain: true })).toMatchObject({ revoked: true })
    // A repeat with the token that the first call revoked gets the first answer.
    expect(await revoke(other, { token })).toEqual(first)
  })

  test('revoke as long as they can be refreshed, and no longer', async () => {
    const [early, late] = [await issue(), await issue()]
    world.clock.advance(25 * hourMs)
    expect(await codeOf(revoke(early))).toBe('ok')
    world.clock.advance(1)
    expect(await codeOf(revoke(late))).toBe('token_refresh_window_closed')
    expect((await rowOf(late)).revoked_at).toBeNull()
  })

  test('that are forgotten are still told from forged ones', async () => {
    const token = await issue()
    world.clock.advance(27 * hourMs)
    await expireOldTokens(world.rt)
    await expect(rowOf(token)).rejects.toThrow('no such token')
    expect(await check(token)).toBe('token_expired')
    expect(await check(token, { allowExpired: true })).toBe('token_refresh_window_closed')
    expect(await check(`${token}x`)).toBe('invalid_token')
  })
})
