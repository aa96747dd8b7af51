import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { setDefaultNumber } from '../../server/src/channels/save-channel.ts'
import { connectChannel } from '../../server/src/connect/connect-channel.ts'
import { disconnectChannel } from '../../server/src/connect/console-channels.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

/**
 * A new business from nothing to its end, on a platform that enforces every prerequisite. Each exchange is held against
 * the recorded contract by the setup that all tests share; here it is counted, so that none of the kinds is missing.
 */
describe('The life of a channel on a strict platform', { timeout: 60_000 }, () => {
  let world: World
  const seen = new Set<string>()
  const seeCall = (message: unknown) => {
    const { call, status } = message as { call: string; status: number }
    if (status < 400) seen.add(call)
  }
  const seeCallback = (message: unknown) => {
    const { entry } = JSON.parse(String((message as { body: Buffer }).body)) as {
      entry: { changes: { field: string; value: { messages?: unknown; statuses?: unknown } }[] }[]
    }
    for (const { field, value } of entry.flatMap(({ changes }) => changes)) {
      seen.add(value.statuses === undefined ? `callback ${field}` : 'callback statuses')
    }
  }
  beforeAll(async () => {
    subscribe('postern.sandbox.call', seeCall)
    subscribe('postern.sandbox.callback', seeCallback)
    world = await aWorld('sqlite')
  })
  afterAll(async () => {
    unsubscribe('postern.sandbox.call', seeCall)
    unsubscribe('postern.sandbox.callback', seeCallback)
    await world.stop()
  })

  const recordOf = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const reach = (id: string, status: string) => waitFor(async () => (await recordOf(id))?.status === status, 15_000)

  test('connect, send, be told, have a template reviewed, receive, respect an opt-out, follow a number, leave', async () => {
    const { rt } = world.service
    const { body: number } = await world.control('POST', '/_sandbox/numbers', { registered: false })
    const { phone_number_id: id, waba_id: waba, access_token: token, phone_number: from } = number
    const atMeta = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const url = `${world.sandboxUrl}/v26.0/${id}/${path}`
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(await answer.json()).toEqual({ success: true })
    }

    // From nothing: the number is neither verified nor registered, and the app has no subscription.
    const credentials = { accessToken: token, appSecret: number.app_secret, baseUrl: world.sandboxUrl }
    const connect = (pin: string | null) =>
      connectChannel(rt, {
        accountId: world.accountId,
        kind: 'cloud',
        wabaId: waba,
        phoneNumberId: id,
        ...credentials,
        pin,
        actor: operator,
      })
    expect((await connect('123456')).channel).toBeNull()
    await atMeta('request_code', { code_method: 'SMS', language: 'en_US' })
    await atMeta('verify_code', { code: number.verification_code })
    const connected = await connect('123456')
    const outcomes = Object.fromEntries(connected.steps.map(({ name, status }) => [name, status]))
    expect(outcomes).toMatchObject({
      number: 'ok',
      app_callback: 'ok',
      subscription: 'ok',
      callback: 'ok',
      read_back: 'ok',
    })
    // Meta's reviews are not over: told, and no reason not to connect.
    expect(outcomes.health).toBe('warning')
    await world.control('POST', `/_sandbox/numbers/${id}/approve`)
    const chosen = { accountId: world.accountId, numberId: connected.numberId ?? '', actor: operator }
    expect(await setDefaultNumber(rt, chosen)).toBe(true)

    // Send, and be told what became of it.
    const to = '+12025550100'
    const text = await world.post('/v1/chat/messages/send', { from, to, message: 'Hello' })
    await reach(text.body.data.message_id, 'read')
    const greeting = { from, template: 'hello_world', language: 'en_US' }
    const failing = await world.post('/v1/chat/messages/template', { ...greeting, to: '+12025550102' })
    await reach(failing.body.data.message_id, 'failed')

    // A template goes through review; the decision arrives at the address of the app, and nowhere else.
    const created = await world.post('/v1/chat/templates', {
      name: 'as_recorded_sale',
      language: 'en_US',
      category: 'marketing',
      body: 'Everything must go.',
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { id: templateId } = created.body.data
    const approved = async () => (await world.get(`/v1/chat/templates/${templateId}`)).body.data.status === 'approved'
    await waitFor(approved, 15_000)
    const { data: deliveries } = (await world.control('GET', '/_sandbox/callbacks')).body
    const asApp = { authorization: `Bearer ${number.app_id}|${number.app_secret}` }
    const app = await (
      await fetch(`${world.sandboxUrl}/v26.0/${number.app_id}/subscriptions`, { headers: asApp })
    ).json()
    const appAddress = (app as { data: { callback_url: string }[] }).data[0]?.callback_url ?? ''
    expect(new URL(appAddress).pathname).toMatch(/^\/channel\/app\/[0-9a-f]{32}\/callback$/)
    const told = deliveries.filter(({ destination }: { destination: string }) => destination === appAddress)
    expect(told).toMatchObject([{ state: 'delivered', updates: 1 }])

    // A customer sends a picture.
    const written = await world.control('POST', '/_sandbox/inbound', { to: from, from: to, type: 'image' })
    const picture = written.body.message_id
    await waitFor(async () => ((await recordOf(picture))?.content?.media?.size ?? null) !== null, 15_000)
    expect((await world.post(`/v1/chat/messages/${encodeURIComponent(picture)}/read`)).status).toBe(200)

    // The customer wants no more marketing.
    const promote = () => world.post('/v1/chat/messages/template', { ...greeting, template: 'as_recorded_sale', to })
    await world.control('POST', '/_sandbox/preferences', { to: from, from: to, value: 'stop' })
    await waitFor(async () => (await promote()).body.error?.code === 'recipient_opted_out', 15_000)

    // The customer gets another number, and the window stays open.
    const moved = '+12025550190'
    await world.control('POST', '/_sandbox/identity-changes', { to: from, from: to, new_phone_number: moved })
    const dry = { from, to: moved, message: 'Hi' }
    const windowOf = async () => (await world.post('/v1/chat/messages/send?dry_run=true', dry)).body.data?.window.state
    await waitFor(async () => (await windowOf()) === 'open', 15_000)

    // The end: Meta reports elsewhere again, and nothing leaves.
    const channelId = connected.channel?.id ?? ''
    const left = await disconnectChannel(rt, { accountId: world.accountId, channelId, actor: operator })
    expect(left).toMatchObject({ status: 'ok', sentence: 'Meta no longer reports to this gateway.' })
    const headers = { authorization: `Bearer ${token}` }
    const subscribed = await fetch(`${world.sandboxUrl}/v26.0/${waba}/subscribed_apps`, { headers })
    expect(JSON.stringify(await subscribed.json())).not.toContain('override_callback_uri')
    expect((await world.post('/v1/chat/messages/send', { from, to: moved, message: 'Hi' })).status).not.toBe(200)

    expect([...seen]).toEqual(
      expect.arrayContaining([
        'POST /{phone_number}/register',
        'GET /{phone_number}',
        'GET /{waba}',
        'GET /debug_token',
        'GET /{app}/subscriptions',
        'POST /{app}/subscriptions',
        'GET {callback}',
        'POST /{waba}/subscribed_apps',
        'GET /{waba}/subscribed_apps',
        'POST /{phone_number}/messages',
        'POST /{waba}/message_templates',
        'GET /{media}',
        'GET /{media_bytes}',
        'callback messages',
        'callback statuses',
        'callback message_template_status_update',
        'callback user_preferences',
      ]),
    )
  })
})
