import { beforeAll, describe, expect, test } from 'vitest'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { operator, verifyAudit } from '../../server/src/audit/audit.ts'
import { connectSandbox } from '../../server/src/connect/console-channels.ts'
import { allowedActions, type Role, roles } from '../../server/src/contract/console/roles.ts'
import { documentOf } from '../../server/src/http/openapi.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { insertRequests, type RequestLogRow } from '../../server/src/store/accounts/request-log.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { seedConsole } from '../support/console/console-seed.ts'
import {
  aMember,
  anOwner,
  aVisitor,
  type ConsoleWorld,
  password,
  sharedConsole,
  type Visitor,
} from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const aConsole = sharedConsole()

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
    const free = { name: 'Tills', scopes: ['messages:read', 'messages:send'], allowed_ips: null }
    expect((await owner.call('PUT', `/keys/${key.id}`, free)).status).toBe(200)
    const credentials = { api_key: key.key, api_secret: rotated.api_secret }
    const token = await tokenOf(world.url, credentials)
    const change = { ...free, scopes: ['messages:read'] }
    const changed = await owner.call('PUT', `/keys/${key.id}`, change)
    expect(changed.json.data).toMatchObject({ name: 'Tills', scopes: ['messages:read'], allowed_ips: null })
    // The token that lives has lost the scope too.
    const me = await fetch(`${world.url}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await me.json()).toMatchObject({ data: { scopes: ['messages:read'] } })
    expect((await owner.call('POST', `/keys/${key.id}/revoke`)).json.data.status).toBe('revoked')
    const late = await owner.call('POST', `/keys/${key.id}/rotate`)
    expect([late.status, late.json.error.code]).toEqual([400, 'api_key_revoked'])
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
    expect(tries.map(({ json }) => json.error.code)).toEqual([
      'api_key_not_found',
      'api_key_not_found',
      'member_not_found',
    ])
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(tries[0]?.json.error.message).toBe(tries[1]?.json.error.message)
  })
})

describe.each(engines)('what happened says its own code on %s:', (engine) => {
  const codeOf = ({ status, json }: Awaited<ReturnType<Visitor['call']>>) => `${status} ${json.error?.code ?? 'ok'}`

  test('a session that is not there, and no sandbox', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    expect(codeOf(await owner.call('DELETE', '/sessions/ses_none'))).toBe('404 session_not_found')
    const without = { ...world.rt, config: { ...world.rt.config, sandboxListen: 'off' as const } }
    const asked = connectSandbox(without, { accountId: world.accountId } as never)
    await expect(asked).rejects.toMatchObject({ code: 'sandbox_not_available' })
  })
})

describe.each(engines)('calls of an API key on %s', (engine) => {
  test('are counted for 24 hours, whatever the request log keeps', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const made = (await owner.call('POST', '/keys', { ...newKey, allowed_ips: null })).json.data
    expect(made.key.calls_24h).toBe(0)
    const body = JSON.stringify({ api_key: made.key.key, api_secret: made.api_secret })
    const headers = { 'content-type': 'application/json' }
    const issued = await fetch(`${world.url}/v1/auth/token`, { method: 'POST', headers, body })
    const { access_token } = ((await issued.json()) as { data: { access_token: string } }).data
    const call = () => fetch(`${world.url}/v1/auth/me`, { headers: { authorization: `Bearer ${access_token}` } })
    for (let calls = 0; calls < 3; calls++) expect((await call()).status).toBe(200)
    const counted = async () => (await owner.call('GET', '/keys')).json.data.keys[0].calls_24h
    await waitFor(async () => (await counted()) === 3)
    expect(await counted()).toBe(3)
    world.clock.advance(24 * 3_600_000)
    await owner.call('POST', '/sign-in', { email: `ana@${world.domain}`, password })
    expect(await counted()).toBe(0)
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
] as const

describe('a role', () => {
  const members = new Map<Role, Visitor>()
  let world: ConsoleWorld
  let owner: Visitor
  beforeAll(async () => {
    world = await aConsole()
    owner = await anOwner(world)
    for (const role of roles) if (role !== 'owner') members.set(role, await aMember(world, role))
  })

  test.each(roles)('%s reaches exactly what its row allows', async (role: Role) => {
    const visitor = members.get(role) ?? owner
    for (const [action, method, path] of guarded) {
      // An empty body is refused later than the role, so nothing changes here.
      const { status, json } = await visitor.call(method, path, method === 'GET' ? undefined : {})
      const allowed = allowedActions[role].includes(action)
      expect(status, `${method} ${path}`).toBe(allowed ? (method === 'GET' ? 200 : 400) : 403)
      if (!allowed) expect(json.error).toMatchObject({ code: 'insufficient_role', required_scope: action })
    }
  })

  test('that is refused is told its name and whom to ask, and the owners can read of it', async () => {
    const viewer = members.get('viewer') ?? owner
    const { json } = await viewer.call('POST', '/keys', newKey)
    expect(json.error.message).toBe('Your role Viewer cannot manage API keys. Owners: Ana Sousa.')
    const [last] = (await owner.call('GET', '/audit')).json.data.entries
    expect(last).toMatchObject({ action: 'console.refused', actor: { name: 'The viewer' } })
  })

  test('without a session only the sign-in can be called', async () => {
    const { paths } = documentOf(world.app, '/console/api/')
    const open: string[] = []
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        const concrete = path.replace(/\{\w+\}/g, 'x').replace('/console/api', '')
        const { status, json } = await aVisitor(world).call(method.toUpperCase(), concrete)
        if (status !== 401 || json.error.code !== 'missing_credentials') open.push(path)
      }
    }
    expect([...new Set(open)]).toEqual([
      ...['/console/api/oidc/callback', '/console/api/oidc/code', '/console/api/oidc/start'],
      ...['/console/api/setup', '/console/api/setup/enter', '/console/api/setup/lookup'],
      ...['/console/api/sign-in', '/console/api/sign-in/forgot'],
    ])
  })
})

test('addresses of other accounts can be guessed by invitations only slowly', async () => {
  const world = await aConsole('sqlite')
  const owner = await anOwner(world)
  const invite = async (nth: number) =>
    (await owner.call('POST', '/members', { name: 'Guest', email: `guest${nth}@elsewhere.test`, role: 'viewer' }))
      .status
  const statuses: number[] = []
  for (let nth = 0; nth < 21; nth++) statuses.push(await invite(nth))
  // The owner named an address too.
  expect(statuses).toEqual([...Array(19).fill(201), 429, 429])
  world.clock.advance(60_000)
  expect([await invite(21), await invite(22)]).toEqual([201, 429])
})

describe.each(engines)('what is written down on %s', (engine) => {
  test('every change leaves its line, and the chain of lines is sound', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { key } = (await owner.call('POST', '/keys', newKey)).json.data
    await owner.call('POST', `/keys/${key.id}/rotate`)
    await owner.call('PUT', '/account', { name: 'Acme & Sons' })
    await owner.call('POST', '/members', { name: 'Bruno', email: `bruno@${world.domain}`, role: 'support' })
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

  test('is found by what was done and by who did it', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    const { id: developerId } = (await developer.call('GET', '/session')).json.data.user
    const { key } = (await developer.call('POST', '/keys', newKey)).json.data
    await owner.call('POST', `/keys/${key.id}/rotate`)
    await owner.call('PUT', '/account', { name: 'Acme & Sons' })
    const found = async (query: string) =>
      (await owner.call('GET', `/audit?limit=100&${query}`)).json.data.entries.map(
        ({ action, actor }: { action: string; actor: { name: string } }) => `${action} ${actor.name}`,
      )
    expect(await found('action=api_key')).toEqual(['api_key.rotated Ana Sousa', 'api_key.created The developer'])
    expect(await found('action=api_key.created')).toEqual(['api_key.created The developer'])
    expect(await found('action=api')).toEqual([])
    expect(await found('action=%25')).toEqual([])
    expect(await found(`actor=${developerId}&action=api_key`)).toEqual(['api_key.created The developer'])
    expect(await found(`actor=${world.ownerId}&action=account`)).toEqual(['account.renamed Ana Sousa'])
    expect(await found('actor=operator')).toEqual(['account.created Operator'])
    expect(await found('actor=usr_nobody')).toEqual([])
    const { next_cursor } = (await owner.call('GET', '/audit?limit=1&action=api_key')).json.data.pagination
    const next = (await owner.call('GET', `/audit?limit=1&action=api_key&cursor=${next_cursor}`)).json.data.entries
    expect(next.map(({ action }: { action: string }) => action)).toEqual(['api_key.created'])
    expect((await owner.call('GET', `/audit?limit=1&action=account&cursor=${next_cursor}`)).status).toBe(400)
  })

  test('requests are listed page by page without a gap, and found by id, code, route and key', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { requests, keys } = await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
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
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const { next_cursor } = (await owner.call('GET', '/requests?limit=5')).json.data.pagination
    const { status, json } = await owner.call('GET', `/requests?limit=5&outcome=refused&cursor=${next_cursor}`)
    expect([status, json.error.code]).toEqual([400, 'invalid_cursor'])
  })

  test('use is counted by hour and by day', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const { data } = (await owner.call('GET', '/usage')).json
    expect([data.hours.length, data.days.length]).toEqual([24, 30])
    expect(data.limits.day).toMatchObject({ quota: 10_000, used: 412 })
    const today = data.days.at(-1)
    const hoursOfToday = data.hours.filter(({ start }: { start: string }) => start >= today.start)
    expect(today.used).toBe(hoursOfToday.reduce((sum: number, { used }: { used: number }) => sum + used, 0))
  })
})

/** A file as text, with its headers. */
async function download(world: ConsoleWorld, { cookie }: Visitor, path: string) {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(`${world.url}/console/api/exports${path}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  // Spreadsheets know UTF-8 by its mark.
  if (response.ok) expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  return { status: response.status, headers: response.headers, text: new TextDecoder().decode(bytes) }
}

describe.each(engines)('a log as a file on %s', (engine) => {
  test('holds what the list holds, narrowed the same way, however many pages that is', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    const { requests: recent } = await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const oldest = recent.reduce((at, row) => Math.min(at, row.at), world.clock.now())
    const older = Array.from({ length: 1_200 }, (_, index) => ({
      ...(recent[0] as RequestLogRow),
      id: `req_older_${index}`,
      at: oldest - 1 - index,
    }))
    const unit = new Unit()
    unit.add(insertRequests, ...older)
    await world.rt.store.write(unit)
    const requests = [...recent, ...older]
    const { headers, text } = await download(world, owner, '/requests')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="postern-requests-\d{4}-\d\d-\d\d\.csv"$/)
    const [first, ...lines] = text.trimEnd().split('\r\n')
    expect(first).toBe('at,id,method,route,status,code,key_id,key_name,duration_ms,body')
    expect(lines.map((line) => line.split(',')[1])).toEqual(requests.map(({ id }) => id))
    const refused = (await download(world, owner, '/requests?outcome=refused')).text.trimEnd().split('\r\n').length - 1
    expect(refused).toBe(requests.filter(({ status }) => status >= 400).length)
  })

  test('leaves a line about who took it, and no cell that a spreadsheet would run', async () => {
    const world = await aConsole(engine)
    const owner = await anOwner(world)
    await owner.call('PUT', '/me', { name: '=HYPERLINK("http://evil.test")' })
    await owner.call('PUT', '/account', { name: 'Acme & Sons' })
    const { text } = await download(world, owner, '/audit?action=account')
    expect(text).toContain(`,"'=HYPERLINK(""http://evil.test"")",`)
    expect(text).not.toMatch(/(^|[,"\n])[=@]/)
    const [line] = (await owner.call('GET', '/audit?limit=1')).json.data.entries
    expect(line).toMatchObject({
      action: 'audit.exported',
      actor: { id: world.ownerId },
      targets: [{ type: 'log', id: 'audit' }],
      metadata: { action: 'account' },
    })
    expect(await verifyAudit(world.rt, world.accountId)).toMatchObject({ ok: true })
  })
})

describe('a log as a file', () => {
  test('hides from developers what the list hides', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    expect((await download(world, owner, '/requests')).text).toContain('+351912345678')
    const masked = (await download(world, developer, '/requests')).text
    expect(masked).not.toContain('+351912345678')
    expect(masked).toContain('+3519•')
  })

  test('needs the role of the list, a password of the last five minutes, and patience', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const support = await aMember(world, 'support')
    expect((await download(world, support, '/audit')).status).toBe(403)
    for (let exports = 0; exports < 10; exports++) expect((await download(world, owner, '/audit')).status).toBe(200)
    const eleventh = await download(world, owner, '/messages')
    expect([eleventh.status, eleventh.headers.get('retry-after')]).toEqual([429, '6'])
    world.clock.advance(6 * 60_000)
    const stale = await download(world, owner, '/audit')
    expect([stale.status, JSON.parse(stale.text).error.code]).toEqual([403, 'recent_sign_in_required'])
  })
})

describe('personal data', () => {
  test('is masked for developers, and whole for those who work with customers', async () => {
    const world = await aConsole()
    const owner = await anOwner(world)
    const developer = await aMember(world, 'developer')
    await seedConsole(world.rt, world.accountId, world.ownerId, world.domain)
    const bodies = async (visitor: Visitor) => JSON.stringify((await visitor.call('GET', '/requests')).json)
    expect(await bodies(owner)).toContain('+351912345678')
    expect(await bodies(developer)).not.toContain('+351912345678')
    expect(await bodies(developer)).toContain('+3519•')
  })
})
