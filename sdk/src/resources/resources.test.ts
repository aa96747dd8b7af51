import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Postern } from '../client.ts'
import type { ApiPromise } from '../http/api-promise.ts'
import type { List } from '../http/pagination.ts'
import { FakeGateway } from '../testing/fake-gateway.ts'

type CallCase = [
  name: string,
  call: (client: Postern) => ApiPromise<unknown>,
  method: string,
  url: string,
  json?: unknown,
]

const since = new Date('2026-01-01T00:00:00Z')
const firstPage = (list: List<unknown>) => list.page()

const calls: CallCase[] = [
  ['auth.me', (c) => c.auth.me(), 'GET', '/v1/auth/me'],
  ['auth.revoke', (c) => c.auth.revoke(), 'POST', '/v1/auth/revoke', {}],
  ['messages.get', (c) => c.messages.get('wamid.A/B+C='), 'GET', '/v1/chat/messages/wamid.A%2FB%2BC%3D'],
  ['messages.cancel', (c) => c.messages.cancel('out_1'), 'POST', '/v1/chat/messages/out_1/cancel'],
  [
    'messages.cancelAll',
    (c) => c.messages.cancelAll({ clientReference: 'visit-77' }),
    'POST',
    '/v1/chat/messages/cancel',
    { client_reference: 'visit-77' },
  ],
  ['messages.markRead', (c) => c.messages.markRead('wamid.A/B='), 'POST', '/v1/chat/messages/wamid.A%2FB%3D/read', {}],
  [
    'messages.markRead, typing',
    (c) => c.messages.markRead('wamid.1', { typing: true }),
    'POST',
    '/v1/chat/messages/wamid.1/read',
    { typing: true },
  ],
  [
    'messages.list',
    (c) => firstPage(c.messages.list({ outcome: 'unknown', status: ['sent', 'failed'], since })),
    'GET',
    '/v1/chat/messages?outcome=unknown&status=sent%2Cfailed&since=2026-01-01T00%3A00%3A00.000Z',
  ],
  ['media.get', (c) => c.media.get('med_1'), 'GET', '/v1/chat/media/med_1'],
  ['media.delete', (c) => c.media.delete('med_1'), 'DELETE', '/v1/chat/media/med_1'],
  ['templates.list', (c) => firstPage(c.templates.list({ name: 'a' })), 'GET', '/v1/chat/templates?name=a'],
  [
    'templates.create',
    (c) => c.templates.create({ name: 'a', body: 'Hi' }),
    'POST',
    '/v1/chat/templates',
    { name: 'a', body: 'Hi' },
  ],
  ['templates.get', (c) => c.templates.get('tpl_1'), 'GET', '/v1/chat/templates/tpl_1'],
  [
    'templates.update',
    (c) => c.templates.update('tpl_1', { body: 'Ho' }),
    'PUT',
    '/v1/chat/templates/tpl_1',
    { body: 'Ho' },
  ],
  ['templates.delete', (c) => c.templates.delete('tpl_1'), 'DELETE', '/v1/chat/templates/tpl_1'],
  [
    'templates.preview',
    (c) => c.templates.preview('tpl_1', { components: [] }),
    'POST',
    '/v1/chat/templates/tpl_1/preview',
    { components: [] },
  ],
  ['profile.get', (c) => c.profile.get({ from: '+351210000000' }), 'GET', '/v1/chat/profile?from=%2B351210000000'],
  [
    'profile.update',
    (c) => c.profile.update({ about: 'Open', photo: { mediaId: 'med_1' } }),
    'PUT',
    '/v1/chat/profile',
    { about: 'Open', photo: { media_id: 'med_1' } },
  ],
  [
    'conversations.control',
    (c) => c.conversations.control('US.1', { from: '+12025550199' }),
    'GET',
    '/v1/chat/conversations/US.1/control?from=%2B12025550199',
  ],
  [
    'conversations.setControl',
    (c) => c.conversations.setControl('US.1', { action: 'release' }),
    'POST',
    '/v1/chat/conversations/US.1/control',
    { action: 'release' },
  ],
  ['links.list', (c) => c.links.list({ from: '+12025550199' }), 'GET', '/v1/chat/links?from=%2B12025550199'],
  [
    'links.create',
    (c) => c.links.create({ message: 'Hi', qrImage: 'png' }),
    'POST',
    '/v1/chat/links',
    { message: 'Hi', qr_image: 'png' },
  ],
  ['links.update', (c) => c.links.update('A/B', { message: 'Ho' }), 'PUT', '/v1/chat/links/A%2FB', { message: 'Ho' }],
  ['links.delete', (c) => c.links.delete('L1'), 'DELETE', '/v1/chat/links/L1'],
  ['automation.get', (c) => c.automation.get(), 'GET', '/v1/chat/automation'],
  ['automation.set', (c) => c.automation.set({ prompts: [] }), 'PUT', '/v1/chat/automation', { prompts: [] }],
  ['keywords.get', (c) => c.keywords.get(), 'GET', '/v1/chat/keywords'],
  [
    'keywords.set',
    (c) => c.keywords.set({ stopWords: ['STOP'] }),
    'PUT',
    '/v1/chat/keywords',
    { stop_words: ['STOP'] },
  ],
  [
    'conversations.list',
    (c) => firstPage(c.conversations.list({ order: 'waiting', assignee: 'none' })),
    'GET',
    '/v1/chat/conversations?order=waiting&assignee=none',
  ],
  ['conversations.get', (c) => c.conversations.get('cus_1'), 'GET', '/v1/chat/conversations/cus_1'],
  [
    'conversations.assign',
    (c) => c.conversations.assign('cus_1', { assignee: 'usr_1', ifAssignee: null }),
    'PUT',
    '/v1/chat/conversations/cus_1/assignee',
    { assignee: 'usr_1', if_assignee: null },
  ],
  ['conversations.close', (c) => c.conversations.close('cus_1'), 'POST', '/v1/chat/conversations/cus_1/close'],
  ['conversations.reopen', (c) => c.conversations.reopen('cus_1'), 'POST', '/v1/chat/conversations/cus_1/reopen'],
  ['conversations.assignees', (c) => c.conversations.assignees(), 'GET', '/v1/chat/assignees'],
  ['savedReplies.list', (c) => c.savedReplies.list(), 'GET', '/v1/chat/saved-replies'],
  [
    'savedReplies.create',
    (c) => c.savedReplies.create({ shortcut: 'hi', text: 'Hello' }),
    'POST',
    '/v1/chat/saved-replies',
    { shortcut: 'hi', text: 'Hello' },
  ],
  [
    'savedReplies.update',
    (c) => c.savedReplies.update('rpl_1', { shortcut: 'hi', text: 'Hello' }),
    'PUT',
    '/v1/chat/saved-replies/rpl_1',
    { shortcut: 'hi', text: 'Hello' },
  ],
  ['savedReplies.delete', (c) => c.savedReplies.delete('rpl_1'), 'DELETE', '/v1/chat/saved-replies/rpl_1'],
  ['customers.list', (c) => firstPage(c.customers.list({ limit: 5 })), 'GET', '/v1/chat/customers?limit=5'],
  [
    'customers.create',
    (c) => c.customers.create({ address: '+12025550100' }),
    'POST',
    '/v1/chat/customers',
    { address: '+12025550100' },
  ],
  ['customers.get', (c) => c.customers.get('cus_1'), 'GET', '/v1/chat/customers/cus_1'],
  [
    'customers.setPreference',
    (c) => c.customers.setPreference('cus_1', { marketing: 'opted_out' }),
    'PUT',
    '/v1/chat/customers/cus_1/preference',
    { marketing: 'opted_out' },
  ],
  ['blocked.list', (c) => firstPage(c.blocked.list({ limit: 5 })), 'GET', '/v1/chat/blocked?limit=5'],
  [
    'blocked.add',
    (c) => c.blocked.add({ customers: ['+12025550100'] }),
    'POST',
    '/v1/chat/blocked',
    { customers: ['+12025550100'] },
  ],
  ['blocked.remove', (c) => c.blocked.remove('+12025550100'), 'DELETE', '/v1/chat/blocked/%2B12025550100'],
  ['links.list', (c) => c.links.list(), 'GET', '/v1/chat/links'],
  ['links.create', (c) => c.links.create({ message: 'Hello' }), 'POST', '/v1/chat/links', { message: 'Hello' }],
  ['links.update', (c) => c.links.update('ABC', { message: 'Hi' }), 'PUT', '/v1/chat/links/ABC', { message: 'Hi' }],
  ['links.delete', (c) => c.links.delete('ABC'), 'DELETE', '/v1/chat/links/ABC'],
  ['automation.get', (c) => c.automation.get(), 'GET', '/v1/chat/automation'],
  ['automation.set', (c) => c.automation.set({ prompts: [] }), 'PUT', '/v1/chat/automation', { prompts: [] }],
  ['keywords.get', (c) => c.keywords.get(), 'GET', '/v1/chat/keywords'],
  ['keywords.set', (c) => c.keywords.set({ stopWords: [] }), 'PUT', '/v1/chat/keywords', { stop_words: [] }],
  ['webhooks.list', (c) => firstPage(c.webhooks.list()), 'GET', '/v1/webhooks'],
  [
    'webhooks.create',
    (c) => c.webhooks.create({ url: 'https://a.test', events: ['*'], maxInFlight: 1 }),
    'POST',
    '/v1/webhooks',
    { url: 'https://a.test', events: ['*'], max_in_flight: 1 },
  ],
  ['webhooks.get', (c) => c.webhooks.get('whk_1'), 'GET', '/v1/webhooks/whk_1'],
  [
    'webhooks.update',
    (c) => c.webhooks.update('whk_1', { secret: null }),
    'PUT',
    '/v1/webhooks/whk_1',
    { secret: null },
  ],
  ['webhooks.delete', (c) => c.webhooks.delete('whk_1'), 'DELETE', '/v1/webhooks/whk_1'],
  ['webhooks.verify', (c) => c.webhooks.verify('whk_1'), 'POST', '/v1/webhooks/whk_1/verify'],
  [
    'webhooks.test',
    (c) => c.webhooks.test('whk_1', { type: 'message.read' }),
    'POST',
    '/v1/webhooks/whk_1/test',
    { type: 'message.read' },
  ],
  [
    'webhooks.rotateSecret',
    (c) => c.webhooks.rotateSecret('whk_1', { overlapSeconds: 60 }),
    'POST',
    '/v1/webhooks/whk_1/rotate-secret',
    { overlap_seconds: 60 },
  ],
  [
    'webhooks.deliveries',
    (c) => firstPage(c.webhooks.deliveries('whk_1', { messageId: 'm', cursor: 'c1' })),
    'GET',
    '/v1/webhooks/whk_1/deliveries?message_id=m&cursor=c1',
  ],
  ['webhooks.delivery', (c) => c.webhooks.delivery('whk_1', 'dlv_1'), 'GET', '/v1/webhooks/whk_1/deliveries/dlv_1'],
  ['webhooks.retry', (c) => c.webhooks.retry('whk_1', 'dlv_1'), 'POST', '/v1/webhooks/whk_1/deliveries/dlv_1/retry'],
  [
    'webhooks.replay',
    (c) => c.webhooks.replay('whk_1', { since, status: 'failed' }),
    'POST',
    '/v1/webhooks/whk_1/replay',
    { since: '2026-01-01T00:00:00.000Z', status: 'failed' },
  ],
  [
    'broadcasts.create',
    (c) =>
      c.broadcasts.create({
        name: 'Sale',
        template: 'sale',
        language: 'en_US',
        validFor: 600,
        recipients: [{ to: '+1', values: { firstName: 'Ana' }, timeZone: 'Europe/Lisbon' }],
      }),
    'POST',
    '/v1/chat/broadcasts',
    {
      name: 'Sale',
      template: 'sale',
      language: 'en_US',
      valid_for: 600,
      recipients: [{ to: '+1', values: { firstName: 'Ana' }, time_zone: 'Europe/Lisbon' }],
    },
  ],
  [
    'broadcasts.list',
    (c) => firstPage(c.broadcasts.list({ status: 'draft' })),
    'GET',
    '/v1/chat/broadcasts?status=draft',
  ],
  ['broadcasts.get', (c) => c.broadcasts.get('bct_1'), 'GET', '/v1/chat/broadcasts/bct_1'],
  [
    'broadcasts.update',
    (c) => c.broadcasts.update('bct_1', { maxPerSecond: 5 }),
    'PUT',
    '/v1/chat/broadcasts/bct_1',
    { max_per_second: 5 },
  ],
  ['broadcasts.delete', (c) => c.broadcasts.delete('bct_1'), 'DELETE', '/v1/chat/broadcasts/bct_1'],
  [
    'broadcasts.upload',
    (c) => c.broadcasts.upload('bct_1', [{ to: '+1', values: { order_no: 1 } }], { dryRun: true }),
    'POST',
    '/v1/chat/broadcasts/bct_1/recipients?dry_run=true',
    { recipients: [{ to: '+1', values: { order_no: 1 } }] },
  ],
  [
    'broadcasts.problems',
    (c) => c.broadcasts.problems('bct_1', 'upl_1'),
    'GET',
    '/v1/chat/broadcasts/bct_1/uploads/upl_1/problems',
  ],
  ['broadcasts.estimate', (c) => c.broadcasts.estimate('bct_1'), 'GET', '/v1/chat/broadcasts/bct_1/estimate'],
  [
    'broadcasts.preview',
    (c) => c.broadcasts.preview('bct_1', { line: 7 }),
    'POST',
    '/v1/chat/broadcasts/bct_1/preview',
    { line: 7 },
  ],
  [
    'broadcasts.test',
    (c) => c.broadcasts.test('bct_1', { to: ['+1'] }),
    'POST',
    '/v1/chat/broadcasts/bct_1/test',
    { to: ['+1'] },
  ],
  [
    'broadcasts.start',
    (c) => c.broadcasts.start('bct_1', { startAt: since, recipients: 2 }),
    'POST',
    '/v1/chat/broadcasts/bct_1/start',
    { start_at: '2026-01-01T00:00:00.000Z', recipients: 2 },
  ],
  ['broadcasts.pause', (c) => c.broadcasts.pause('bct_1'), 'POST', '/v1/chat/broadcasts/bct_1/pause'],
  ['broadcasts.resume', (c) => c.broadcasts.resume('bct_1'), 'POST', '/v1/chat/broadcasts/bct_1/resume'],
  ['broadcasts.cancel', (c) => c.broadcasts.cancel('bct_1'), 'POST', '/v1/chat/broadcasts/bct_1/cancel'],
  [
    'broadcasts.recipients',
    (c) => firstPage(c.broadcasts.recipients('bct_1', { result: 'failed' })),
    'GET',
    '/v1/chat/broadcasts/bct_1/recipients?result=failed',
  ],
  [
    'broadcasts.export',
    (c) => c.broadcasts.export('bct_1', { result: 'sent' }),
    'GET',
    '/v1/chat/broadcasts/bct_1/recipients.csv?result=sent',
  ],
  [
    'broadcasts.copy',
    (c) => c.broadcasts.copy('bct_1', { results: ['failed'] }),
    'POST',
    '/v1/chat/broadcasts/bct_1/copy',
    { results: ['failed'] },
  ],
  ['events.list', (c) => c.events.list({ messageId: 'm' }).page(), 'GET', '/v1/events?message_id=m'],
  [
    'analytics.get',
    (c) => c.analytics.get({ groupBy: ['template', 'type'] }),
    'GET',
    '/v1/chat/analytics?group_by=template%2Ctype',
  ],
  [
    'analytics.serviceTimes',
    (c) => c.analytics.serviceTimes({ from: '2026-11-01' }),
    'GET',
    '/v1/chat/service-times?from=2026-11-01',
  ],
  ['budgets.list', (c) => c.budgets.list(), 'GET', '/v1/chat/budgets'],
  [
    'budgets.create',
    (c) => c.budgets.create({ name: 'Marketing', limit: '500', period: 'month', currency: 'EUR' }),
    'POST',
    '/v1/chat/budgets',
    { name: 'Marketing', limit: '500', period: 'month', currency: 'EUR' },
  ],
  [
    'budgets.update',
    (c) => c.budgets.update('bdg_1', { warnAt: 90 }),
    'PUT',
    '/v1/chat/budgets/bdg_1',
    { warn_at: 90 },
  ],
  ['budgets.delete', (c) => c.budgets.delete('bdg_1'), 'DELETE', '/v1/chat/budgets/bdg_1'],
  ['analytics.costs', (c) => c.analytics.costs({ from: '2026-11-01' }), 'GET', '/v1/chat/costs?from=2026-11-01'],
]

test.each(calls)('%s calls its route', async (_, call, method, url, json) => {
  await using gateway = await FakeGateway.start(() => ({ data: {} }))
  await call(gateway.client())
  expect(gateway.seen).toHaveLength(1)
  expect(gateway.seen[0]).toMatchObject({ method, url })
  expect(gateway.seen[0]?.json).toEqual(json)
})

test('every operation of the document is called here', async () => {
  const text = await readFile(new URL('../../../docs/api/openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, object> }
  const isCalled = (verb: string, template: string) => {
    const pattern = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)
    return calls.some(([, , method, url]) => method === verb && pattern.test(url.replace(/\?.*/, '')))
  }
  const documented = Object.entries(paths).flatMap(([template, verbs]) =>
    Object.keys(verbs).map((verb) => ({ verb: verb.toUpperCase(), template })),
  )
  const uncalled = documented.filter(({ verb, template }) => !isCalled(verb, template))
  expect(uncalled.map(({ verb, template }) => `${verb} ${template}`).toSorted()).toEqual([
    // Sends and files have their own tests below, tokens in token.test.ts; a token is fetched anew, never refreshed.
    'GET /v1/chat/media/{media_id}/content',
    // Listening and triggering are for the command line.
    'GET /v1/listen',
    'POST /v1/auth/refresh',
    'POST /v1/auth/token',
    'POST /v1/chat/media',
    'POST /v1/chat/messages/contacts',
    'POST /v1/chat/messages/interactive',
    'POST /v1/chat/messages/location',
    'POST /v1/chat/messages/media',
    'POST /v1/chat/messages/reaction',
    'POST /v1/chat/messages/send',
    'POST /v1/chat/messages/sticker',
    'POST /v1/chat/messages/template',
    'POST /v1/events/trigger',
    'POST /v1/listen/attempts',
  ])
})

describe('sending', () => {
  const to = '+12025550100'

  test('the short form of a template body becomes a body component beside the others', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { message_id: 'wamid.1', template: 'order' } }))
    const sent = await gateway.client().messages.sendTemplate({
      to,
      template: 'order',
      language: 'en_US',
      body: ['Ana', 7, { type: 'currency', currency: { code: 'EUR', amount_1000: 42_000, fallbackValue: '€42' } }],
      components: [{ type: 'button', subType: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] }],
    })
    expect(sent.messageId).toBe('wamid.1')
    expect(gateway.seen[0]).toMatchObject({ url: '/v1/chat/messages/template' })
    expect(gateway.seen[0]?.json).toEqual({
      to,
      template: 'order',
      language: 'en_US',
      components: [
        { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '7' },
            { type: 'currency', currency: { code: 'EUR', amount_1000: 42_000, fallback_value: '€42' } },
          ],
        },
      ],
    })
  })

  test('body values given twice are refused', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    const twice = {
      to,
      template: 't',
      language: 'en',
      body: ['a'],
      components: [{ type: 'body' as const, parameters: [] }],
    }
    expect(() => gateway.client().messages.sendTemplate(twice)).toThrow(TypeError)
  })

  test('a text can name a template to fall back to, with the same short form', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { message_id: 'wamid.1', used: 'template' } }))
    const sent = await gateway.client().messages.send({
      to,
      message: 'Hello',
      fallback: { template: 't', language: 'en', body: ['Ana'] },
    })
    expect(sent.used).toBe('template')
    expect(gateway.seen[0]?.json).toEqual({
      to,
      message: 'Hello',
      fallback: {
        template: 't',
        language: 'en',
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
      },
    })
  })

  test('a dry run is marked in the query and typed as one', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: { dry_run: true, would_send: true, problems: [] } }))
    const plan = await gateway.client().messages.send({ to, message: 'Hello' }, { dryRun: true })
    expect(plan.wouldSend).toBe(true)
    expect(gateway.seen[0]).toMatchObject({
      url: '/v1/chat/messages/send?dry_run=true',
      json: { to, message: 'Hello' },
    })
  })

  test('ways to pay keep their names', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    const ways = [{ type: 'payment_gateway', payment_gateway: { configuration_name: 'shop', keyType: 'x' } }]
    const items = [{ name: 'Pot', quantity: 1, amount: 550, productId: 'SKU-1' }]
    const order = {
      referenceId: 'A-1',
      goods: 'physical',
      currency: 'INR',
      items,
      tax: 0,
      paymentSettings: ways,
    } as const
    await gateway.client().messages.sendInteractive({ to, type: 'order_details', body: 'Yours.', order })
    expect(gateway.seen[0]?.json).toHaveProperty('order', {
      reference_id: 'A-1',
      goods: 'physical',
      currency: 'INR',
      items: [{ name: 'Pot', quantity: 1, amount: 550, product_id: 'SKU-1' }],
      tax: 0,
      payment_settings: ways,
    })
  })

  test('values for a screen of a Flow keep their names', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    const flow = { id: '1', screen: 'DAYS', screenData: { freeDays: ['Mon'], max_days: 2 } }
    await gateway.client().messages.sendInteractive({ to, type: 'flow', body: 'When?', button: 'Book', flow })
    const sent = { id: '1', screen: 'DAYS', screen_data: { freeDays: ['Mon'], max_days: 2 } }
    expect(gateway.seen[0]?.json).toEqual({ to, type: 'flow', body: 'When?', button: 'Book', flow: sent })
  })

  test('all but texts and templates have routes of their own', async () => {
    await using gateway = await FakeGateway.start(() => ({ data: {} }))
    const { messages } = gateway.client()
    await messages.sendMedia({ to, type: 'document', mediaId: 'med_1', filename: 'a.pdf' })
    await messages.sendInteractive({ to, type: 'quick_replies', body: 'Well?', replies: ['Yes', 'No'] })
    await messages.sendLocation({ to, latitude: 38.7, longitude: -9.1, clientReference: 'A-1' })
    const card = { name: { formattedName: 'Ana' }, phones: [{ phone: '+351 912 345 678', waId: '351912345678' }] }
    await messages.sendContacts({ to, contacts: [card] })
    await messages.sendSticker({ to, mediaId: 'med_2' })
    await messages.sendReaction({ to, messageId: 'wamid.1', emoji: '👍' })
    expect(gateway.seen).toMatchObject([
      { url: '/v1/chat/messages/media', json: { to, type: 'document', media_id: 'med_1', filename: 'a.pdf' } },
      {
        url: '/v1/chat/messages/interactive',
        json: { to, type: 'quick_replies', body: 'Well?', replies: ['Yes', 'No'] },
      },
      {
        url: '/v1/chat/messages/location',
        json: { to, latitude: 38.7, longitude: -9.1, client_reference: 'A-1' },
      },
      {
        url: '/v1/chat/messages/contacts',
        json: {
          to,
          contacts: [
            { name: { formatted_name: 'Ana' }, phones: [{ phone: '+351 912 345 678', wa_id: '351912345678' }] },
          ],
        },
      },
      { url: '/v1/chat/messages/sticker', json: { to, media_id: 'med_2' } },
      { url: '/v1/chat/messages/reaction', json: { to, message_id: 'wamid.1', emoji: '👍' } },
    ])
  })
})

describe('media', () => {
  const bytes = Uint8Array.from([0xff, 0xd8, 0xff, 0x00])

  async function formOf(seen: { headers: Record<string, unknown>; body: Buffer } | undefined): Promise<FormData> {
    const headers = { 'content-type': String(seen?.headers['content-type']) }
    return new Response(Uint8Array.from(seen?.body ?? []), { headers }).formData()
  }

  test.each<[string, Blob | Uint8Array<ArrayBuffer> | ArrayBuffer]>([
    ['bytes', bytes],
    ['an ArrayBuffer', bytes.buffer],
    ['a Blob', new Blob([bytes])],
  ])('%s are uploaded as a form', async (_, file) => {
    await using gateway = await FakeGateway.start(() => ({
      status: 201,
      data: { media_id: 'med_1', mime_type: 'image/jpeg' },
    }))
    const media = await gateway.client().media.upload({ file, filename: 'photo.jpg' })
    expect(media).toEqual({ mediaId: 'med_1', mimeType: 'image/jpeg' })
    const form = await formOf(gateway.seen[0])
    const part = form.get('file') as File
    expect(form.get('filename')).toBe('photo.jpg')
    expect(part.name).toBe('photo.jpg')
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes)
  })

  test('an upload whose answer is lost is repeated whole, with the same key', async () => {
    const replies = ['reset', { status: 201, data: { media_id: 'med_1' } }] as const
    await using gateway = await FakeGateway.start(() => replies[gateway.seen.length - 1] ?? 'reset')
    await gateway.client().media.upload({ file: new File([bytes], 'named.jpg') })
    expect(gateway.seen).toHaveLength(2)
    const keys = gateway.seen.map((request) => request.headers['idempotency-key'])
    expect(keys[0]).toBe(keys[1])
    const form = await formOf(gateway.seen[1])
    expect(form.get('filename')).toBe('named.jpg')
    expect((form.get('file') as File).size).toBe(bytes.length)
  })

  test('content hands out the bytes unread', async () => {
    await using gateway = await FakeGateway.start(() => ({
      text: bytes,
      status: 200,
      headers: { 'content-type': 'image/jpeg' },
    }))
    const response = await gateway.client().media.content('med_1')
    expect(response.bodyUsed).toBe(false)
    expect(response.headers.get('content-type')).toBe('image/jpeg')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  test('content that is refused is an error like any other', async () => {
    await using gateway = await FakeGateway.start(() => ({
      error: { code: 'media_not_found', type: 'not_found', status: 404 },
    }))
    await expect(gateway.client().media.content('med_1')).rejects.toMatchObject({ name: 'NotFoundError' })
  })
})
