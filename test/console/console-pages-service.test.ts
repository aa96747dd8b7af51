import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandboxControl } from '../../server/src/platform/sandbox-control.ts'
import { pdf } from '../media/media-support.ts'
import { aConsoleService, type ConsoleService } from '../support/console/console-service.ts'
import { aVisitor, password } from '../support/console/console-world.ts'
import { engines } from '../support/postgres/databases.ts'
import { type HostileReceiver, startHostileReceiver } from '../support/receiver/hostile-receiver.ts'
import { respond } from '../support/receiver/hostile-receiver-reactions.ts'
import { tokenOfLink } from '../support/setup-link.ts'
import { waitFor } from '../support/wait-for.ts'

describe.each(engines)('the pages over a whole gateway on %s', (engine) => {
  let world: ConsoleService
  let receiver: HostileReceiver
  let numberId: string

  beforeAll(async () => {
    world = await aConsoleService(engine, { POSTERN_WEBHOOK_RETRY_SCHEDULE: '0, 50ms' })
    receiver = await startHostileReceiver()
    numberId = (await read('/sandbox/numbers')).numbers[0].id
  }, 60_000)
  afterAll(async () => {
    await world?.stop()
    await receiver?.close()
  })

  const read = async (path: string) => (await world.owner.call('GET', path)).json.data
  const write = async (method: string, path: string, body: unknown = {}) =>
    (await world.owner.call(method, path, body)).json.data
  const place = () => ({ number_id: numberId, customer: world.customer })

  test('trace a message from the phone to the webhook and into the figures', async () => {
    const { id } = await write('POST', '/webhooks', { url: `${receiver.url}/ok`, events: ['*'] })
    await waitFor(async () => (await read(`/webhooks/${id}`)).webhook.verification.status === 'verified', 10_000)
    const sent = await write('POST', '/messages/send', { to: world.customer, message: 'Hello' })
    const path = `/messages/${encodeURIComponent(sent.message_id)}`
    const told = async () => (await read(path)).events.flatMap(({ deliveries }: { deliveries: object[] }) => deliveries)
    await waitFor(
      async () => (await told()).filter((one: { status: string }) => one.status === 'delivered').length === 3,
      10_000,
    )
    expect(await told()).toEqual(Array(3).fill(expect.objectContaining({ webhook_id: id, status_code: 200 })))
    await write('POST', '/sandbox/inbound', { ...place(), act: { kind: 'media', type: 'image', caption: 'Look' } })
    await waitFor(async () => (await read('/messages?type=image')).entries.length === 1, 10_000)
    // Who told their name is called by it in what is sent to them too.
    const [received] = (await read('/messages?type=image')).entries
    const [answered] = (await read('/messages?direction=outbound')).entries
    expect([received.name, answered.name]).toEqual([expect.any(String), received.name])
    const events = (await read('/sandbox/events')).events.map(({ type }: { type: string }) => type)
    expect(events).toEqual(
      expect.arrayContaining(['message.sent', 'message.delivered', 'message.read', 'message.received']),
    )
    const { hours, duration_ms_p95: p95, webhook } = await read(`/webhooks/${id}`)
    expect([hours.length, webhook.signed]).toEqual([24, false])
    expect(hours.at(-1).delivered + hours.at(-2).delivered).toBeGreaterThanOrEqual(3)
    expect(p95).toBeGreaterThanOrEqual(0)
    const { figures, channel } = await read('/home')
    expect(figures).toMatchObject({ sent: 1, delivered: 1, read: 1, failed: 0, received: 1 })
    expect(channel).toMatchObject({ sandbox: true, healthy: true })
  })

  test('keep pictures behind the session, and hand them out as attachments', async () => {
    await waitFor(async () => (await imageOf())?.media_id != null, 10_000)
    const address = `${world.url}/console/api/media/${(await imageOf()).media_id}/content`
    const get = (cookie: string) => fetch(address, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
    await waitFor(async () => (await get(world.owner.cookie)).status === 200, 10_000)
    const answer = await get(world.owner.cookie)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(answer.headers.get('content-security-policy')).toBe('sandbox')
    expect((await get('')).status).toBe(401)
  })

  test('count what failed, show it to the home page, and replay it', async () => {
    const { id } = await write('POST', '/webhooks', { url: `${receiver.url}/bad`, events: ['message.sent'] })
    await waitFor(async () => (await read(`/webhooks/${id}`)).webhook.verification.status === 'verified', 10_000)
    receiver.on('/bad', respond({ status: 503, body: 'no' }))
    await write('POST', '/messages/send', { to: world.customer, message: 'Lost' })
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const replayable = async () => read(`/webhooks/${id}/replay?since=${since}`)
    await waitFor(async () => (await replayable()).matched === 1, 15_000)
    expect((await replayable()).sample).toMatchObject([{ type: 'message.sent', status: 'failed' }])
    const items = (await read('/home')).attention.map(({ id: item }: { id: string }) => item)
    expect(items).toContain(`webhook-${id}`)
    expect((await read(`/webhooks/${id}`)).last_success).toBeNull()
    receiver.on('/bad', respond({ status: 200 }))
    expect(await write('POST', `/webhooks/${id}/replay`, { since })).toMatchObject({ matched: 1, queued: 1 })
    await waitFor(
      async () => (await read(`/webhooks/${id}/deliveries?status=delivered`)).deliveries.length === 1,
      15_000,
    )
    const [logged] = (await read(`/webhooks/${id}/deliveries`)).deliveries
    expect(logged).toMatchObject({ status_code: 200, delivery: { attempt_count: 3 } })
    const { last_success: succeededAt, webhook } = await read(`/webhooks/${id}`)
    expect(succeededAt).toBe(webhook.last_triggered)
  })

  test('write down who sent by hand, with the message itself', async () => {
    const sent = await write('POST', '/messages/send', { to: world.customer, message: 'By hand' })
    const { own_id: id } = await read(`/messages/${encodeURIComponent(sent.message_id)}`)
    await write('POST', `/messages/${encodeURIComponent(sent.message_id)}/again`)
    const { entries } = await read('/audit?limit=2&action=message.sent_by_hand')
    expect(entries[1]).toMatchObject({ actor: { type: 'user', name: 'Ana Sousa' }, targets: [{ type: 'message', id }] })
    expect(entries[0].targets[0].id).not.toBe(id)
    expect(JSON.stringify(entries)).not.toContain(world.customer)
  })

  test('answer a customer by hand with a file and with buttons, as support', async () => {
    const invitation = { name: 'Chloé Martin', email: 'chloe@acme.test', role: 'support' }
    const { link } = await write('POST', '/members', invitation)
    const support = aVisitor(world)
    await support.call('POST', '/setup', { token: tokenOfLink(link), ...invitation, password, role: undefined })
    const conversation = async () => read(`/conversation?customer=${encodeURIComponent(world.customer)}`)
    await write('POST', '/conversation/read', { customer: world.customer })
    await write('POST', '/sandbox/inbound', { ...place(), act: { kind: 'text', text: 'Do you have it in red?' } })
    await waitFor(async () => (await conversation()).unread === 1, 10_000)
    const form = new FormData()
    form.set('file', new Blob([pdf], { type: 'application/pdf' }), 'colours.pdf')
    const upload = (headers: Record<string, string>) =>
      fetch(`${world.url}/console/api/media`, { method: 'POST', body: form, headers })
    expect((await upload({ cookie: support.cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const stored = await upload({ cookie: support.cookie, 'sec-fetch-site': 'same-origin' })
    const { media_id } = ((await stored.json()) as { data: { media_id: string } }).data
    const from = (await conversation()).number.id
    const file = { to: world.customer, from, type: 'document', media_id, caption: 'All colours' }
    expect((await support.call('POST', '/messages/media', file)).json.data.status).toBe('sent')
    const question = { to: world.customer, from, type: 'buttons', body: 'Red?', buttons: [{ id: 'red', title: 'Red' }] }
    expect((await support.call('POST', '/messages/interactive', question)).json.data.status).toBe('sent')
    const { messages, unread } = await conversation()
    const sent = messages.slice(-2).map(({ type, sent_by }: { type: string; sent_by: string }) => [type, sent_by])
    expect([unread, sent]).toEqual([
      0,
      [
        ['document', 'Chloé Martin'],
        ['interactive', 'Chloé Martin'],
      ],
    ])
    const { entries } = await read('/audit?limit=1&action=message.sent_by_hand')
    expect(entries[0].actor.name).toBe('Chloé Martin')
  })

  test('show the customer that they were read, and count it here', async () => {
    await write('POST', '/sandbox/inbound', { ...place(), act: { kind: 'text', text: 'Thanks' } })
    const unread = async () => (await read('/conversations')).conversations[0].unread
    await waitFor(async () => (await unread()) === 1, 10_000)
    expect(await write('POST', '/conversation/read', { customer: world.customer })).toEqual({ receipt: 'sent' })
    expect(await unread()).toBe(0)
    // A program that marks a message as read has read it for everybody.
    const { message_id } = await write('POST', '/sandbox/inbound', { ...place(), act: { kind: 'text', text: 'Bye' } })
    await waitFor(async () => (await unread()) === 1, 10_000)
    expect((await world.post(`/v1/chat/messages/${encodeURIComponent(message_id)}/read`, {})).status).toBe(200)
    expect(await unread()).toBe(0)
  })

  test('close and open the window of a customer on both sides', async () => {
    await write('POST', '/sandbox/window', { ...place(), state: 'closed' })
    const { json } = await world.owner.call('POST', '/messages/send', { to: world.customer, message: 'Too late' })
    expect(json.error.code).toBe('customer_window_closed')
    const query = `number_id=${numberId}&customer=${encodeURIComponent(world.customer)}`
    expect((await read(`/sandbox/conversation?${query}`)).window.state).toBe('closed')
    await write('POST', '/sandbox/window', { ...place(), state: 'open' })
    expect((await read(`/sandbox/conversation?${query}`)).window.state).toBe('open')
    const sent = await world.owner.call('POST', '/messages/send', { to: world.customer, message: 'In time' })
    expect(sent.status).toBe(200)
  })

  test('show who follows events with postern listen beside the webhooks', async () => {
    expect((await read('/webhooks')).listeners).toEqual([])
    const listener = new AbortController()
    const stream = await fetch(`${world.service.urls.base}/v1/listen`, {
      headers: { authorization: `Bearer ${world.token}` },
      signal: listener.signal,
    })
    expect(stream.status).toBe(200)
    await waitFor(async () => (await read('/webhooks')).listeners.length === 1, 10_000)
    const [{ name }] = (await read('/keys')).keys
    expect((await read('/webhooks')).listeners).toMatchObject([{ connected: true, key_name: name }])
    listener.abort()
  })

  test('count on the home page what Meta refused and what was refused before', async () => {
    const before = (await read('/home')).figures
    // 131048: Meta's limit because of blocks and reports. The message is refused at once and was never sent.
    const rule = { when: { endpoint: 'messages' }, do: { error: { code: 131048 } }, count: 2 }
    await world.control('PUT', '/_sandbox/scenario', { rules: [rule] })
    const send = (to: string) => world.post('/v1/chat/messages/send', { to, message: 'Hello' })
    expect([(await send(world.customer)).status, (await send(world.customer)).status]).toEqual([403, 403])
    await world.control('PUT', '/_sandbox/scenario', {})
    expect((await send('+12025550123')).body.error.code).toBe('customer_window_closed')
    await waitFor(async () => (await read('/home')).figures.not_sent === before.not_sent + 1, 10_000)
    const { figures, attention } = await read('/home')
    expect(figures).toMatchObject({
      created: before.created + 2,
      sent: before.sent,
      failed: before.failed + 2,
      delivery_rate: Math.round((figures.delivered * 10_000) / (before.created + 2)) / 100,
    })
    expect(figures.hours.at(-1).created + figures.hours.at(-2).created).toBe(figures.created)
    const items = attention.map(({ id, text, to }: Record<string, string>) => [id, text, to])
    expect(items).toContainEqual([
      'refusal-customer_window_closed',
      '1 send was rejected: 24-hour window closed',
      '/messages?time=day&status=not_sent&code=customer_window_closed',
    ])
    expect(items.map(([id]: string[]) => id)).toContain('failure-channel_spam_limited')
  })

  test('remember how the phone behaves', async () => {
    const behaviour = { next: 'fails_after_sent', delay_ms: 1_000, read_receipts: false }
    await write('PUT', '/sandbox/behaviour', { number_id: numberId, ...behaviour })
    expect((await read(`/sandbox/phone?number_id=${numberId}`)).behaviour).toEqual(behaviour)
    const plain = { next: 'read', delay_ms: 0, read_receipts: true }
    await write('PUT', '/sandbox/behaviour', { number_id: numberId, ...plain })
    expect((await read(`/sandbox/phone?number_id=${numberId}`)).behaviour).toEqual(plain)
  })

  test('say that the sandbox refused, and in its words', async () => {
    const nowhere = { url: world.sandboxUrl, phoneNumberId: '999' }
    const act = sandboxControl.act(nowhere, world.customer, { kind: 'text', text: 'Hello' })
    await expect(act).rejects.toMatchObject({
      code: 'channel_rejected',
      message: expect.stringMatching(/^The sandbox rejected the request: /),
    })
  })

  test('find only the steps of the API done while everything is in the sandbox', async () => {
    const { done, steps, live } = await read('/progress')
    expect({ done, live }).toEqual({ done: 1, live: false })
    expect(steps.map(({ id, state }: { id: string; state: string }) => `${id} ${state}`)).toEqual([
      'channel todo',
      'business todo',
      'templates todo',
      'key done',
      'webhook done',
    ])
  })

  async function imageOf() {
    const [entry] = (await read('/messages?type=image')).entries
    return (await read(`/messages/${encodeURIComponent(entry.id)}`)).content.media
  }
})
