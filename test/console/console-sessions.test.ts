import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { hourMs } from '../../server/src/lib/durations.ts'
import { createSignInLimit } from '../../server/src/limits/sign-in.ts'
import { signIn } from '../../server/src/people/sign-in.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import {
  aMember,
  anOwner,
  aVisitor,
  type ConsoleWorld,
  password,
  sharedConsole,
  startConsole,
  type Visitor,
} from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

const aConsole = sharedConsole()
const emailIn = ({ domain }: ConsoleWorld) => `ana@${domain}`

describe.each(engines)('sessions on %s', (engine) => {
  test('begin through a one-time link that works once', async () => {
    const world = await aConsole(engine)
    const token = tokenOfLink(await world.ownerLink())
    const setup = { token, name: 'Ana Sousa', email: 'Ana@Acme.test', password }
    const visitor = aVisitor(world)
    expect((await visitor.call('POST', '/setup/lookup', { token })).json.data).toMatchObject({
      purpose: 'owner',
      account_name: 'Acme Store',
      email: null,
    })
    const first = await visitor.call('POST', '/setup', setup)
    expect(first.json.data.user).toMatchObject({ name: 'Ana Sousa', email: 'ana@acme.test', role: 'owner' })
    const again = await aVisitor(world).call('POST', '/setup', setup)
    expect([again.status, again.json.error.code]).toEqual([401, 'setup_link_invalid'])
    expect((await visitor.call('GET', '/session')).status).toBe(200)
  })

  test('are gone at once when they are revoked, for the person who holds them', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const elsewhere = aVisitor(world)
    await elsewhere.call('POST', '/sign-in', { email: emailIn(world), password })
    const { json } = await owner.call('GET', '/sessions')
    const other = json.data.sessions.find(({ current }: { current: boolean }) => !current)
    expect((await owner.call('DELETE', `/sessions/${other.id}`)).status).toBe(200)
    expect((await elsewhere.call('GET', '/session')).json.error.code).toBe('missing_credentials')
    expect((await owner.call('GET', '/session')).status).toBe(200)
  })

  test('end with the role they began with, and removed people are out', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const { json } = await owner.call('GET', '/members')
    const { id } = json.data.members.find(({ role }: { role: string }) => role === 'developer')
    expect((await owner.call('PUT', `/members/${id}`, { role: 'viewer' })).json.data.role).toBe('viewer')
    expect((await developer.call('GET', '/session')).status).toBe(401)
    expect((await owner.call('DELETE', `/members/${id}`)).status).toBe(200)
    const gone = await developer.call('POST', '/sign-in', { email: `developer@${world.domain}`, password })
    expect(gone.json.error.code).toBe('invalid_credentials')
  })

  test('leave an account with an owner who can sign in', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const removed = await owner.call('DELETE', `/members/${world.ownerId}`)
    const demoted = await owner.call('PUT', `/members/${world.ownerId}`, { role: 'viewer' })
    expect([removed, demoted].map(({ status, json }) => [status, json.error.code])).toEqual(
      Array(2).fill([403, 'last_owner']),
    )
    expect((await owner.call('GET', '/session')).json.data.user.role).toBe('owner')
  })
})

describe('the session cookie', () => {
  let world: ConsoleWorld
  beforeAll(async () => {
    world = await aConsole()
    await anOwner(world)
  })
  async function signedIn(): Promise<Visitor> {
    const visitor = aVisitor(world)
    await visitor.call('POST', '/sign-in', { email: emailIn(world), password })
    return visitor
  }

  test('is bound to the host, hidden from scripts, and never sent by other sites', async () => {
    const { headers } = await aVisitor(world).call('POST', '/sign-in', { email: emailIn(world), password })
    const [cookie] = headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; Max-Age=604800; Secure; HttpOnly; SameSite=Lax$/)
  })

  test('is stored as a hash only', async () => {
    const owner = await signedIn()
    const token = owner.cookie.split('=')[1] ?? ''
    expect(token).toHaveLength(43)
    expect(world.logLines.join('\n')).not.toContain(token)
    const sessions = JSON.stringify((await owner.call('GET', '/sessions')).json)
    expect(sessions).not.toContain(token)
  })

  test('is new at every sign-in, and the one before it ends', async () => {
    const owner = await signedIn()
    const before = owner.cookie
    await owner.call('POST', '/sign-in', { email: emailIn(world), password })
    expect(owner.cookie).not.toBe(before)
    const old = aVisitor(world)
    old.cookie = before
    expect((await old.call('GET', '/session')).status).toBe(401)
  })

  test('dies after 12 idle hours, and after 7 days whatever happens', async () => {
    const idle = await signedIn()
    const busy = await signedIn()
    for (let hour = 0; hour < 24 * 7 - 1; hour += 6) {
      world.clock.advance(6 * hourMs)
      const { status } = await busy.call('GET', '/session')
      expect(status, `after ${hour + 6} hours`).toBe(hour + 6 < 24 * 7 ? 200 : 401)
      if (hour === 6) expect((await idle.call('GET', '/session')).status).toBe(401)
    }
  })

  test('says whether anything can put its end off: not on its last day', async () => {
    const owner = await signedIn()
    const session = async () => (await owner.call('GET', '/session')).json.data
    expect((await session()).extendable).toBe(true)
    for (let hour = 0; hour < 24 * 6 + 18; hour += 6) {
      world.clock.advance(6 * hourMs)
      await session()
    }
    const last = await session()
    expect(last.extendable).toBe(false)
    world.clock.advance(hourMs)
    expect((await session()).ends_at).toBe(last.ends_at)
  })

  test('is not kept alive by a page that nobody looks at', async () => {
    const owner = await signedIn()
    world.clock.advance(8 * hourMs)
    await owner.call('GET', '/session', undefined, { 'x-postern-idle': '1' })
    world.clock.advance(5 * hourMs)
    expect((await owner.call('GET', '/session')).status).toBe(401)
  })

  test('is cleared by signing out', async () => {
    const owner = await signedIn()
    const before = owner.cookie
    await owner.call('POST', '/sign-out')
    expect(owner.cookie).toBe('__Host-session=')
    owner.cookie = before
    expect((await owner.call('GET', '/session')).status).toBe(401)
  })
})

describe('a request that another site makes', () => {
  let world: ConsoleWorld
  let owner: Visitor
  beforeAll(async () => {
    world = await aConsole()
    owner = await anOwner(world)
  })
  const changes = ['/sign-out', '/keys', '/members', '/sessions/revoke-others']

  test.each(changes)('changes nothing at %s, whatever it claims', async (path) => {
    const lies: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': '', origin: 'http://evil.test' },
    ]
    for (const headers of lies) {
      const { status, json } = await owner.call('POST', path, {}, headers)
      expect([status, json.error.code], JSON.stringify(headers)).toEqual([403, 'cross_site_request'])
    }
    expect((await owner.call('GET', '/session')).status).toBe(200)
  })

  test('passes from an old browser only when its Origin is this host', async () => {
    const post = (headers: Record<string, string>) =>
      fetch(`${world.url}/console/api/sessions/revoke-others`, {
        method: 'POST',
        headers: { cookie: owner.cookie, 'content-type': 'application/json', ...headers },
      })
    expect((await post({ origin: world.url })).status).toBe(200)
    expect((await post({ origin: 'http://evil.test' })).status).toBe(403)
    expect((await post({ origin: 'null' })).status).toBe(403)
    expect((await post({})).status).toBe(403)
  })

  test('is refused when it is not JSON, as every form is', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const { status, json } = await owner.call('POST', '/keys', {}, { 'content-type': type })
      expect([status, json.error.code], type).toEqual([400, 'unsupported_media_type'])
    }
  })

  test('cannot read either', async () => {
    const { status } = await owner.call('GET', '/keys', undefined, { 'sec-fetch-site': 'cross-site' })
    expect(status).toBe(403)
  })
})

describe('guessing a password', () => {
  async function aWrongGuess(start = aConsole) {
    const world = await start()
    await anOwner(world)
    return { world, guess: { email: emailIn(world), password: 'wrong wrong wrong' } }
  }

  test('gets slower after five tries, and a right password starts anew', async () => {
    const { world, guess } = await aWrongGuess()
    const visitor = aVisitor(world)
    const codes: string[] = []
    for (let tries = 0; tries < 6; tries++) codes.push((await visitor.call('POST', '/sign-in', guess)).json.error.code)
    expect(codes).toEqual([...Array(5).fill('invalid_credentials'), 'too_many_attempts'])
    const waiting = await visitor.call('POST', '/sign-in', { ...guess, password })
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([429, '1'])
    world.clock.advance(1_000)
    expect((await visitor.call('POST', '/sign-in', { ...guess, password })).status).toBe(200)
  })

  test('is limited per address, for all users together; right passwords do not count', async () => {
    const { world, guess } = await aWrongGuess()
    const visitor = aVisitor(world)
    const statuses: number[] = []
    for (let tries = 0; tries < 21; tries++) {
      const email = `nobody-${tries}@${world.domain}`
      statuses.push((await visitor.call('POST', '/sign-in', { ...guess, email })).status)
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429])
    world.clock.advance(15 * 60_000)
    for (let people = 0; people < 21; people++) {
      expect((await visitor.call('POST', '/sign-in', { ...guess, password })).status).toBe(200)
    }
  })

  describe('behind a proxy that is not configured', () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.7' }

    test('is warned of once, and 20 failures of strangers keep nobody else out', async () => {
      // The warning comes once in the life of a gateway.
      const { world, guess } = await aWrongGuess(startConsole)
      onTestFinished(world.dispose)
      const stranger = aVisitor(world)
      for (let tries = 0; tries < 20; tries++) {
        const guessed = { email: `person${tries}@${world.domain}`, password: 'wrong wrong wrong' }
        expect((await stranger.call('POST', '/sign-in', guessed, forwarded)).status).toBe(401)
      }
      expect((await aVisitor(world).call('POST', '/sign-in', { ...guess, password }, forwarded)).status).toBe(200)
      expect(world.logLines.filter((line) => line.includes('proxy.not_trusted'))).toHaveLength(1)
    })

    test('cannot keep a browser out in which the person signed in before', async () => {
      const { world, guess } = await aWrongGuess()
      const known = await aVisitor(world).call('POST', '/sign-in', { ...guess, password })
      const browser = known.headers.getSetCookie().find((cookie) => cookie.startsWith('__Host-browser=')) ?? ''
      expect(browser).toMatch(/; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/)
      const stranger = aVisitor(world)
      for (let tries = 0; tries < 6; tries++) await stranger.call('POST', '/sign-in', guess, forwarded)
      const right = { ...guess, password }
      expect((await aVisitor(world).call('POST', '/sign-in', right, forwarded)).status).toBe(429)
      const [value = ''] = browser.split(';', 1)
      const forged = value.replace(/\.[\w-]/, (start) => (start === '.A' ? '.B' : '.A'))
      expect((await aVisitor(world).call('POST', '/sign-in', right, { ...forwarded, cookie: forged })).status).toBe(429)
      const own = { ...forwarded, cookie: value }
      expect((await aVisitor(world).call('POST', '/sign-in', right, own)).status).toBe(200)
      // Its own guesses are counted too.
      for (let tries = 0; tries < 5; tries++) await aVisitor(world).call('POST', '/sign-in', guess, own)
      expect((await aVisitor(world).call('POST', '/sign-in', right, own)).status).toBe(429)
      world.clock.advance(1_000)
      expect((await aVisitor(world).call('POST', '/sign-in', right, own)).status).toBe(200)
    })
  })

  test('by a crowd is refused while two passwords are at work, without being counted; a known browser gets in', async () => {
    const { world, guess } = await aWrongGuess()
    const right = { ...guess, password }
    const known = await aVisitor(world).call('POST', '/sign-in', right)
    const cookie =
      known.headers
        .getSetCookie()
        .find((one) => one.startsWith('__Host-browser='))
        ?.split(';', 1)[0] ?? ''
    const { passwordHashing } = world.rt.throttles
    const held = [await passwordHashing.acquire('stranger', 2, 0), await passwordHashing.acquire('stranger', 2, 0)]
    const crowd = await Promise.all(
      Array.from({ length: 19 }, (_, index) =>
        aVisitor(world).call('POST', '/sign-in', { ...right, email: `person${index % 5}@${world.domain}` }),
      ),
    )
    for (const { status, headers, json } of crowd) {
      expect([status, json.error.code, headers.get('retry-after')]).toEqual([429, 'too_many_attempts', '2'])
    }
    expect((await aVisitor(world).call('POST', '/sign-in', right, { cookie })).status).toBe(200)
    for (const release of held) release?.()
    for (let tries = 0; tries < 3; tries++) {
      const unknown = await aVisitor(world).call('POST', '/sign-in', { ...right, email: `person0@${world.domain}` })
      expect(unknown.json.error.code).toBe('invalid_credentials')
    }
    expect((await aVisitor(world).call('POST', '/sign-in', right)).status).toBe(200)
  })

  test('does not tell who exists', async () => {
    const { world, guess } = await aWrongGuess()
    const visitor = aVisitor(world)
    const known = await visitor.call('POST', '/sign-in', guess)
    const unknown = await visitor.call('POST', '/sign-in', { ...guess, email: `nobody@${world.domain}` })
    const without = ({ request_id: _, ...error }: Record<string, unknown>) => error
    expect(without(unknown.json.error)).toEqual(without(known.json.error))
  })

  test('is answered without waiting for the disk, which only a known person would cost', async () => {
    const { world, guess } = await aWrongGuess()
    const { store } = world.rt
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const written: string[] = []
    const slow: Runtime = {
      ...world.rt,
      store: {
        ...store,
        async write(unit) {
          await held
          written.push(...unit.calls.map(({ operation }) => operation.name))
          return store.write(unit)
        },
      },
    }
    const context = { ip: '127.0.0.1', user_agent: null, request_id: null }
    const source = { browser: null, ip: '127.0.0.1', addressKnown: true }
    const attempt = signIn(slow, createSignInLimit(slow), { ...guess, code: null, context, source, replaces: null })
    await expect(attempt).rejects.toThrow('Email or password is wrong.')
    expect(written).toEqual([])
    release()
    await waitFor(() => written.includes('audit_log.append'))
    const owner = aVisitor(world)
    await owner.call('POST', '/sign-in', { email: guess.email, password })
    const actions = async () =>
      (await owner.call('GET', '/audit')).json.data.entries.map(({ action }: { action: string }) => action)
    await waitFor(async () => (await actions()).includes('session.sign_in_failed'))
    expect(await actions()).toContain('session.sign_in_failed')
  })
})

describe.each(engines)('a suspended account on %s', (engine) => {
  test('can be looked at, and nothing of it changed or sent; people can still leave', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await changeAccount(world.rt, world.accountId, { status: 'suspended' }, operator)
    const changes = await Promise.all([
      owner.call('POST', '/keys', { name: 'Till', scopes: ['messages:send'], expires_at: null, allowed_ips: null }),
      owner.call('POST', '/messages/send', { to: '+12025550100', message: 'Hello' }),
      owner.call('POST', '/messages/none/again', {}),
      owner.call('PUT', '/account', { name: 'Acme & Sons' }),
      owner.call('POST', '/webhooks', { url: 'https://localhost/x', events: ['*'] }),
    ])
    expect(changes.map(({ status, json }) => `${status} ${json.error.code}`)).toEqual(
      Array(5).fill('403 account_suspended'),
    )
    expect((await owner.call('GET', '/session')).json.data.account.status).toBe('suspended')
    const looks = await Promise.all(['/messages', '/keys', '/audit'].map((path) => owner.call('GET', path)))
    expect(looks.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await owner.call('PUT', '/me', { name: 'Ana S.' })).status).toBe(200)
    expect((await owner.call('POST', '/sign-out')).status).toBe(200)
  })
})

describe('an irreversible act', () => {
  test('needs the password of the last five minutes', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    world.clock.advance(6 * 60_000)
    const rotate = () => owner.call('POST', '/webhooks/whk_none/rotate-secret', {})
    const refused = await rotate()
    expect([refused.status, refused.json.error.code]).toEqual([403, 'recent_sign_in_required'])
    expect((await owner.call('POST', '/confirm', { password: 'not this one' })).status).toBe(401)
    expect((await owner.call('POST', '/confirm', { password })).status).toBe(200)
    expect((await rotate()).json.error.code).toBe('webhook_not_found')
  })

  test('is not the plan, which belongs to the operator: an owner sees it and cannot change it', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const refused = await owner.call('PUT', '/account/plan', { plan: 'enterprise' })
    expect([refused.status, refused.json.error.code]).toEqual([404, 'endpoint_not_found'])
    await changeAccount(world.rt, world.accountId, { plan: 'professional' }, operator)
    const { data } = (await owner.call('GET', '/usage')).json
    expect([data.plan, data.limits.hour.quota]).toEqual(['professional', 10_000])
  })

  test('a changed password ends every other session', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const elsewhere = aVisitor(world)
    await elsewhere.call('POST', '/sign-in', { email: emailIn(world), password })
    const change = { current_password: password, new_password: 'a new sentence to know' }
    expect((await owner.call('PUT', '/me/password', change)).status).toBe(200)
    expect((await owner.call('GET', '/session')).status).toBe(200)
    expect((await elsewhere.call('GET', '/session')).status).toBe(401)
  })
})
