import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { createUser } from '../../server/src/people/create-user.ts'
import { makeEntryLink } from '../../server/src/people/make-entry-link.ts'
import { addOperator } from '../../server/src/people/operators.ts'
import { findUser, findUserByEmail } from '../../server/src/store/accounts/users.ts'
import { operation } from '../../server/src/store/engine/operation.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { appCode } from '../support/console/authenticator.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { password } from '../support/console/console-world.ts'
import { aProvider, clientId, clientSecret, Jar, type Tamper, type TestProvider } from '../support/oidc/a-provider.ts'
import type { EngineName } from '../support/postgres/databases.ts'
import { tokenOfLink } from '../support/setup-link.ts'

type World = { service: ConsoleService; provider: TestProvider }

async function aWorldWithProvider(engine: EngineName, env: Record<string, string> = {}): Promise<World> {
  const provider = await aProvider()
  const service = await aConsoleService(engine, {
    POSTERN_OIDC_ISSUER: provider.issuer,
    POSTERN_OIDC_CLIENT_ID: clientId,
    POSTERN_OIDC_CLIENT_SECRET: clientSecret,
    POSTERN_OIDC_DOMAINS: 'acme.test',
    ...env,
  })
  provider.register(service.url)
  return { service, provider }
}

/** Away to the provider and back; the address of the console that the browser ends at. */
async function signIn({ service, provider }: World, jar: Jar, subject: string, body: object = {}): Promise<string> {
  const callback = await upToCallback({ service, provider }, jar, subject, body)
  const end = await jar.follow(callback, (url) => !url.includes('/oidc/callback'))
  return end.slice(service.url.length)
}

async function upToCallback({ service, provider }: World, jar: Jar, subject: string, body: object = {}) {
  provider.signsInAs = subject
  const started = await jar.call(`${service.url}/console/api/oidc/start`, 'POST', body)
  expect(started.status, JSON.stringify(started.json)).toBe(200)
  return jar.follow(started.json.data.url, (url) => url.includes('/oidc/callback'))
}

const session = async ({ service }: World, jar: Jar) => (await jar.call(`${service.url}/console/api/session`)).json
const invite = async ({ service }: World, email: string, role = 'support') => {
  const { json } = await service.owner.call('POST', '/members', { name: 'Ben Ode', email, role })
  return tokenOfLink(json.data.link)
}

describe.each(['sqlite', 'postgres'] as const)('sign-in by OpenID Connect on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorldWithProvider(engine)
  }, 60_000)
  afterAll(async () => {
    await world?.service.stop()
    await world?.provider.stop()
  })

  test('an invitation links a person once; then the provider opens the console, for 12 hours at most', async () => {
    const { people } = world.provider
    people.set('ben', { email: 'ben@elsewhere.test', email_verified: true, name: 'Ben' })
    expect(await signIn(world, new Jar(), 'ben')).toBe('/?sign_in=unknown')
    const token = await invite(world, 'ben@other.test')
    const jar = new Jar()
    expect(await signIn(world, jar, 'ben', { token })).toBe('/')
    const { data } = await session(world, jar)
    expect(data.user).toMatchObject({ name: 'Ben Ode', email: 'ben@other.test', role: 'support', password: false })
    expect(data.operator).toBe(false)
    const again = new Jar()
    expect(await signIn(world, again, 'ben', { return_to: '/conversations' })).toBe('/conversations')
    const ends = Date.parse((await session(world, again)).data.ends_at) - Date.now()
    expect(ends).toBeLessThanOrEqual(12 * 3_600_000)
    // The invitation is used up.
    expect(await signIn(world, new Jar(), 'ben', { token })).toBe('/?sign_in=rejected')
  })

  test('a verified address in an allowed domain links a member, and never an owner, an operator or a stranger', async () => {
    const { people } = world.provider
    const jar = new Jar()
    const token = await invite(world, 'cleo@acme.test', 'admin')
    const body = { token, name: 'Cleo', email: 'cleo@acme.test', password }
    expect((await jar.call(`${world.service.url}/console/api/setup`, 'POST', body)).status).toBe(200)
    people.set('cleo', { email: 'cleo@acme.test', email_verified: false })
    expect(await signIn(world, new Jar(), 'cleo')).toBe('/?sign_in=unknown')
    people.set('cleo', { email: 'Cleo@Acme.test', email_verified: true })
    const linked = new Jar()
    expect(await signIn(world, linked, 'cleo')).toBe('/')
    expect((await session(world, linked)).data.user).toMatchObject({ role: 'admin', email: 'cleo@acme.test' })
    // Another subject with the same address is another person.
    people.set('cleo-2', { email: 'cleo@acme.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'cleo-2')).toBe('/?sign_in=taken')
    people.set('ana', { email: 'ana@acme.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'ana')).toBe('/?sign_in=privileged')
    people.set('nobody', { email: 'nobody@acme.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'nobody')).toBe('/?sign_in=unknown')
    people.set('far', { email: 'cleo@acme.test.evil.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'far')).toBe('/?sign_in=unknown')
  })

  test('an owner links themselves, and confirms who they are at the provider before what cannot be undone', async () => {
    const { service, provider } = world
    provider.people.set('ana', { email: 'ana@acme.test', email_verified: true })
    const api = `${service.url}/console/api`
    const byPassword = new Jar()
    await byPassword.call(`${api}/sign-in`, 'POST', { email: 'ana@acme.test', password })
    provider.signsInAs = 'ana'
    const away = async (jar: Jar, act: string) => {
      const { json } = await jar.call(`${api}/oidc/${act}`, 'POST', { return_to: '/settings/security' })
      return (
        await jar.follow(json.data.url, (url) => url.startsWith(service.url) && !url.includes('/oidc/callback'))
      ).slice(service.url.length)
    }
    expect(await away(byPassword, 'link')).toBe('/settings/security')
    expect((await session(world, byPassword)).data.user).toMatchObject({ password: true, provider: expect.any(String) })
    const jar = new Jar()
    expect(await signIn(world, jar, 'ana')).toBe('/')
    expect((await session(world, jar)).data).toMatchObject({ user: { role: 'owner' }, operator: true })
    const guest = { name: 'Guest', email: 'guest@acme.test', role: 'viewer' }
    expect((await jar.call(`${api}/members`, 'POST', guest)).json.error.code).toBe('recent_sign_in_required')
    provider.signsInAs = 'ben'
    jar.leave(provider.issuer)
    expect(await away(jar, 'confirm')).toBe('/?sign_in=other_person')
    provider.signsInAs = 'ana'
    jar.leave(provider.issuer)
    expect(await away(jar, 'confirm')).toBe('/settings/security')
    expect((await jar.call(`${api}/members`, 'POST', guest)).status).toBe(201)
    // A person with the password keeps a way in; the link can go.
    expect((await jar.call(`${api}/oidc/link`, 'DELETE')).status).toBe(200)
    expect(await signIn(world, new Jar(), 'ana')).toBe('/?sign_in=privileged')
  })

  test('an operator whom the provider names has no page of the installation without the second factor', async () => {
    const { service, provider } = world
    const { rt } = service.service
    const api = `${service.url}/console/api`
    provider.people.set('olga', { email: 'olga@other.test', email_verified: true, name: 'Olga' })
    const jar = new Jar()
    expect(await signIn(world, jar, 'olga', { token: await invite(world, 'olga@other.test') })).toBe('/')
    const [olga] = await rt.store.read(findUserByEmail, { email: 'olga@other.test' })
    if (!olga) throw new Error('Nobody joined.')
    await addOperator(rt, olga)
    const paths = ['/installation', '/installation/accounts', '/installation/settings', '/installation/audit']
    const codesOf = async (from: Jar) =>
      Promise.all(paths.map(async (path) => (await from.call(`${api}${path}`)).json.error?.code ?? 'ok'))
    const needed = paths.map(() => 'two_factor_setup_required')
    expect(await codesOf(jar)).toEqual(needed)
    // A sign-in at the provider that is as fresh as can be is no second factor either.
    const { json } = await jar.call(`${api}/oidc/confirm`, 'POST', { return_to: '/installation' })
    await jar.follow(json.data.url, (url) => url.startsWith(service.url) && !url.includes('/oidc/callback'))
    expect(await codesOf(jar)).toEqual(needed)
    const other = new Jar()
    expect(await signIn(world, other, 'olga')).toBe('/')

    const { secret } = (await jar.call(`${api}/me/two-factor`, 'POST')).json.data
    const codeAt = (step: number) => ({ code: appCode(secret, Date.now() + step * 30_000) })
    expect((await jar.call(`${api}/me/two-factor/confirm`, 'POST', codeAt(-1))).status).toBe(200)
    expect(await codesOf(jar)).toEqual(paths.map(() => 'ok'))
    expect(await codesOf(other)).toEqual(paths.map(() => 'missing_credentials'))

    // From now on the provider alone opens nothing.
    const next = new Jar()
    expect(await signIn(world, next, 'olga')).toMatch(/code/)
    expect(await codesOf(next)).toEqual(paths.map(() => 'missing_credentials'))
    const wrong = await next.call(`${api}/oidc/code`, 'POST', { code: '000000' })
    expect([wrong.json.error.code, await codesOf(next)]).toEqual([
      'two_factor_code_invalid',
      paths.map(() => 'missing_credentials'),
    ])
    expect((await next.call(`${api}/oidc/code`, 'POST', codeAt(0))).status).toBe(200)
    expect(await codesOf(next)).toEqual(paths.map(() => 'ok'))
  })

  test('a second factor that is turned on while the provider is asked is asked for', async () => {
    const { service, provider } = world
    const { store } = service.service.rt
    provider.people.set('rosa', { email: 'rosa@other.test', email_verified: true, name: 'Rosa' })
    const token = await invite(world, 'rosa@other.test')
    expect(await signIn(world, new Jar(), 'rosa', { token })).toBe('/')
    const [rosa] = await store.read(findUserByEmail, { email: 'rosa@other.test' })
    if (!rosa) throw new Error('Nobody joined.')
    const turnOn = operation({
      name: 'test.turn_on',
      input: { id: 'text' },
      key: ['id'],
      sql: 'update people set two_factor_since = 1 from rows where people.id = rows.id',
    })
    const write = store.write.bind(store)
    const between = vi.spyOn(store, 'write').mockImplementation(async (unit) => {
      if (unit.calls.some(({ operation: { name } }) => name === 'sessions.insert')) {
        await write(unitOf(turnOn, { id: rosa.person_id }))
      }
      return write(unit)
    })
    const jar = new Jar()
    const end = await signIn(world, jar, 'rosa').finally(() => between.mockRestore())
    expect(end).toBe('/?sign_in=rejected')
    expect((await session(world, jar)).error.code).toBe('missing_credentials')
    expect(await signIn(world, new Jar(), 'rosa')).toMatch(/code/)
  })

  test('a renewed link is for a new sign-in: it ends the one before, and no operator has one', async () => {
    const { rt } = world.service.service
    world.provider.people.set('thief', { email: 'thief@elsewhere.test', email_verified: true })
    const setup = { token: await invite(world, 'dora@far.test'), name: 'Dora', email: 'dora@far.test', password }
    expect((await new Jar().call(`${world.service.url}/console/api/setup`, 'POST', setup)).status).toBe(200)
    const [user] = await rt.store.read(findUserByEmail, { email: 'dora@far.test' })
    const renewed = (await world.service.owner.call('POST', `/members/${user?.id}/link`, {})).json.data
    expect(user && (await addOperator(rt, user))).toBe(false)
    expect(await signIn(world, new Jar(), 'thief', { token: tokenOfLink(renewed.link) })).toBe('/')
    const byPassword = { email: 'dora@far.test', password }
    const ended = await new Jar().call(`${world.service.url}/console/api/sign-in`, 'POST', byPassword)
    expect([ended.status, ended.json.error.code]).toEqual([401, 'invalid_credentials'])
  })

  test('an invitation for a person who signs in to another account gives their sign-in to nobody else', async () => {
    const { rt } = world.service.service
    const { account } = await createAccount(rt, { name: 'Other', plan: 'free', actor: operator })
    const eve = { token: await invite(world, 'eve@acme.test'), name: 'Eve', email: 'eve@acme.test', password }
    expect((await new Jar().call(`${world.service.url}/console/api/setup`, 'POST', eve)).status).toBe(200)
    const invitation = { accountId: account.id, name: 'Eve', email: 'eve@acme.test', role: 'support' } as const
    const { user: invited, link } = await createUser(rt, invitation)
    world.provider.people.set('colleague', { email: 'colleague@acme.test', email_verified: true })
    // Of the same allowed domain, but not the address that was invited.
    expect(await signIn(world, new Jar(), 'colleague', { token: tokenOfLink(link) })).toBe('/?sign_in=unknown')
    expect((await rt.store.read(findUser, { id: invited.id }))[0]?.joined_at).toBeNull()
    world.provider.people.set('eve', { email: 'eve@acme.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'eve', { token: tokenOfLink(link) })).toBe('/')
  })
})

describe('what is refused', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorldWithProvider('sqlite')
    world.provider.people.set('ben', { email: 'ben@acme.test', email_verified: true })
    expect(await signIn(world, new Jar(), 'ben', { token: await invite(world, 'ben@acme.test') })).toBe('/')
  }, 60_000)
  afterAll(async () => {
    await world?.service.stop()
    await world?.provider.stop()
  })

  const unsigned = (claims: object) =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
  const tokens: Record<string, Tamper> = {
    'another audience': (claims, sign) => sign({ ...claims, aud: 'another-client' }),
    'another authorised party': (claims, sign) => sign({ ...claims, aud: [clientId, 'another'], azp: 'another' }),
    'another issuer': (claims, sign) => sign({ ...claims, iss: 'https://id.evil.test' }),
    'an expired token': (claims, sign) => sign({ ...claims, iat: 1_700_000_000, exp: 1_700_003_600 }),
    'another nonce': (claims, sign) => sign({ ...claims, nonce: 'of-another-sign-in' }),
    'a token without signature': async (claims) => unsigned(claims),
    'a token signed with the key of another': async (claims) => {
      const { privateKey } = await generateKeyPair('RS256')
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey)
    },
    'a token signed with the secret of the client': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(clientSecret)),
  }
  test.each(Object.entries(tokens))('%s', async (_name, tamper) => {
    const jar = new Jar()
    world.provider.tamper = tamper
    expect(await signIn(world, jar, 'ben')).toBe('/?sign_in=rejected')
    world.provider.tamper = null
    expect((await session(world, jar)).error.code).toBe('missing_credentials')
    expect(await signIn(world, jar, 'ben')).toBe('/')
  })

  test('the state of another browser, and a reply that comes twice', async () => {
    const [mine, theirs] = [new Jar(), new Jar()]
    const callback = await upToCallback(world, mine, 'ben')
    await theirs.call(`${world.service.url}/console/api/oidc/start`, 'POST', {})
    const at = (url: string) => !url.includes('/oidc/callback')
    expect(await theirs.follow(callback, at)).toBe(`${world.service.url}/?sign_in=rejected`)
    expect(world.service.logLines.join('\n')).toContain('"reason":"state_of_another_browser"')
    expect(await mine.follow(callback, at)).toBe(`${world.service.url}/`)
    expect(await mine.follow(callback, at)).toBe(`${world.service.url}/?sign_in=rejected`)
    // The same code in a new sign-in of the same browser: the provider knows that it was used.
    const other = await upToCallback(world, mine, 'ben')
    const stolen = new URL(other)
    stolen.searchParams.set('code', new URL(callback).searchParams.get('code') ?? '')
    expect(await mine.follow(stolen.href, at)).toBe(`${world.service.url}/?sign_in=rejected`)
    expect(world.service.logLines.join('\n')).not.toContain(new URL(callback).searchParams.get('code'))
  })

  test('a return to another site, which leads home instead, and too many starts', async () => {
    const jar = new Jar()
    expect(await signIn(world, jar, 'ben', { return_to: '//evil.test/' })).toBe('/')
    const starts = Array.from({ length: 40 }, () => jar.call(`${world.service.url}/console/api/oidc/start`, 'POST', {}))
    expect((await Promise.all(starts)).map(({ status }) => status)).toContain(429)
  })
})

describe('without passwords', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorldWithProvider('sqlite')
    // The setting is turned off once an owner exists, as an operator does it.
    const { rt } = world.service.service
    Object.assign(rt, { config: { ...rt.config, passwordSignIn: false } })
  }, 60_000)
  afterAll(async () => {
    await world?.service.stop()
    await world?.provider.stop()
  })

  test('a password signs nobody in, and the link of the command line opens the console when the provider is away', async () => {
    const { service, provider } = world
    const jar = new Jar()
    const given = { email: 'ana@acme.test', password }
    const refused = await jar.call(`${service.url}/console/api/sign-in`, 'POST', given)
    expect([refused.status, refused.json.error.code]).toEqual([403, 'password_sign_in_off'])
    const token = await invite(world, 'eve@acme.test')
    const setup = { token, name: 'Eve', email: 'eve@acme.test', password }
    expect((await jar.call(`${service.url}/console/api/setup`, 'POST', setup)).json.error.code).toBe(
      'password_sign_in_off',
    )
    await provider.stop()
    expect((await jar.call(`${service.url}/console/api/oidc/start`, 'POST', {})).json.error.code).toBe(
      'sign_in_provider_unavailable',
    )
    const { rt } = service.service
    const [user] = await rt.store.read(findUserByEmail, { email: 'ana@acme.test' })
    if (!user) throw new Error('no owner')
    const link = tokenOfLink((await makeEntryLink(rt, user)).link)
    const entered = await jar.call(`${service.url}/console/api/setup/enter`, 'POST', { token: link })
    expect(entered.json.data.user.email).toBe('ana@acme.test')
    const twice = await new Jar().call(`${service.url}/console/api/setup/enter`, 'POST', { token: link })
    expect(twice.json.error.code).toBe('setup_link_invalid')
    const audit = JSON.stringify((await jar.call(`${service.url}/console/api/audit`)).json.data)
    expect(audit).toContain('session.entered_by_link')
  })
})
