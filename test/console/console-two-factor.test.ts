import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resetPassword } from '../../server/src/people/reset-password.ts'
import { resetTwoFactor } from '../../server/src/people/reset-two-factor.ts'
import { findUserByEmail } from '../../server/src/store/accounts/users.ts'
import { appCode } from '../support/console/authenticator.ts'
import {
  addAccount,
  aMember,
  anOwner,
  aVisitor,
  type ConsoleWorld,
  password,
  type Reply,
  startConsole,
  type Visitor,
} from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { tokenOfLink } from '../support/setup-link.ts'

const stepMs = 30_000
const email = 'ana@acme.test'
const codeOf = ({ status, json }: Reply) => [status, json.error?.code ?? 'ok']

/** The addresses that `x-forwarded-for` names are those of the visitors. */
const behindProxy = () => startConsole('sqlite', { POSTERN_TRUST_PROXY: '127.0.0.1' })

describe.each(engines)('two-factor sign-in on %s', (engine) => {
  let world: ConsoleWorld
  let owner: Visitor
  beforeAll(async () => {
    world = await startConsole(engine)
    owner = await anOwner(world)
  })
  afterAll(() => world.dispose())

  const signIn = (code?: string, who = email, by: Visitor = aVisitor(world)) =>
    by.call('POST', '/sign-in', { email: who, password, ...(code === undefined ? {} : { code }) })
  const appNow = (secret: string) => appCode(secret, world.clock.now())
  const lastActions = async (count: number) => {
    const { json } = await owner.call('GET', '/audit?limit=100')
    return json.data.entries.slice(0, count).map(({ action }: { action: string }) => action)
  }

  /** Switches it on, and moves on to the next code. */
  async function switchOn(visitor: Visitor): Promise<{ secret: string; recovery: string[] }> {
    await visitor.call('POST', '/confirm', { password })
    const begun = await visitor.call('POST', '/me/two-factor')
    const { secret } = begun.json.data
    const confirmed = await visitor.call('POST', '/me/two-factor/confirm', { code: appNow(secret) })
    expect(codeOf(confirmed)).toEqual([200, 'ok'])
    world.clock.advance(stepMs)
    return { secret, recovery: confirmed.json.data.recovery_codes }
  }
  async function switchOff(visitor: Visitor, secret: string): Promise<void> {
    const off = await visitor.call('POST', '/me/two-factor/off', { password, code: appNow(secret) })
    expect(codeOf(off)).toEqual([200, 'ok'])
    world.clock.advance(stepMs)
  }

  test('is set up with a fresh password and a first code, and ends the other sessions of the person', async () => {
    const elsewhere = aVisitor(world)
    await signIn(undefined, email, elsewhere)
    world.clock.advance(6 * 60_000)
    expect(codeOf(await owner.call('POST', '/me/two-factor'))).toEqual([403, 'recent_sign_in_required'])
    await owner.call('POST', '/confirm', { password })
    const begun = (await owner.call('POST', '/me/two-factor')).json.data
    expect(begun.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.uri).toBe(
      `otpauth://totp/Postern:ana%40acme.test?secret=${begun.secret}&issuer=Postern&algorithm=SHA1&digits=6&period=30`,
    )
    // A secret that no code has confirmed asks nobody for one.
    expect(codeOf(await signIn())).toEqual([200, 'ok'])
    const wrong = await owner.call('POST', '/me/two-factor/confirm', { code: '000000' })
    expect(codeOf(wrong)).toEqual([401, 'two_factor_code_invalid'])
    const code = appNow(begun.secret)
    const { recovery_codes: recovery } = (await owner.call('POST', '/me/two-factor/confirm', { code })).json.data
    expect(new Set(recovery).size).toBe(10)
    expect(recovery.every((one: string) => /^[2-9a-z]{5}-[2-9a-z]{5}$/.test(one))).toBe(true)
    expect((await owner.call('GET', '/session')).json.data.user.two_factor).toBe('on')
    expect((await elsewhere.call('GET', '/session')).status).toBe(401)
    expect(codeOf(await owner.call('POST', '/me/two-factor'))).toEqual([400, 'two_factor_already_on'])
    // The code that switched it on is spent.
    expect(codeOf(await signIn(code))).toEqual([401, 'two_factor_code_invalid'])
    expect(await lastActions(2)).toEqual(['two_factor.code_refused', 'two_factor.switched_on'])
    world.clock.advance(stepMs)
    await switchOff(owner, begun.secret)
  })

  test('asks for the code after the right password only, and takes each code once', async () => {
    const { secret } = await switchOn(owner)
    const guessed = { email, password: 'wrong wrong wrong' }
    const withoutCode = await aVisitor(world).call('POST', '/sign-in', guessed)
    const withCode = await aVisitor(world).call('POST', '/sign-in', { ...guessed, code: appNow(secret) })
    expect([codeOf(withoutCode), codeOf(withCode)]).toEqual(Array(2).fill([401, 'invalid_credentials']))
    expect(withCode.json.error.message).toBe(withoutCode.json.error.message)

    const visitor = aVisitor(world)
    expect(codeOf(await signIn(undefined, email, visitor))).toEqual([401, 'two_factor_required'])
    expect(visitor.cookie).toBe('')
    const code = appNow(secret)
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(codeOf(await signIn(spaced, email, visitor))).toEqual([200, 'ok'])
    const replayed = await signIn(code)
    expect(codeOf(replayed)).toEqual([401, 'two_factor_code_invalid'])
    expect(replayed.json.error.message).toContain('already used')
    // Nor does an older one work that was still good a moment ago.
    expect(codeOf(await signIn(appCode(secret, world.clock.now() - stepMs)))).toEqual([401, 'two_factor_code_invalid'])
    world.clock.advance(stepMs)
    await switchOff(owner, secret)
  })

  test('takes a clock that is one step off, not two, and one of many requests with the same code', async () => {
    const { secret } = await switchOn(owner)
    world.clock.advance(10 * stepMs)
    const at = (steps: number) => appCode(secret, world.clock.now() + steps * stepMs)
    expect(codeOf(await signIn(at(-2)))).toEqual([401, 'two_factor_code_invalid'])
    expect(codeOf(await signIn(at(2)))).toEqual([401, 'two_factor_code_invalid'])
    expect(codeOf(await signIn(at(-1)))).toEqual([200, 'ok'])
    const answers = await Promise.all([signIn(at(0)), signIn(at(0))])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(codeOf(await signIn(at(1)))).toEqual([200, 'ok'])
    world.clock.advance(2 * stepMs)
    await switchOff(owner, secret)
  })

  test('takes a recovery code instead, once, and leaves a line about it', async () => {
    const { secret, recovery } = await switchOn(owner)
    const [first = '', second = ''] = recovery
    expect(codeOf(await signIn(first.toUpperCase()))).toEqual([200, 'ok'])
    expect(await lastActions(2)).toEqual(['two_factor.recovery_code_used', 'session.signed_in'])
    expect(codeOf(await signIn(first))).toEqual([401, 'two_factor_code_invalid'])
    expect((await owner.call('GET', '/me/two-factor')).json.data.recovery_codes_left).toBe(9)
    const renewed = await owner.call('POST', '/me/two-factor/recovery-codes', { password, code: appNow(secret) })
    world.clock.advance(stepMs)
    expect((await owner.call('GET', '/me/two-factor')).json.data.recovery_codes_left).toBe(10)
    expect(codeOf(await signIn(second))).toEqual([401, 'two_factor_code_invalid'])
    expect(codeOf(await signIn(renewed.json.data.recovery_codes[0].replace('-', '')))).toEqual([200, 'ok'])
    await switchOff(owner, secret)
    expect((await owner.call('GET', '/me/two-factor')).json.data).toEqual({ since: null, recovery_codes_left: 0 })
  })

  test('is switched off with the password and a code, never with one of them', async () => {
    const { secret } = await switchOn(owner)
    const off = (given: object) => owner.call('POST', '/me/two-factor/off', given)
    expect(codeOf(await off({ password: 'wrong wrong wrong', code: appNow(secret) }))).toEqual([
      401,
      'invalid_credentials',
    ])
    expect(codeOf(await off({ password, code: '000000' }))).toEqual([401, 'two_factor_code_invalid'])
    expect(codeOf(await off({ password }))).toEqual([400, 'validation_failed'])
    const own = await owner.call('POST', `/members/${world.ownerId}/link`)
    expect(codeOf(own)).toEqual([403, 'insufficient_role'])
    expect((await owner.call('GET', '/session')).json.data.user.two_factor).toBe('on')
    await switchOff(owner, secret)
    expect(await lastActions(1)).toEqual(['two_factor.switched_off'])
    expect(codeOf(await signIn())).toEqual([200, 'ok'])
    expect(codeOf(await off({ password, code: '000000' }))).toEqual([400, 'two_factor_not_on'])
  })

  test('gives new recovery codes for the password and a code, never for one of them', async () => {
    const { secret, recovery } = await switchOn(owner)
    const renew = (given?: object) => owner.call('POST', '/me/two-factor/recovery-codes', given)
    await owner.call('POST', '/confirm', { password })
    expect(codeOf(await renew())).toEqual([400, 'validation_failed'])
    expect(codeOf(await renew({ password }))).toEqual([400, 'validation_failed'])
    expect(codeOf(await renew({ password, code: '000000' }))).toEqual([401, 'two_factor_code_invalid'])
    const wrong = { password: 'wrong wrong wrong', code: appNow(secret) }
    expect(codeOf(await renew(wrong))).toEqual([401, 'invalid_credentials'])
    expect(await lastActions(2)).toEqual(['session.confirmation_failed', 'two_factor.code_refused'])
    // Nothing was replaced: the codes of before still work, also for this.
    const renewed = await renew({ password, code: recovery[0] })
    expect(codeOf(renewed)).toEqual([200, 'ok'])
    expect(await lastActions(2)).toEqual(['two_factor.recovery_code_used', 'two_factor.recovery_codes_renewed'])
    // A code of the app is spent by it, as by a sign-in.
    const once = { password, code: appNow(secret) }
    expect(codeOf(await renew(once))).toEqual([200, 'ok'])
    expect(codeOf(await renew(once))).toEqual([401, 'two_factor_code_invalid'])
    world.clock.advance(stepMs)
    expect((await owner.call('GET', '/me/two-factor')).json.data.recovery_codes_left).toBe(10)
    expect(codeOf(await signIn(recovery[1]))).toEqual([401, 'two_factor_code_invalid'])
    await switchOff(owner, secret)
    expect(codeOf(await renew({ password, code: '000000' }))).toEqual([400, 'two_factor_not_on'])
  })

  test('stays when the password is reset, and is asked for behind the link', async () => {
    const { secret } = await switchOn(owner)
    const [user] = await world.rt.store.read(findUserByEmail, { email })
    if (!user) throw new Error('The owner is gone.')
    const token = tokenOfLink((await resetPassword(world.rt, user)).link)
    const visitor = aVisitor(world)
    expect((await visitor.call('POST', '/setup/lookup', { token })).json.data.two_factor).toBe(true)
    const setup = (code?: string) =>
      visitor.call('POST', '/setup', { token, name: 'Ana Sousa', email, password, ...(code ? { code } : {}) })
    expect(codeOf(await setup())).toEqual([401, 'two_factor_required'])
    expect(codeOf(await setup('000000'))).toEqual([401, 'two_factor_code_invalid'])
    expect(codeOf(await setup(appNow(secret)))).toEqual([200, 'ok'])
    owner = visitor
    world.clock.advance(stepMs)
    expect(codeOf(await signIn())).toEqual([401, 'two_factor_required'])
    await switchOff(owner, secret)
  })

  test('ends with a new link of an owner for a member who lost it, or by the operator; the member is signed out', async () => {
    await owner.call('POST', '/confirm', { password })
    const developer = await aMember(world, 'developer')
    const who = 'developer@acme.test'
    await switchOn(developer)
    const { json } = await owner.call('GET', '/members')
    const member = json.data.members.find((one: { email: string }) => one.email === who)
    expect(member.two_factor).toBe(true)
    expect(codeOf(await developer.call('POST', `/members/${member.id}/link`))).toEqual([403, 'insufficient_role'])
    const { link, member: invited } = (await owner.call('POST', `/members/${member.id}/link`)).json.data
    expect(invited).toMatchObject({ id: member.id, status: 'invited', two_factor: false })
    expect(await lastActions(1)).toEqual(['member.link_renewed'])
    expect((await developer.call('GET', '/session')).status).toBe(401)
    const joining = { token: tokenOfLink(link), name: 'Dev', email: who, password: 'another horse entirely' }
    expect(codeOf(await developer.call('POST', '/setup', joining))).toEqual([200, 'ok'])

    await switchOn(developer)
    const [user] = await world.rt.store.read(findUserByEmail, { email: who })
    if (user) await resetTwoFactor(world.rt, user)
    const again = { email: who, password: 'another horse entirely' }
    expect(codeOf(await aVisitor(world).call('POST', '/sign-in', again))).toEqual([200, 'ok'])
  })

  test('can be required: members without set it up at the next sign-in, and reach nothing before', async () => {
    const support = await aMember(world, 'support')
    const who = 'support@acme.test'
    world.clock.advance(1_000)
    await owner.call('POST', '/confirm', { password })
    expect(codeOf(await support.call('PUT', '/account/two-factor', { required: true }))).toEqual([
      403,
      'insufficient_role',
    ])
    expect(codeOf(await owner.call('PUT', '/account/two-factor', { required: true }))).toEqual([200, 'ok'])
    expect(await lastActions(1)).toEqual(['account.two_factor_required'])
    // Nobody is stopped in the middle of something.
    expect(codeOf(await support.call('GET', '/members'))).toEqual([403, 'insufficient_role'])
    expect(codeOf(await support.call('GET', '/limits'))).toEqual([200, 'ok'])

    const session = await signIn(undefined, who, support)
    expect(session.json.data).toMatchObject({
      user: { two_factor: 'setup_required' },
      account: { two_factor_required: true },
    })
    for (const path of ['/limits', '/conversations', '/sessions', '/account']) {
      expect(codeOf(await support.call('GET', path)), path).toEqual([403, 'two_factor_setup_required'])
    }
    const { secret } = await switchOn(support)
    expect(codeOf(await support.call('GET', '/limits'))).toEqual([200, 'ok'])
    // Another phone: off, and at once on again.
    await switchOff(support, secret)
    expect(codeOf(await support.call('GET', '/limits'))).toEqual([403, 'two_factor_setup_required'])
    await switchOn(support)
    expect(codeOf(await owner.call('PUT', '/account/two-factor', { required: false }))).toEqual([200, 'ok'])
    expect((await owner.call('GET', '/session')).json.data.account.two_factor_required).toBe(false)
  })
})

describe('guessing a code', () => {
  test('is slowed down like guessing a password, and giving the password again does not start anew', async () => {
    const world = await behindProxy()
    try {
      const owner = await anOwner(world)
      const { secret } = (await owner.call('POST', '/me/two-factor')).json.data
      await owner.call('POST', '/me/two-factor/confirm', { code: appCode(secret, world.clock.now()) })
      world.clock.advance(stepMs)
      const visitor = aVisitor(world)
      const guess = (given: object, headers = {}) =>
        visitor.call('POST', '/sign-in', { email, password, ...given }, headers)
      const codes: string[] = []
      for (let tries = 0; tries < 6; tries++) {
        const asked = await guess({})
        const guessed = await guess({ code: '000000' })
        codes.push(`${codeOf(asked)[1]} ${codeOf(guessed)[1]}`)
      }
      const refused = 'two_factor_required two_factor_code_invalid'
      expect(codes).toEqual([...Array(5).fill(refused), 'too_many_attempts too_many_attempts'])
      // From another address the password is asked for anew, and the code waits all the same.
      const elsewhere = { 'x-forwarded-for': '198.51.100.7' }
      const code = appCode(secret, world.clock.now())
      expect(codeOf(await guess({ code }, elsewhere))).toEqual([429, 'too_many_attempts'])
      world.clock.advance(1_000)
      expect(codeOf(await guess({ code }))).toEqual([200, 'ok'])
      expect(world.logLines.join('\n')).not.toContain(secret)
    } finally {
      await world.dispose()
    }
  })

  test('behind a reset link is slowed down for a guesser who signed in here with another account', async () => {
    const world = await behindProxy()
    try {
      const owner = await anOwner(world)
      const { secret } = (await owner.call('POST', '/me/two-factor')).json.data
      await owner.call('POST', '/me/two-factor/confirm', { code: appCode(secret, world.clock.now()) })
      world.clock.advance(stepMs)
      const [user] = await world.rt.store.read(findUserByEmail, { email })
      if (!user) throw new Error('The owner is gone.')
      const token = tokenOfLink((await resetPassword(world.rt, user)).link)

      const theirs = 'mallory@elsewhere.test'
      await anOwner({ ...world, ...(await addAccount(world.rt, 'elsewhere.test')) }, theirs)
      const guess = async (code: string, ip: string) => {
        // Every sign-in of the guesser makes another browser of theirs known.
        const guesser = aVisitor(world)
        const known = await guesser.call('POST', '/sign-in', { email: theirs, password }, { 'x-forwarded-for': ip })
        const browser = known.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-browser=')) ?? ''
        const headers = { cookie: browser.split(';', 1)[0] ?? '', 'x-forwarded-for': ip }
        const setup = { token, name: 'Ana Sousa', email: theirs, password, code }
        return codeOf(await aVisitor(world).call('POST', '/setup', setup, headers))[1]
      }
      const codes: unknown[] = []
      for (let tries = 0; tries < 7; tries++) codes.push(await guess('000000', `198.51.100.${tries}`))
      expect(codes).toEqual([...Array(5).fill('two_factor_code_invalid'), ...Array(2).fill('too_many_attempts')])
      expect(await guess(appCode(secret, world.clock.now()), '198.51.100.99')).toBe('too_many_attempts')
    } finally {
      await world.dispose()
    }
  })
})
