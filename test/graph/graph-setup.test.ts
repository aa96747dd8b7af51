import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { addConnection, requireConnection, rotateToken } from '../../server/src/connections/change-connection.ts'
import { describeConnection, openConnection } from '../../server/src/connections/connection.ts'
import type { Tool } from '../../server/src/contract/connections.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Made = Awaited<ReturnType<typeof addConnection>>

describe.each(engines)('what tools ask when they are set up, on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  let made: Made
  let stranger: Made
  let number: string
  let waba: string
  /** What must never leave: Meta's token and app secret. */
  let secrets: string[]
  const texts: string[] = []

  const connect = (accountId: string, tool: Tool) =>
    addConnection(world.service.rt, { actor: operator, accountId, name: 'Bot', tool, createdBy: '' })
  const call = async (method: string, path: string, body?: unknown, token = made.token): Promise<Answer> => {
    const answer = await world.call(method, `/graph${path}`, { body, token })
    texts.push(JSON.stringify(answer.body))
    return answer
  }
  const codeOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.error_subcode]
  const unknown = [400, 100, 33]

  beforeAll(async () => {
    world = await aWorld(engine)
    made = await connect(world.accountId, 'pywa')
    const other = await createAccount(world.service.rt, { name: 'Other', plan: 'free', actor: operator })
    stranger = await connect(other.account.id, 'generic')
    const { body } = await world.control('GET', '/_sandbox')
    const [first] = body.numbers
    number = first.phone_number_id
    waba = first.waba_id
    secrets = [first.access_token, first.app_secret]
  })
  afterAll(async () => {
    for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([])
    await world.stop()
  })

  test('numbers and business accounts are shown as Meta shows them, those of others not at all', async () => {
    const fields = 'fields=id,display_phone_number,verified_name'
    expect((await call('GET', `/v21.0/${number}?${fields}`)).body).toMatchObject({ id: number })
    expect((await call('GET', `/v21.0/${waba}?fields=id,name`)).body).toMatchObject({ id: waba })
    const { data } = (await call('GET', `/v21.0/${waba}/phone_numbers`)).body
    expect(data.map((one: { id: string }) => one.id)).toEqual([number])
    for (const path of [`/${number}`, `/${waba}`, `/${waba}/phone_numbers`, '/123', `/${number}/assigned_users`]) {
      const token = path.endsWith('users') || path === '/123' ? made.token : stranger.token
      expect([path, ...codeOf(await call('GET', path, undefined, token))]).toEqual([path, ...unknown])
    }
    expect(codeOf(await call('POST', `/${number}/deregister`, {}))).toEqual(unknown)
  })

  test('where numbers are reported to is the tool’s own address, never the gateway’s at Meta', async () => {
    const shown = async (path: string) =>
      JSON.stringify((await call('GET', `${path}?fields=id,webhook_configuration`)).body)
    for (const path of [`/${number}`, `/${waba}/phone_numbers`]) {
      const body = await shown(path)
      expect(body).toContain('"webhook_configuration":{}')
      expect(body).not.toContain('/channel/')
    }
  })

  test('a token in the address is told to the people, since when, until it is rotated', async () => {
    const { rt } = world.service
    const own = await connect(world.accountId, 'generic')
    const stored = () => requireConnection(rt, world.accountId, own.row.id)
    const since = async () => (await describeConnection(rt, await stored())).token_in_address_since
    await call('GET', '/me', undefined, own.token)
    expect(await since()).toBe(null)
    await call('GET', `/me?access_token=${own.token}`, undefined, own.token)
    await waitFor(async () => (await since()) !== null, 10_000)
    await rotateToken(rt, await stored(), { actor: operator })
    expect(await since()).toBe(null)
  })

  test('fields are plain: nothing leads further into Meta’s graph', async () => {
    expect((await call('GET', `/${waba}?fields=phone_numbers{certificate}`)).body.error.code).toBe(131_009)
    expect((await call('GET', `/${waba}?fields=id.limit(5)`)).body.error.code).toBe(131_009)
  })

  test('the links of a page lead back here, with the caller’s token only if it was in the address', async () => {
    const byHeader = (await call('GET', `/v20.0/${waba}/message_templates?limit=2`)).body
    expect(byHeader.data).toHaveLength(2)
    expect(byHeader.paging.next).toMatch(`${world.service.urls.base}/graph/`)
    expect(byHeader.paging.next).not.toContain('access_token')
    const path = `/graph/v20.0/${waba}/message_templates?limit=2&access_token=${made.token}`
    const first = (await (await fetch(`${world.service.urls.base}${path}`)).json()) as typeof byHeader
    texts.push(JSON.stringify(first))
    expect(first.paging.next).toContain(`access_token=${made.token}`)
    const next = (await (await fetch(first.paging.next)).json()) as typeof byHeader
    texts.push(JSON.stringify(next))
    expect(next.data).toHaveLength(2)
    expect(next.data[0].name).not.toBe(first.data[0].name)
  })

  test('a tool with the scope creates a template, and it is known here at once', async () => {
    const template = {
      name: 'by_a_tool',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Your order is ready.' }],
    }
    expect((await call('POST', `/${waba}/message_templates`, template)).body.error.code).toBe(10)
    const able = await addConnection(world.service.rt, {
      actor: operator,
      accountId: world.accountId,
      name: 'Editor',
      tool: 'generic',
      scopes: ['templates:write'],
      createdBy: '',
    })
    const created = await call('POST', `/${waba}/message_templates`, template, able.token)
    expect([created.status, created.body.id]).toEqual([200, expect.any(String)])
    await waitFor(
      async () => (await world.get('/v1/chat/templates?name=by_a_tool')).body.data.templates.length === 1,
      10_000,
    )
  })

  test('a token says who it is, to itself and to its app alone', async () => {
    const { appId, appSecret } = openConnection(world.service.rt, made.row)
    expect((await call('GET', '/me')).body).toEqual({ id: made.row.id, name: 'Bot' })
    const about = `/debug_token?input_token=${made.token}`
    expect((await call('GET', about)).body.data).toMatchObject({ app_id: appId, is_valid: true, expires_at: 0 })
    const asApp = (token: string) => call('GET', `${about}&access_token=${encodeURIComponent(token)}`, undefined, token)
    expect((await asApp(`${appId}|${appSecret}`)).body.data.granular_scopes[0].target_ids).toEqual([waba])
    expect((await asApp(`${appId}|wrong`)).body.error.code).toBe(190)
    expect((await call('GET', about, undefined, stranger.token)).body.error.code).toBe(190)
    const grant = `/oauth/access_token?grant_type=client_credentials&client_id=${appId}`
    expect((await call('GET', `${grant}&client_secret=${appSecret}`)).body.access_token).toBe(`${appId}|${appSecret}`)
    expect((await call('GET', `${grant}&client_secret=nope`)).body.error.code).toBe(190)
    expect((await call('POST', `/${number}/register`, { pin: '123456' })).body).toEqual({ success: true })
    expect((await call('GET', '/')).body.error.code).toBe(100)
  })

  test('every refusal has Meta’s shape, whatever is wrong', async () => {
    const wrong = await fetch(`${world.service.urls.base}/graph/v20.0/${number}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' },
      body: '{"to": ',
    })
    const { error } = (await wrong.json()) as { error: Record<string, unknown> }
    expect([wrong.status, error.code, error.type, error.fbtrace_id]).toEqual([
      400,
      100,
      'OAuthException',
      expect.stringMatching(/^req_/),
    ])
    expect((await call('PUT', `/${number}/messages`, {})).body.error.code).toBe(100)
    expect((await call('POST', `/${number}/messages`, { type: 'text' })).body.error.code).toBe(131_008)
    expect(codeOf(await call('POST', `/${number}/messages`, {}, 'ptg_nonsense'))).toEqual([401, 190, undefined])
  })
})
