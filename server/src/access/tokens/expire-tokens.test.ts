import { describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime } from '../../../../test/support/runtime.ts'
import { operator } from '../../audit/audit.ts'
import { scopes } from '../../contract/scopes.ts'
import { createAccount } from '../../installation/account.ts'
import { hourMs } from '../../lib/durations.ts'
import { createAttemptLimit } from '../../limits/sign-in.ts'
import { query } from '../../store/engine/operation.ts'
import { createKey } from '../keys/create-key.ts'
import { issueToken } from './issue-token.ts'
import { expireOldTokens } from './token-chain.ts'
import { createTokenAuthority, rotateSigningKeyByAge } from './token-codec.ts'

const counts = query({
  name: 'test.counts',
  params: {},
  returns: { tokens: 'int', chains: 'int', links: 'int' },
  sql: `select (select count(*) from tokens) as tokens, (select count(*) from token_chains) as chains,
          (select count(*) from setup_links) as links`,
})
const signingKeys = query({
  name: 'test.signing_keys',
  params: {},
  returns: { status: 'text' },
  sql: 'select status from signing_keys order by status',
})

describe.each(engines)('what can no longer be used, on %s,', (engine) => {
  test('is forgotten, and what can still be refreshed is kept', async () => {
    const { rt, clock, dispose } = await aRuntime(engine)
    const { account, owner } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(rt, input)
    const request = { apiKey: row.public_key, apiSecret: secret, scopes: null, ip: '127.0.0.1' }
    const issue = () => issueToken(rt, createTokenAuthority(rt), createAttemptLimit(rt), request)
    await issue()
    clock.advance(25 * hourMs)
    await issue()
    await expireOldTokens(rt)
    expect(await rt.store.read(counts, {})).toEqual([{ tokens: 2, chains: 2, links: 0 }])
    clock.advance(2 * hourMs)
    await expireOldTokens(rt)
    expect(await rt.store.read(counts, {})).toEqual([{ tokens: 1, chains: 1, links: 0 }])
    await dispose()
  })

  test('signs no more: after 90 days a new signing key begins, and the old one verifies on', async () => {
    const { rt, clock, dispose } = await aRuntime(engine)
    await createTokenAuthority(rt).verify('none')
    await rotateSigningKeyByAge(rt)
    expect(await rt.store.read(signingKeys, {})).toEqual([{ status: 'active' }])
    clock.advance(90 * 24 * hourMs + 1)
    await rotateSigningKeyByAge(rt)
    expect(await rt.store.read(signingKeys, {})).toEqual([{ status: 'active' }, { status: 'retired' }])
    await dispose()
  })
})
