import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireConnection } from '../../server/src/connections/change-connection.ts'
import { openConnection } from '../../server/src/connections/connection.ts'
import type { Tool as ToolName } from '../../server/src/contract/connections.ts'
import { departFromContract } from '../support/contract/violations.ts'
import { aGraphWorld, type GraphWorld, type Tool } from '../support/graph-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'

type Form = Record<string, string>
type Asked = { header?: string; query?: Form; form?: Form; json?: unknown; method?: string }

/** What tools send, written from their code: their paths, their way to give the token, and bodies with all their habits. */
describe.each(engines)('the requests of tools, on %s', { timeout: 60_000 }, (engine) => {
  let world: GraphWorld
  beforeAll(async () => {
    world = await aGraphWorld(engine)
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Hi' })
    await waitFor(async () => {
      const { body } = await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(world.customer)}`)
      return body.data.messages.length > 0
    }, 20_000)
  })
  afterAll(() => world?.stop())

  const connect = async (tool: ToolName): Promise<Tool & { appId: string; appSecret: string }> => {
    const made = await world.connect({ tool, options: { hosts: ['tool.invalid'] } })
    const { row } = await requireConnection(world.service.rt, world.accountId, made.row.id)
    return { ...made, ...openConnection(world.service.rt, row) }
  }
  const ask = async (path: string, { header, query = {}, form, json, method }: Asked = {}) => {
    const search = new URLSearchParams(query).toString()
    const response = await world.fetchGraph(`${path}${search && `?${search}`}`, {
      method: method ?? (form || json ? 'POST' : 'GET'),
      headers: {
        ...(header ? { authorization: header } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(form && { body: new URLSearchParams(form) }),
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: answers are what the test looks into
    return { status: response.status, body: (await response.json()) as any }
  }
  const to = () => world.customer.slice(1)
  const isSent = ({ status, body }: { status: number; body: { messages?: { id: string }[] } }) =>
    expect([status, body.messages?.[0]?.id]).toEqual([200, expect.stringMatching(/^wamid\./)])

  test('Chatwoot', async () => {
    // As it sends them, and as Meta accepts them.
    departFromContract(/request\.context is object|request\.interactive\.action is object/)
    const { token } = await connect('chatwoot')
    const templates = await ask(`/v14.0/${world.waba}/message_templates`, { query: { access_token: token } })
    expect(templates.status).toBe(200)
    for (let next = templates.body.paging?.next, pages = 0; next && pages < 3; pages++) {
      const page = await ask(next)
      expect(page.status).toBe(200)
      next = page.body.paging?.next
    }
    const header = `Bearer ${token}`
    const messages = `/v13.0/${world.number}/messages`
    const common = { messaging_product: 'whatsapp', context: null, to: to() }
    isSent(await ask(messages, { header, json: { ...common, text: { body: 'Hello from support' }, type: 'text' } }))
    const action = JSON.stringify({ buttons: [{ type: 'reply', reply: { id: 'Yes', title: 'Yes' } }] })
    const interactive = { type: 'button', body: { text: 'Solved?' }, action }
    isSent(await ask(messages, { header, json: { ...common, interactive, type: 'interactive' } }))
    const template = {
      name: 'hello_world',
      language: { policy: 'deterministic', code: 'en_US' },
      components: [],
    }
    isSent(
      await ask(messages, {
        header,
        json: { messaging_product: 'whatsapp', recipient_type: 'individual', to: to(), type: 'template', template },
      }),
    )
  })

  test('Typebot', async () => {
    const { token, appId } = await connect('typebot')
    const header = `Bearer ${token}`
    const debugged = await ask('/v23.0/debug_token', { header, query: { input_token: token } })
    expect(debugged.body.data).toMatchObject({ app_id: appId, is_valid: true, expires_at: 0 })
    expect(debugged.body.data.scopes).toEqual(
      expect.arrayContaining(['whatsapp_business_management', 'whatsapp_business_messaging']),
    )
    const numbers = await ask(`/v23.0/${world.waba}/phone_numbers`, { header })
    expect(numbers.body.data).toMatchObject([{ id: world.number, display_phone_number: expect.any(String) }])
    expect((await ask(`/v23.0/${world.waba}/subscribed_apps`, { header, method: 'POST' })).body).toEqual({
      success: true,
    })
    isSent(
      await ask(`/v23.0/${world.number}/messages`, {
        header,
        json: { to: to(), messaging_product: 'whatsapp', type: 'text', text: { body: 'Hi', preview_url: false } },
      }),
    )
  })

  test('n8n', async () => {
    const { token, appId, appSecret } = await connect('n8n')
    const header = `Bearer ${token}`
    // Its test of a credential fails on an OAuthException alone.
    const tested = await ask('/v13.0/', { header })
    expect([tested.body.error.code, tested.body.error.type]).toEqual([100, 'GraphMethodException'])
    const grant = { client_id: appId, client_secret: appSecret, grant_type: 'client_credentials' }
    const app = await ask('/v19.0/oauth/access_token', { form: grant })
    expect(app.body).toMatchObject({ access_token: expect.stringContaining(appId), token_type: 'bearer' })
    const bearer = `Bearer ${app.body.access_token}`
    expect((await ask(`/v19.0/${appId}/subscriptions`, { header: bearer })).body).toEqual({ data: [] })
    const wanted = {
      object: 'whatsapp_business_account',
      callback_url: 'https://tool.invalid/webhook',
      verify_token: 'n',
      fields: ['messages'],
      include_values: true,
    }
    const refused = await ask(`/v19.0/${appId}/subscriptions`, { header: bearer, json: wanted })
    // There is nobody at that address to return the challenge.
    expect(refused.body.error.code).toBe(2200)
    isSent(
      await ask(`/v13.0/${world.number}/messages`, {
        header,
        json: {
          messaging_product: 'whatsapp',
          type: 'text',
          to: to(),
          text: { body: 'From a workflow', preview_url: false },
        },
      }),
    )
  })

  test('pywa', async () => {
    const { token, appId, appSecret } = await connect('pywa')
    const header = `Bearer ${token}`
    const grant = { grant_type: 'client_credentials', client_id: appId, client_secret: appSecret }
    const { body } = await ask('/v23.0/oauth/access_token', { header, query: grant })
    const app = String(body.access_token)
    const wanted = {
      object: 'whatsapp_business_account',
      callback_url: 'https://tool.invalid/',
      verify_token: 'v',
      fields: 'messages',
      access_token: app,
    }
    expect(
      (await ask(`/v23.0/${appId}/subscriptions`, { header, query: wanted, method: 'POST' })).body.error.code,
    ).toBe(2200)
    const sent = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: to(),
      type: 'text',
      text: { body: 'Olá', preview_url: false },
      biz_opaque_callback_data: 'order 7',
    }
    isSent(await ask(`/v23.0/${world.number}/messages`, { header, json: sent }))
    const override = {
      webhook_configuration: { override_callback_uri: 'https://elsewhere.invalid/', verify_token: 'v' },
    }
    expect((await ask(`/v23.0/${world.number}/`, { header, json: override })).status).toBe(400)
  })

  test('Evolution and builderbot', async () => {
    const { token } = await connect('evolution')
    const header = `Bearer ${token}`
    expect((await ask(`/v20.0/${world.number}`, { header })).body).toMatchObject({ id: world.number })
    const list = {
      type: 'list',
      header: { type: 'text', text: 'Menu' },
      body: { text: 'Choose' },
      action: { button: 'Open', sections: [{ title: 'Food', rows: [{ id: 'a', title: 'Soup', description: '' }] }] },
    }
    isSent(
      await ask(`/v20.0/${world.number}/messages`, {
        header,
        json: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: to(),
          type: 'interactive',
          interactive: list,
        },
      }),
    )
    const unknown = await ask(`/v20.0/${world.number}/messages`, {
      header,
      json: { messaging_product: 'whatsapp', to: to(), type: 'image', image: { id: '1' } },
    })
    expect(unknown.body.error.code).toEqual(expect.any(Number))
  })
})
