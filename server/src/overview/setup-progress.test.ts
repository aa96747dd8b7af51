import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import type { Member } from '../access/console-member.ts'
import { createKey } from '../access/keys/create-key.ts'
import { issueToken } from '../access/tokens/issue-token.ts'
import { createTokenAuthority } from '../access/tokens/token-codec.ts'
import { operator } from '../audit/audit.ts'
import { scopes } from '../contract/scopes.ts'
import { createAccount } from '../installation/account.ts'
import { createAttemptLimit } from '../limits/sign-in.ts'
import { insertRequests } from '../store/accounts/request-log.ts'
import { Unit } from '../store/engine/unit.ts'
import { setupProgress } from './describe-home.ts'

describe.each(engines)('the step of the API key on %s', (engine) => {
  let world: TestRuntime
  beforeEach(async () => {
    world = await aRuntime(engine)
  })
  afterEach(() => world.dispose())

  async function anAccountWithKey() {
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(world.rt, input)
    return { accountId: account.id, keyId: row.id, credentials: { apiKey: row.public_key, apiSecret: secret } }
  }

  async function refused(accountId: string, keyId: string, code: string, status = 401): Promise<string> {
    const id = world.rt.newId('req')
    const call = { method: 'POST', route: '/v1/auth/token', duration_ms: 4, body: null, path: null, answer: null }
    const unit = new Unit()
    const at = world.clock.now()
    unit.add(insertRequests, { id, account_id: accountId, key_id: keyId, at, status, code, ...call })
    await world.rt.store.write(unit)
    return id
  }

  async function keyStep(accountId: string) {
    const { steps } = await setupProgress(world.rt, { accountId } as Member)
    const { state, text, refusal } = steps.find(({ id }) => id === 'key') ?? {}
    return { state, text, refusal }
  }

  test('shows the latest call that was turned away, with its cause, until a key is let in', async () => {
    const { accountId, keyId, credentials } = await anAccountWithKey()
    expect(await keyStep(accountId)).toEqual({ state: 'waiting', text: 'Key created, not used yet', refusal: null })

    await refused(accountId, keyId, 'ip_not_allowed', 403)
    world.clock.advance(60_000)
    const id = await refused(accountId, keyId, 'invalid_credentials')
    await refused(accountId, keyId, 'validation_failed', 400)
    expect(await keyStep(accountId)).toEqual({
      state: 'problem',
      text: 'A call had a wrong secret',
      refusal: { code: 'invalid_credentials', at: new Date(world.clock.now()).toISOString(), request_id: id },
    })

    world.clock.advance(60_000)
    const request = { ...credentials, scopes: null, ip: '192.0.2.1' }
    await issueToken(world.rt, createTokenAuthority(world.rt), createAttemptLimit(world.rt), request)
    expect(await keyStep(accountId)).toMatchObject({ state: 'waiting', refusal: null })
  })

  test('says nothing of calls to other accounts', async () => {
    const stranger = await anAccountWithKey()
    const { accountId } = await anAccountWithKey()
    await refused(stranger.accountId, stranger.keyId, 'invalid_credentials')
    expect(await keyStep(accountId)).toMatchObject({ state: 'waiting', refusal: null })
  })
})
