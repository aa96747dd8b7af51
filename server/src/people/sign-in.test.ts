import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appCode } from '../../../test/support/console/authenticator.ts'
import { engines } from '../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../test/support/runtime.ts'
import { tokenOfLink } from '../../../test/support/setup-link.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import type { Member } from '../access/console-member.ts'
import { operator } from '../audit/audit.ts'
import { createAccount } from '../installation/account.ts'
import { createSignInLimit, type SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { lastAudit } from '../store/accounts/audit-log.ts'
import { findUser, findUserByEmail, type UserRow } from '../store/accounts/users.ts'
import { changePassword } from './change-member.ts'
import { createUser } from './create-user.ts'
import { resetPassword } from './reset-password.ts'
import { resetTwoFactor } from './reset-two-factor.ts'
import { describeSessions, findMember } from './sessions.ts'
import { completeSetup } from './setup-owner.ts'
import { signIn } from './sign-in.ts'
import { beginSetup, switchOn } from './switch-two-factor.ts'

const context = { ip: '192.0.2.1', user_agent: null, request_id: null }
const source = { browser: null, ip: '192.0.2.1', addressKnown: true }
const sourceOf = () => source
const oldPassword = 'correct horse battery'
const newPassword = 'another horse entirely'
const stepMs = 30_000

describe.each(engines)('what a person changes while someone signs in as them, on %s,', (engine) => {
  let world: TestRuntime
  let limit: SignInLimit
  let user: UserRow
  let ana: Member

  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  beforeEach(async () => {
    limit = createSignInLimit(world.rt)
    const { account } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const person = { accountId: account.id, name: 'Ana', email: `ana@${account.id}.test`, role: 'admin' as const }
    const made = await createUser(world.rt, person)
    ana = await memberOf(await useLink(made.link, oldPassword))
    const [joined] = await world.rt.store.read(findUser, { id: made.user.id })
    if (!joined) throw new Error('Nobody joined.')
    user = joined
  })
  afterAll(() => world.dispose())

  const useLink = (link: string, password: string, code: string | null = null, rt = world.rt) =>
    completeSetup(rt, limit, { token: tokenOfLink(link), name: 'Ana', email: '', password, code, context, sourceOf })
  const enter = (rt: Runtime, code: string | null = null) =>
    signIn(rt, limit, { email: user.email ?? '', password: oldPassword, code, context, source, replaces: null })
  const change = () => changePassword(world.rt, limit, ana, { current: oldPassword, next: newPassword })
  const openSessions = async () => (await describeSessions(world.rt, ana, 'all')).map(({ id }) => id)
  const auditedLines = async () => (await world.rt.store.read(lastAudit, { account_id: user.account_id }))[0]?.seq ?? 0

  async function memberOf(token: string): Promise<Member> {
    const member = await findMember(world.rt, token, context)
    if (!member) throw new Error('Nobody holds this session.')
    return member
  }

  /** Switches it on, and moves on to the next code. */
  async function switchOnSecond(): Promise<string> {
    const { secret } = await beginSetup(world.rt, ana)
    await switchOn(world.rt, ana, appCode(secret, world.clock.now()))
    world.clock.advance(stepMs)
    return secret
  }

  /** On another node, right after this one has read the person: checking or hashing a password takes 50 ms from then. */
  function interruptedBy(other: () => Promise<unknown>): Runtime {
    const { rt } = world
    let isDone = false
    const read: typeof rt.store.read = async (query, params) => {
      const rows = await rt.store.read(query, params)
      if (!isDone && [findUser.name, findUserByEmail.name].includes(query.name)) {
        isDone = true
        await other()
      }
      return rows
    }
    return { ...rt, store: { ...rt.store, read } }
  }

  test('a changed password: the old one is wrong, and leaves no session', async () => {
    const before = await auditedLines()
    const entering = enter(interruptedBy(change))
    await expect(entering).rejects.toMatchObject({
      code: 'invalid_credentials',
      message: 'Email or password is wrong.',
    })
    expect(await openSessions()).toEqual([ana.sessionId])
    // The change, then the refusal, whose line nobody waits for.
    await waitFor(async () => (await auditedLines()) === before + 2)
    await expect(enter(world.rt)).rejects.toMatchObject({ code: 'invalid_credentials' })
  })

  test('a password that the operator reset: the old one leaves no session', async () => {
    const entering = enter(interruptedBy(() => resetPassword(world.rt, user)))
    await expect(entering).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await openSessions()).toEqual([])
  })

  test('a second factor switched on: the password alone leaves no session', async () => {
    const entering = enter(interruptedBy(switchOnSecond))
    await expect(entering).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await openSessions()).toEqual([ana.sessionId])
  })

  test('a second factor that was reset: a code of the lost phone leaves no session', async () => {
    const code = appCode(await switchOnSecond(), world.clock.now())
    const [guarded] = await world.rt.store.read(findUser, { id: user.id })
    if (!guarded) throw new Error('The person is gone.')
    const entering = enter(
      interruptedBy(() => resetTwoFactor(world.rt, guarded)),
      code,
    )
    await expect(entering).rejects.toMatchObject({ code: 'invalid_credentials' })
    expect(await openSessions()).toEqual([])
  })

  test('a second factor switched on: a link asks for a code, and is not spent before it has one', async () => {
    const secrets: string[] = []
    const { link } = await resetPassword(world.rt, user)
    const late = interruptedBy(async () => {
      secrets.push(await switchOnSecond())
    })
    await expect(useLink(link, newPassword, null, late)).rejects.toMatchObject({ code: 'two_factor_required' })
    expect(await openSessions()).toEqual([])
    const token = await useLink(link, newPassword, appCode(secrets[0] ?? '', world.clock.now()))
    expect(await openSessions()).toEqual([(await memberOf(token)).sessionId])
  })

  test('nothing: the session stays', async () => {
    const { sessionId } = await memberOf(await enter(world.rt))
    expect((await openSessions()).sort()).toEqual([ana.sessionId, sessionId].sort())
  })
})
