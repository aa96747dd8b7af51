import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '../../server/src/access/console-member.ts'
import { changeAccess, createKeyFor, revokeKeyFor, rotateKeyFor } from '../../server/src/access/keys/console-keys.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { createAccount, renameAccount } from '../../server/src/installation/account.ts'
import { hourMs } from '../../server/src/lib/durations.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { engines } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

const draft = { name: 'Checkout', scopes: ['messages:send' as const] }

describe.each(engines)('two people who change the same thing at the same moment, on %s', (engine) => {
  let world: TestRuntime
  let member: Member

  beforeAll(async () => {
    world = await aRuntime(engine)
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const now = world.clock.now()
    member = {
      sessionId: 'ses_test',
      personId: 'per_1',
      userId: owner.id,
      name: 'Ana Sousa',
      email: 'ana@acme.test',
      role: 'owner',
      accountId: account.id,
      accountName: 'Acme',
      plan: 'free',
      accountStatus: 'active',
      twoFactor: 'off',
      twoFactorRequired: false,
      operator: false,
      confirmedAt: now,
      expiresAt: 0,
      endsAt: now + hourMs,
      extendable: true,
      context: { ip: null, user_agent: null, request_id: null },
    }
  })
  afterAll(() => world.dispose())

  /** Another member is quicker: between the first read and the write of a change. */
  function interruptedBy(other: (rt: Runtime) => Promise<unknown>): Runtime {
    const { rt } = world
    let isDone = false
    const read: typeof rt.store.read = async (query, params) => {
      const rows = await rt.store.read(query, params)
      if (!isDone) {
        isDone = true
        await other(rt)
      }
      return rows
    }
    return { ...rt, store: { ...rt.store, read } }
  }

  const newKey = async () => (await createKeyFor(world.rt, member, draft)).key.id

  test('the second rename of an account is refused, and the first stands', async () => {
    const late = interruptedBy((rt) => renameAccount(rt, member, 'Acme Store'))
    await expect(renameAccount(late, member, 'Acme Shop')).rejects.toMatchObject({ code: 'concurrent_change' })
    expect(await renameAccount(world.rt, member, 'Acme Store')).toMatchObject({ name: 'Acme Store' })
  })

  test.each<[string, (rt: Runtime, id: string) => Promise<unknown>]>([
    ['change', (rt, id) => changeAccess(rt, member, id, { ...draft, name: 'Till' })],
    ['rotation', (rt, id) => rotateKeyFor(rt, member, id)],
    ['revocation', (rt, id) => revokeKeyFor(rt, member, id)],
  ])('a %s of an API key that was changed meanwhile is refused', async (_, act) => {
    const id = await newKey()
    const late = interruptedBy((rt) => changeAccess(rt, member, id, { ...draft, name: 'Warehouse' }))
    await expect(act(late, id)).rejects.toMatchObject({ code: 'concurrent_change' })
    // The member who looks again may do it.
    await act(world.rt, id)
  })
})
