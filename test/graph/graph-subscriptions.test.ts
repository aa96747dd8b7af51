import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { addConnection, deleteConnection, requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import type { Scope } from '../../server/src/contract/scopes.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { engines } from '../support/postgres/databases.ts'
import { type GraphTool, startGraphTool } from '../support/receiver/graph-tool.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Made = Awaited<ReturnType<typeof addConnection>>
const by = { actor: operator }

describe.each(engines)('tools that set their own address, on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  let made: Made
  let tool: GraphTool
  let appToken: string
  let appId: string
  let number: string
  let waba: string
  let calls = 0

  const connect = (accountId: string, hosts: string[], scopes?: Scope[]) =>
    addConnection(world.service.rt, {
      ...by,
      accountId,
      name: 'n8n',
      tool: 'n8n',
      options: { hosts },
      ...(scopes && { scopes }),
      createdBy: '',
    })
  const call = async (method: string, path: string, body?: unknown, token = made.token): Promise<Answer> => {
    calls++
    return world.call(method, `/graph${path}`, { body, token })
  }
  const codeOf = ({ status, body }: Answer) => [status, body.error?.code]
  const relayOf = async ({ row }: Made) =>
    (await requireConnection(world.service.rt, row.account_id, row.id)).row.relay_id
  const hears = async (said: string) => {
    await world.control('POST', '/_sandbox/inbound', { from: `+1202555${7_000 + calls}`, text: said })
    await waitFor(() => tool.requests.some(({ text }) => text.includes(said)), 20_000)
    expect(tool.requests.every(({ isSigned }) => isSigned)).toBe(true)
  }

  beforeAll(async () => {
    world = await aWorld(engine, { POSTERN_RELAY_ALLOW: 'localhost' })
    const { body } = await world.control('GET', '/_sandbox')
    number = body.numbers[0].phone_number_id
    waba = body.numbers[0].waba_id
  })
  beforeEach(async () => {
    made = await connect(world.accountId, ['localhost'])
    const opened = openConnection(world.service.rt, made.row)
    appId = opened.appId
    appToken = `${appId}|${opened.appSecret}`
    tool = await startGraphTool({ verifyToken: 'mine', appSecret: () => opened.appSecret })
  })
  afterEach(async () => {
    await deleteConnection(
      world.service.rt,
      await requireConnection(world.service.rt, world.accountId, made.row.id),
      by,
    )
    await tool.close()
  })
  afterAll(() => world.stop())

  test('as an app does, with its own token before any other', async () => {
    const wanted = {
      object: 'whatsapp_business_account',
      callback_url: tool.url,
      verify_token: 'mine',
      fields: 'messages',
    }
    const path = `/v23.0/${appId}/subscriptions?access_token=${encodeURIComponent(appToken)}`
    expect((await call('POST', path, wanted)).body).toEqual({ success: true })
    expect(tool.handshakes).toEqual(['mine'])
    expect((await call('GET', path)).body.data).toEqual([
      {
        object: 'whatsapp_business_account',
        callback_url: tool.url,
        active: true,
        fields: [{ name: 'messages' }],
      },
    ])
    await hears('by subscription')
    expect((await call('DELETE', path)).body).toEqual({ success: true })
    expect([await relayOf(made), (await call('GET', path)).body.data]).toEqual([null, []])
    expect(codeOf(await call('POST', `/${appId}/subscriptions`, wanted))).toEqual([401, 190])
    const strange = `/${appId}/subscriptions?access_token=${encodeURIComponent(`${appId}|${'0'.repeat(32)}`)}`
    expect(codeOf(await call('GET', strange))).toEqual([401, 190])
  })

  test('for a business account and for a number', async () => {
    const path = `/${waba}/subscribed_apps`
    expect((await call('POST', path)).body).toEqual({ success: true })
    expect(await relayOf(made)).toBeNull()
    const override = { override_callback_uri: tool.url, verify_token: 'mine' }
    expect((await call('POST', path, override)).body).toEqual({ success: true })
    expect((await call('GET', path)).body.data[0]).toMatchObject({ override_callback_uri: tool.url })
    await hears('by override')
    expect((await call('DELETE', path)).body).toEqual({ success: true })
    expect((await call('POST', `/${number}`, { webhook_configuration: override })).body).toEqual({ success: true })
    await hears('by number')
    expect(
      (await call('POST', `/${number}`, { webhook_configuration: { override_callback_uri: '' } })).body.success,
    ).toBe(true)
    expect(await relayOf(made)).toBeNull()
  })

  test('a handshake that fails changes nothing, as at Meta', async () => {
    const path = `/${waba}/subscribed_apps`
    tool.answerHandshake('forbidden')
    const failed = await call('POST', path, { override_callback_uri: tool.url, verify_token: 'mine' })
    expect(codeOf(failed)).toEqual([400, 2200])
    expect(await relayOf(made)).toBeNull()
  })

  test('a token leads customers’ words nowhere else: not to other hosts, and not without the scope', async () => {
    const path = `/${waba}/subscribed_apps`
    const to = (url: string, token?: string) =>
      call('POST', path, { override_callback_uri: url, verify_token: 'mine' }, token)
    expect(codeOf(await to('https://thief.test/webhook'))).toEqual([400, 131_009])
    expect(codeOf(await to('https://169.254.169.254/'))).toEqual([400, 131_009])
    const reader = await connect(world.accountId, ['*'], ['messages:read'])
    expect(codeOf(await to(tool.url, reader.token))).toEqual([403, 10])
    expect(codeOf(await call('DELETE', path, undefined, reader.token))).toEqual([403, 10])
    const other = await createAccount(world.service.rt, { name: 'Other', plan: 'free', actor: operator })
    const stranger = await connect(other.account.id, ['*'])
    expect(codeOf(await to(tool.url, stranger.token))).toEqual([400, 100])
    expect([tool.handshakes, await relayOf(made), await relayOf(reader), await relayOf(stranger)]).toEqual([
      [],
      null,
      null,
      null,
    ])
  })
})
