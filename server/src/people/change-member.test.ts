import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { tokenOfLink } from '../../../test/support/setup-link.ts'
import type { Member } from '../access/console-member.ts'
import { operator } from '../audit/audit.ts'
import type { Role } from '../contract/console/roles.ts'
import { createAccount } from '../installation/account.ts'
import { createSignInLimit } from '../limits/sign-in.ts'
import { changeMemberRole, findUser, type UserRow } from '../store/accounts/users.ts'
import { Unit } from '../store/engine/unit.ts'
import { changePassword, renameSelf } from './change-member.ts'
import { createUser } from './create-user.ts'
import { passwordMatches } from './passwords.ts'
import { resetPassword } from './reset-password.ts'
import { completeSetup } from './setup-owner.ts'

const context = { ip: '192.0.2.1', user_agent: null, request_id: null }
const oldPassword = 'correct horse battery'
const newPassword = 'another horse entirely'

describe.each(engines)('a person on %s', (engine) => {
  let world: TestRuntime
  let user: UserRow
  let email = ''
  let link = ''

  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  beforeEach(async () => {
    const { account } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    email = `ana@${account.id}.test`
    const input = { accountId: account.id, name: 'Ana', email, role: 'admin' as const }
    const made = await createUser(world.rt, input)
    user = await userOf(made.user.id)
    link = made.link
  })
  afterAll(() => world.dispose())

  const setUp = () => {
    const token = tokenOfLink(link)
    const person = { name: 'Ana Sousa', email: '', password: oldPassword, code: null }
    const sourceOf = () => ({ browser: null, ip: '192.0.2.1', addressKnown: true })
    return completeSetup(world.rt, createSignInLimit(world.rt), { token, ...person, context, sourceOf })
  }
  const userOf = async (id: string) => {
    const [found] = await world.rt.store.read(findUser, { id })
    if (!found) throw new Error('The person is gone.')
    return found
  }
  const read = () => userOf(user.id)
  const demote = async (role: Role = 'viewer') => {
    const unit = new Unit()
    unit.add(changeMemberRole, { id: user.id, account_id: user.account_id, role, now: world.clock.now() })
    await world.rt.store.write(unit)
  }
  const member = (): Member => ({
    sessionId: 'ses_1',
    personId: user.person_id,
    userId: user.id,
    name: user.name,
    email: user.email,
    role: 'admin',
    accountId: user.account_id,
    accountName: 'Acme',
    plan: 'free',
    accountStatus: 'active',
    twoFactor: 'off',
    twoFactorRequired: false,
    operator: false,
    confirmedAt: 0,
    expiresAt: 0,
    endsAt: 0,
    extendable: false,
    context,
  })
  const change = () =>
    changePassword(world.rt, createSignInLimit(world.rt), member(), { current: oldPassword, next: newPassword })

  test('keeps the role that was set while the password was being changed', async () => {
    await setUp()
    // Hashing takes some 30 ms: the demotion falls into it.
    const changing = change()
    await demote()
    await changing
    expect(await read()).toMatchObject({ role: 'viewer', name: 'Ana Sousa', email })
    expect(await passwordMatches(world.rt, 'known', newPassword, (await read()).password_hash)).toBe(true)
  })

  test('keeps the role that was set while the link was being used', async () => {
    const joining = setUp()
    await demote()
    await joining
    expect(await read()).toMatchObject({ role: 'viewer', name: 'Ana Sousa', email })
  })

  test('keeps role and password when the name is changed', async () => {
    await setUp()
    const before = await read()
    await renameSelf(world.rt, member(), ' Ana ')
    expect(await read()).toEqual({ ...before, name: 'Ana' })
  })

  test('does not get the password back that an operator ended meanwhile', async () => {
    await setUp()
    const changing = change()
    await resetPassword(world.rt, await read())
    await expect(changing).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await read()).toMatchObject({ password_hash: null, role: 'admin' })
  })

  test('keeps the role that was set between the reading and the reset of the password', async () => {
    await setUp()
    const seen = await read()
    await demote()
    await resetPassword(world.rt, seen)
    expect(await read()).toMatchObject({ password_hash: null, role: 'viewer' })
  })
})
