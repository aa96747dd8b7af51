import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningSandbox } from '../../cli/src/own-sandbox.ts'
import { startSandbox } from '../../sandbox/src/sandbox.ts'
import { type ContractProxy, startContractProxy } from '../support/contract-proxy.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

/** A gateway from its first start on, with the recorded contract between it and a strict platform. */
describe('what passes between a gateway and the platform is as recorded', { timeout: 60_000 }, () => {
  let world: World
  let proxy: ContractProxy
  beforeAll(async () => {
    world = await aWorld('sqlite', {}, async (): Promise<RunningSandbox> => {
      const sandbox = await startSandbox({ port: 0, approved: true, development: true })
      proxy = await startContractProxy(sandbox)
      const [first] = sandbox.numbers
      if (!first) throw new Error('The sandbox starts with one number.')
      const firstNumber = {
        phoneNumberId: first.phone_number_id,
        phoneNumber: first.phone_number,
        wabaId: first.waba_id,
        accessToken: first.access_token,
        appSecret: first.app_secret,
        appId: first.app_id,
        graphVersion: first.graph_version,
      }
      const close = async () => {
        await sandbox.close()
        await proxy.close()
      }
      return { forService: { url: proxy.url, wabaIds: [first.waba_id], firstNumber }, close }
    })
  })
  afterAll(() => world.stop())

  const statusOf = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const reach = async (id: string, status: string) => {
    await waitFor(async () => (await statusOf(id))?.status === status, 15_000)
  }

  test('connecting, sending, statuses, a template and its review, a customer with a picture', async () => {
    const text = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello' })
    await reach(text.body.data.message_id, 'read')
    const template = { to: world.customer, template: 'hello_world', language: 'en_US' }
    const greeted = await world.post('/v1/chat/messages/template', template)
    await reach(greeted.body.data.message_id, 'read')
    const failing = await world.post('/v1/chat/messages/template', { ...template, to: '+12025550102' })
    await reach(failing.body.data.message_id, 'failed')
    const created = await world.post('/v1/chat/templates', {
      name: 'as_recorded',
      language: 'en_US',
      category: 'utility',
      body: 'The order is ready.',
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { id: templateId } = created.body.data
    const reviewed = async () => (await world.get(`/v1/chat/templates/${templateId}`)).body.data.status === 'approved'
    await waitFor(reviewed, 15_000)
    const written = await world.control('POST', '/_sandbox/inbound', { from: world.customer, type: 'image' })
    const picture = written.body.message_id
    await waitFor(async () => ((await statusOf(picture))?.content?.media?.size ?? null) !== null, 15_000)
    expect((await world.post(`/v1/chat/messages/${encodeURIComponent(picture)}/read`)).status).toBe(200)
    expect([...proxy.checked]).toEqual(
      expect.arrayContaining([
        'GET /{phone_number}',
        'GET /{waba}',
        'GET /debug_token',
        'POST /{app}/subscriptions',
        'POST /{waba}/subscribed_apps',
        'GET /{waba}/subscribed_apps',
        'POST /{phone_number}/messages',
        'POST /{waba}/message_templates',
        'GET /{media}',
        'callback messages',
        'callback message_template_status_update',
      ]),
    )
    expect(proxy.differences).toEqual([])
  })
})
