import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../server/src/accounts/audit.ts'
import { createAccount } from '../server/src/accounts/create-account.ts'
import { createKey } from '../server/src/accounts/create-key.ts'
import { verifyAudit } from '../server/src/accounts/verify-audit.ts'
import { allowedActions, type Role, roles } from '../server/src/contract/console/roles.ts'
import { documentOf } from '../server/src/http/openapi.ts'
import { seedConsole } from './support/console-seed.ts'
import { aMember, anOwner, aVisitor, type ConsoleWorld, startConsole, type Visitor } from './support/console-world.ts'
import { engines } from './support/databases.ts'

const worlds: ConsoleWorld[] = []
async function aConsole(engine: (typeof engines)[number] = 'sqlite'): Promise<ConsoleWorld> {
  const world = await startConsole(engine)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.dispose()
})

const newKey = {
  name: 'Checkout service',
  scopes: ['messages:send'],
  expires_at: null,
  allowed_ips: ['203.0.113.0/24'],
}

describe.each(engines)('API keys of the console on %s', (engine) => {
  test('give their secret once, and it opens the API', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { status, json } = await owner.call('POST', '/keys', { ...newKey, allowed_ips: null })
    expect(status).toBe(201)
    const { key, api_secret } = json.data
    const token = await fetch(`${world.url}/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: key.key, api_secret }),
    })
    expect(token.status).toBe(200)
    const everything = await Promise.all(['/keys', '/audit', '/requests'].map((path) => owner.call('GET', path)))
    expect(JSON.stringify(everything.map((reply) => reply.json))).not.toContain(api_secret)
    expect(world.logLines.join('\n')).not.toContain(api_secret)
    expect(everything[0]?.json.data.keys[0]).toMatchObject({ name: 'Checkout service', created_by: 'Ana Sousa' })
  })

  test('rotate, change and end; a revoked one stays revoked', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { key, api_secret } = (await owner.call('POST', '/keys', newKey)).json.data
    const rotated = (await owner.call('POST', `/keys/${key.id}/rotate`)).json.data
    expect(rotated.api_secret).not.toBe(api_secret)
    expect(rotated.key.previous_secret_until).not.toBeNull()
    const change = { name: 'Tills', scopes: ['messages:read'], allowed_ips: null }
    const changed = await owner.call('PUT', `/keys/${key.id}`, change)
    expect(changed.json.data).toMatchObject({ name: 'Tills', scopes: ['messages:read'], allowed_ips: null })
    expect((await owner.call('POST', `/keys/${key.id}/revoke`)).json.data.status).toBe('revoked')
    expect((await owner.call('POST', `/keys/${key.id}/rotate`)).status).toBe(400)
  })

  test('are found by their own account only', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const other = await createAccount(world.rt, { name: 'Other', plan: 'free', actor: operator })
    const { row } = await createKey(world.rt, {
      accountId: other.account.id,
      name: 'Theirs',
      scopes: ['messages:send'],
      createdBy: other.owner.id,
      actor: operator,
    })
    const tries = await Promise.all([
      owner.call('POST', `/keys/${row.id}/revoke`),
      owner.call('POST', '/keys/key_nothing/revoke'),
      owner.call('DELETE', `/members/${other.owner.id}`),
    ])
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(tries[0]?.json.error.message).toBe(tries[1]?.json.error.message)
  })
})

describe('an API key', () => {
  test('is refused with the address that is wrong', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const created = await owner.call('POST', '/keys', { ...newKey, allowed_ips: ['203.0.113.7', 'nonsense'] })
    expect(created.json.error.details[0].field).toBe('allowed_ips[1]')
    const { key } = (await owner.call('POST', '/keys', newKey)).json.data
    const changed = await owner.call('PUT', `/keys/${key.id}`, {
      ...newKey,
      expires_at: undefined,
      allowed_ips: ['::/999'],
    })
    expect(changed.json.error.details[0].field).toBe('allowed_ips[0]')
  })
})

/** A route for every action that guards one. */
const guarded = [
  ['keys:read', 'GET', '/keys'],
  ['keys:write', 'POST', '/keys'],
  ['logs:read', 'GET', '/requests'],
  ['members:read', 'GET', '/members'],
  ['members:write', 'POST', '/members'],
  ['audit:read', 'GET', '/audit'],
  ['usage:read', 'GET', '/usage'],
  ['account:write', 'PUT', '/account'],
  ['plan:write', 'PUT', '/account/plan'],
] as const

describe('a role', () => {
  const members = new Map<Role, Visitor>()
  let world: ConsoleWorld
  let owner: Visitor
  beforeAll(async () => {
    world = await startConsole()
    owner = await anOwner(world)
    for (const role of roles) if (role !== 'owner') members.set(role, await aMember(world, role))
  })
  afterAll(() => world.dispose())

  test.each(roles)('%s reaches exactly what its row allows', async (role: Role) => {
    const visitor = members.get(role) ?? owner
    for (const [action, method, path] of guarded) {
      // An empty body is refused later than the role, so nothing changes here.
      const { status, json } = await visitor.call(method, path, method === 'GET' ? undefined : {})
      const allowed = allowedActions[role].includes(action)
      expect(status, `${method} ${path}`).toBe(allowed ? (method === 'GET' ? 200 : 400) : 403)
      if (!allowed) expect(json.error).toMatchObject({ code: 'insufficient_scope', required_scope: action })
    }
  })

  test('that is refused is told its name and whom to ask, and the owners can read of it', async () => {
    const viewer = members.get('viewer') ?? owner
    const { json } = await viewer.call('POST', '/keys', newKey)
    expect(json.error.message).toBe('Your role Viewer cannot manage API keys. Owners: Ana Sousa.')
    const [last] = (await owner.call('GET', '/audit')).json.data.entries
    expect(last).toMatchObject({ action: 'console.refused', actor: { name: 'The viewer' } })
  })

  test('nobody without a session reaches anything but the door', async () => {
    const { paths } = documentOf(world.app, '/console/api/')
    const open: string[] = []
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        const concrete = path.replace(/\{\w+\}/g, 'x').replace('/console/api', '')
        const { status, json } = await aVisitor(world).call(method.toUpperCase(), concrete)
        if (status !== 401 || json.error.code !== 'missing_credentials') open.push(path)
      }
    }
    expect(open).toEqual(['/console/api/setup', '/console/api/setup/lookup', '/console/api/sign-in'])
  })
})

describe.each(engines)('what is written down on %s', (engine) => {
  test('every change leaves its line, and the chain of lines is sound', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { key } = (await owner.call('POST', '/keys', newKey)).json.data
    await owner.call('POST', `/keys/${key.id}/rotate`)
    await owner.call('PUT', '/account', { name: 'Acme & Sons' })
    await owner.call('POST', '/members', { name: 'Bruno', email: 'bruno@acme.test', role: 'support' })
    const { entries } = (await owner.call('GET', '/audit?limit=4')).json.data
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'member.invited',
      'account.renamed',
      'api_key.rotated',
      'api_key.created',
    ])
    expect(entries[0]).toMatchObject({ actor: { type: 'user', name: 'Ana Sousa' }, ip: '127.0.0.1' })
    expect(await verifyAudit(world.rt, world.accountId)).toMatchObject({ ok: true })
  })

  test('requests are listed page by page without a gap, and found by id, code, route and key', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { requests, keys } = await seedConsole(world.rt, world.accountId, world.ownerId)
    const seen: string[] = []
    let cursor = ''
    do {
      const { data } = (await owner.call('GET', `/requests?limit=17${cursor}`)).json
      seen.push(...data.requests.map(({ id }: { id: string }) => id))
      cursor = data.pagination.next_cursor ? `&cursor=${data.pagination.next_cursor}` : ''
    } while (cursor !== '')
    expect(seen).toEqual(requests.map(({ id }) => id))
    const count = async (query: string) =>
      (await owner.call('GET', `/requests?limit=100&${query}`)).json.data.requests.length
    const expected = (matches: (row: (typeof requests)[number]) => boolean) => requests.filter(matches).length
    expect(await count(`search=${requests[7]?.id}`)).toBe(1)
    expect(await count('search=rate_limit_exceeded')).toBe(expected(({ code }) => code === 'rate_limit_exceeded'))
    expect(await count('search=messages/media')).toBe(expected(({ route }) => route.includes('messages/media')))
    expect(await count('search=%25')).toBe(0)
    expect(await count('outcome=refused')).toBe(expected(({ status }) => status >= 400))
    expect(await count(`key_id=${keys[1]?.id}`)).toBe(expected(({ key_id }) => key_id === keys[1]?.id))
  })

  test('a cursor of one list opens no other', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await seedConsole(world.rt, world.accountId, world.ownerId)
    const { next_cursor } = (await owner.call('GET', '/requests?limit=5')).json.data.pagination
    const { status, json } = await owner.call('GET', `/requests?limit=5&outcome=refused&cursor=${next_cursor}`)
    expect([status, json.error.code]).toEqual([400, 'invalid_cursor'])
  })

  test('use is counted by hour and by day', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await seedConsole(world.rt, world.accountId, world.ownerId)
    const { data } = (await owner.call('GET', '/usage')).json
    expect([data.hours.length, data.days.length]).toEqual([24, 30])
    expect(data.limits.day).toMatchObject({ quota: 10_000, used: 412 })
    const today = data.days.at(-1)
    const hoursOfToday = data.hours.filter(({ start }: { start: string }) => start >= today.start)
    expect(today.used).toBe(hoursOfToday.reduce((sum: number, { used }: { used: number }) => sum + used, 0))
  })
})

describe('personal data', () => {
  test('is masked for developers, and whole for those who work with customers', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    await seedConsole(world.rt, world.accountId, world.ownerId)
    const bodies = async (visitor: Visitor) => JSON.stringify((await visitor.call('GET', '/requests')).json)
    expect(await bodies(owner)).toContain('+351912345678')
    expect(await bodies(developer)).not.toContain('+351912345678')
    expect(await bodies(developer)).toContain('+3519•')
  })
})
