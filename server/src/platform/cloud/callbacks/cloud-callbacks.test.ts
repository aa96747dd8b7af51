import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CallbackItem, InboundItem } from '../../callback-item.ts'
import { parseCallback, verifySignature } from './cloud-callbacks.ts'

const ann = { profile: { name: 'Ann', username: 'ann' }, wa_id: '15550001111', user_id: 'US.1349' }

function body(...changes: unknown[]): string {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '9001', time: 1739321024, changes }],
  })
}

function messages(value: object): object {
  const metadata = { display_phone_number: '15550783881', phone_number_id: '1065' }
  return { field: 'messages', value: { messaging_product: 'whatsapp', metadata, contacts: [ann], ...value } }
}

function only(text: string): CallbackItem {
  const items = parseCallback(text)
  const [item] = items
  if (!item || items.length !== 1) throw new Error(`One item was expected, not ${items.length}.`)
  return item
}

function inbound(message: object): InboundItem {
  const base = { from: '15550001111', from_user_id: 'US.1349', id: 'wamid.IN', timestamp: '1750030073' }
  const item = only(body(messages({ messages: [{ ...base, ...message }] })))
  if (item.kind !== 'message') throw new Error(`A message was expected, not ${item.kind}.`)
  return item
}

describe('The signature', () => {
  const raw = Buffer.from('{"a":"caf\\u00e9"}')
  const sign = (secret: string) => `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`

  test('holds for the exact bytes, in either case of the hex digits', () => {
    expect(verifySignature(raw, sign('s3cret'), 's3cret')).toBe(true)
    expect(
      verifySignature(
        raw,
        sign('s3cret').replace(/[a-f]/g, (c) => c.toUpperCase()),
        's3cret',
      ),
    ).toBe(true)
  })

  test.each([
    ['another secret', sign('other')],
    ['no header', undefined],
    ['an empty header', ''],
    ['the old algorithm', `sha1=${'a'.repeat(40)}`],
    ['too few digits', sign('s3cret').slice(0, -1)],
    ['too many digits', `${sign('s3cret')}0`],
    ['no prefix', sign('s3cret').slice(7)],
  ])('fails with %s', (_name, header) => {
    expect(verifySignature(raw, header, 's3cret')).toBe(false)
  })

  test('fails when one byte differs, and always without a secret', () => {
    expect(verifySignature(Buffer.from('{"a":"café"}'), sign('s3cret'), 's3cret')).toBe(false)
    expect(verifySignature(raw, sign(''), '')).toBe(false)
  })
})

describe('A status', () => {
  const status = {
    id: 'wamid.OUT',
    status: 'delivered',
    timestamp: '1750030073',
    recipient_id: '15550001111',
    recipient_user_id: 'US.1349',
    biz_opaque_callback_data: 'our-id-1',
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  }

  test('tells what happened to which message of ours', () => {
    expect(only(body(messages({ statuses: [status] })))).toEqual({
      kind: 'status',
      dedupeKey: 'status:wamid.OUT:delivered::1750030073000',
      wabaId: '9001',
      phoneNumberId: '1065',
      channelMessageId: 'wamid.OUT',
      status: 'delivered',
      platformStatus: 'delivered',
      at: 1750030073000,
      recipient: { phone: '+15550001111', userId: 'US.1349' },
      correlation: 'our-id-1',
      failures: [],
      pricing: { type: 'regular', category: 'utility', billable: true },
    })
  })

  test('carries our code for its failure', () => {
    const errors = [{ code: 131047, title: 'Re-engagement message', error_data: { details: 'More than 24 hours' } }]
    expect(only(body(messages({ statuses: [{ ...status, status: 'failed', errors }] })))).toMatchObject({
      status: 'failed',
      failures: [
        {
          code: 'customer_window_closed',
          retryable: false,
          upstream: { code: 131047, title: 'Re-engagement message', detail: 'More than 24 hours', trace_id: null },
        },
      ],
    })
  })

  test('of a failure names no user id when the message went to a phone, and is read all the same', () => {
    const { recipient_user_id: _, ...failed } = { ...status, status: 'failed', errors: [{ code: 131026 }] }
    expect(only(body(messages({ statuses: [failed] })))).toMatchObject({
      status: 'failed',
      recipient: { phone: '+15550001111', userId: null },
      correlation: 'our-id-1',
    })
  })

  test.each([
    ['1750030073', 1750030073000],
    [1750030073, 1750030073000],
    ['1750030073123', 1750030073123],
    [1750030073123, 1750030073123],
    ['soon', null],
    ['-5', null],
    [9e18, null],
    [undefined, null],
  ])('reads the time %j as %j', (timestamp, at) => {
    expect(only(body(messages({ statuses: [{ ...status, timestamp }] })))).toMatchObject({ at })
  })

  test.each(['sent', 'delivered', 'read', 'failed', 'played'])('knows %s', (word) => {
    expect(only(body(messages({ statuses: [{ ...status, status: word }] })))).toMatchObject({ status: word })
  })

  test('keeps a word it does not know', () => {
    const item = only(body(messages({ statuses: [{ ...status, status: 'deleted' }] })))
    expect(item).toMatchObject({ kind: 'status', status: 'other', platformStatus: 'deleted' })
  })

  test('needs no contacts, no metadata and no phone number', () => {
    const bare = { field: 'messages', value: { statuses: [{ id: 'wamid.OUT', status: 'read' }] } }
    const expected = { kind: 'status', recipient: { phone: null, userId: null }, phoneNumberId: null, pricing: null }
    expect(only(body(bare))).toMatchObject(expected)
  })

  test('of a group differs by participant', () => {
    const group = { ...status, recipient_type: 'group', recipient_id: 'G1' }
    const keys = ['15550001111', '15550002222'].map((recipient_participant_id) => {
      const item = only(body(messages({ statuses: [{ ...group, recipient_participant_id }] })))
      expect(item).toMatchObject({ recipient: { phone: `+${recipient_participant_id}` } })
      return item.dedupeKey
    })
    expect(new Set(keys).size).toBe(2)
  })

  test.each([
    [{ status: 'sent' }, 'no_message_id'],
    [{ id: 'wamid.OUT' }, 'unreadable_item'],
    [null, 'unreadable_item'],
  ])('%j is kept as unhandled', (odd, reason) => {
    expect(only(body(messages({ statuses: [odd] })))).toMatchObject({ kind: 'unhandled', reason })
  })
})

describe('A message of a customer', () => {
  test('carries who, when, what, and the number it came to', () => {
    expect(inbound({ type: 'text', text: { body: 'hello' } })).toEqual({
      kind: 'message',
      dedupeKey: 'message:wamid.IN',
      wabaId: '9001',
      phoneNumberId: '1065',
      channelMessageId: 'wamid.IN',
      at: 1750030073000,
      from: { phone: '+15550001111', userId: 'US.1349', name: 'Ann', username: 'ann' },
      content: { type: 'text', text: 'hello' },
      replyTo: null,
      forwarded: false,
      groupId: null,
      referral: null,
      formerAddresses: [],
      opensWindow: true,
    })
  })

  const file = { id: '555', mime_type: 'image/jpeg', sha256: Buffer.alloc(32, 7).toString('base64') }
  const media = { platformMediaId: '555', sha256: '07'.repeat(32), voice: false, sticker: false }

  test.each([
    ['image', { ...file, caption: 'look' }, { caption: 'look' }],
    ['video', { ...file, mime_type: 'video/mp4' }, { mimeType: 'video/mp4', caption: null }],
    ['document', { ...file, filename: 'a.pdf' }, { filename: 'a.pdf' }],
    ['audio', { ...file, mime_type: 'audio/ogg; codecs=opus', voice: true }, { voice: true }],
  ])('with an %s names the media to fetch', (type, node, expected) => {
    expect(inbound({ type, [type]: node }).content).toMatchObject({ type, media: { ...media, ...expected } })
  })

  test('with an address for its media is read without it: a forged callback names no address to fetch', () => {
    const { content } = inbound({ type: 'image', image: { ...file, url: 'https://internal.test/secret' } })
    expect(content).toMatchObject({ media })
    expect(JSON.stringify(content)).not.toContain('internal.test')
  })

  test('with a sticker is an image that says so', () => {
    const { content } = inbound({ type: 'sticker', sticker: { ...file, animated: true } })
    expect(content).toMatchObject({ type: 'image', media: { platformMediaId: '555', sticker: true } })
  })

  test('whose media id is a number and whose hash is hex reads the same', () => {
    const { content } = inbound({ type: 'image', image: { ...file, id: 555, sha256: '07'.repeat(32).toUpperCase() } })
    expect(content).toMatchObject({ media })
  })

  test.each([
    ['button', { payload: 'P1', text: 'Yes' }, { type: 'button_reply', reply: { id: 'P1', title: 'Yes' } }],
    [
      'interactive',
      { type: 'button_reply', button_reply: { id: 'am', title: 'Morning' } },
      { type: 'button_reply', reply: { id: 'am', title: 'Morning' } },
    ],
    [
      'interactive',
      { type: 'list_reply', list_reply: { id: 'r1', title: 'Row', description: 'd' } },
      { type: 'list_reply', reply: { id: 'r1', title: 'Row', description: 'd' } },
    ],
    [
      'location',
      { latitude: 52.1, longitude: 4.3, name: 'Pier' },
      { type: 'location', latitude: 52.1, longitude: 4.3, name: 'Pier', address: null },
    ],
    ['location', { latitude: '52.1', longitude: '4.3' }, { type: 'location', latitude: 52.1, longitude: 4.3 }],
    [
      'reaction',
      { message_id: 'wamid.OUT', emoji: '😀' },
      { type: 'reaction', channelMessageId: 'wamid.OUT', emoji: '😀' },
    ],
    ['reaction', { message_id: 'wamid.OUT' }, { type: 'reaction', emoji: null }],
    ['reaction', { message_id: 'wamid.OUT', emoji: '' }, { type: 'reaction', emoji: null }],
    [
      'order',
      {
        catalog_id: 'c',
        text: 'two please',
        product_items: [{ product_retailer_id: 'sku-1', quantity: '2', item_price: 9.5, currency: 'EUR' }],
      },
      {
        type: 'order',
        catalogId: 'c',
        text: 'two please',
        products: [{ productId: 'sku-1', quantity: 2, price: 9.5, currency: 'EUR' }],
      },
    ],
    ['order', { catalog_id: 'c', product_items: [{}] }, { type: 'unsupported', platformType: 'order' }],
    [
      'interactive',
      { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"size":"L"}' } },
      { type: 'flow_reply', name: 'flow', text: 'Sent', values: { size: 'L' }, json: null },
    ],
    [
      'interactive',
      { type: 'nfm_reply', nfm_reply: { response_json: '[1]' } },
      { type: 'flow_reply', values: null, json: '[1]' },
    ],
    ['interactive', { type: 'nfm_reply' }, { type: 'unsupported', platformType: 'nfm_reply' }],
    [
      'edit',
      { original_message_id: 'wamid.OLD', message: { type: 'text', text: { body: 'new' } } },
      { type: 'edit', channelMessageId: 'wamid.OLD', editedType: 'text', text: 'new' },
    ],
    [
      'edit',
      { original_message_id: 'wamid.OLD', message: { type: 'image', image: { id: '5', caption: 'new' } } },
      { type: 'edit', editedType: 'image', text: 'new' },
    ],
    ['edit', { original_message_id: 'wamid.OLD' }, { type: 'unsupported', platformType: 'edit', about: 'wamid.OLD' }],
    ['revoke', { original_message_id: 'wamid.OLD' }, { type: 'deletion', channelMessageId: 'wamid.OLD' }],
    ['revoke', {}, { type: 'unsupported', platformType: 'revoke' }],
    ['hologram', { depth: 3 }, { type: 'unsupported', platformType: 'hologram', detail: { depth: 3 } }],
    ['text', { body: 5 }, { type: 'text', text: '5' }],
    ['text', { body: null }, { type: 'unsupported', platformType: 'text' }],
    ['text', null, { type: 'unsupported', platformType: 'text' }],
    ['image', {}, { type: 'unsupported', platformType: 'image' }],
    ['location', { latitude: 'north' }, { type: 'unsupported', platformType: 'location' }],
  ])('of type %s with %j', (type, node, expected) => {
    expect(inbound({ type, [type]: node }).content).toMatchObject(expected)
  })

  test('with contact cards keeps them as they came', () => {
    const contacts = [{ name: { formatted_name: 'Bo' }, phones: [{ phone: '+1' }] }]
    expect(inbound({ type: 'contacts', contacts }).content).toEqual({ type: 'contacts', contacts })
  })

  test('the platform itself cannot show keeps the reason', () => {
    const errors = [{ code: 131051, title: 'Message type unknown' }]
    expect(inbound({ type: 'unsupported', unsupported: { type: 'poll_creation' }, errors }).content).toMatchObject({
      type: 'unsupported',
      platformType: 'poll_creation',
      failures: [{ code: 'message_type_not_supported' }],
    })
  })

  test('without a type is still a message', () => {
    expect(inbound({}).content).toMatchObject({ type: 'unsupported', platformType: 'unknown' })
  })

  test('tells what it answers and that it was forwarded', () => {
    expect(inbound({ type: 'text', context: { from: '1', id: 'wamid.OUT' } }).replyTo).toBe('wamid.OUT')
    expect(inbound({ type: 'text', context: { forwarded: true } }).forwarded).toBe(true)
    expect(inbound({ type: 'text', context: { frequently_forwarded: true } }).forwarded).toBe(true)
  })

  test('keeps the advertisement it came from', () => {
    const referral = { source_type: 'ad', ctwa_clid: 'x', welcome_message: { text: 'hi' } }
    expect(inbound({ type: 'text', referral }).referral).toEqual(referral)
  })

  test.each(['system', 'edit', 'revoke'])('of type %s opens no window', (type) => {
    expect(inbound({ type, [type]: {} }).opensWindow).toBe(false)
  })

  test('to a group names the group and opens no private window', () => {
    const item = inbound({ type: 'text', text: { body: 'hi' }, group_id: 'G1' })
    expect(item).toMatchObject({ groupId: 'G1', opensWindow: false })
  })

  describe('about a changed identity', () => {
    const changed = (system: object, message: object = {}) =>
      only(body(messages({ contacts: undefined, messages: [{ id: 'wamid.S', type: 'system', system, ...message }] })))

    test('has no contacts, is from the new number and names the former one', () => {
      const text = 'User Ann changed from 15550001111 to 15550009999'
      const system = { body: text, wa_id: '15550009999', type: 'user_changed_number' }
      expect(changed(system, { from: '15550001111' })).toMatchObject({
        kind: 'message',
        from: { phone: '+15550009999', userId: null, name: null },
        content: { type: 'system', change: 'user_changed_number', text },
        formerAddresses: ['+15550001111'],
        opensWindow: false,
      })
    })

    test('names the former user id, with neither contacts nor from', () => {
      const system = { user_id: 'US.2', previous_user_id: 'US.1', type: 'user_changed_user_id' }
      expect(changed(system)).toMatchObject({
        from: { phone: null, userId: 'US.2' },
        formerAddresses: ['US.1'],
      })
    })

    test('is read from the end of its sentence where nothing else names the former id', () => {
      const told = { user_id: 'US.2', type: 'user_changed_user_id' }
      expect(changed({ ...told, body: 'User ann changed from US.1 to US.2' })).toMatchObject({
        formerAddresses: ['US.1'],
      })
      const forged = 'User x changed from 15550007777 to y changed from US.1 to US.2'
      expect(changed({ ...told, body: forged })).toMatchObject({ formerAddresses: ['US.1'] })
      expect(changed({ ...told, body: 'User x changed from 15550007777 to y' })).toMatchObject({
        from: { userId: 'US.2' },
        formerAddresses: [],
      })
    })

    test('without any address is kept as unhandled', () => {
      expect(changed({ type: 'user_changed_user_id' })).toMatchObject({ kind: 'unhandled', reason: 'no_sender' })
    })
  })

  test('from a customer who hides the number is known by user id', () => {
    const contacts = [{ profile: { name: 'Bo', username: 'bo' }, user_id: 'US.77' }]
    const hidden = { id: 'wamid.H', type: 'text', text: { body: 'hi' } }
    const withId = only(body(messages({ contacts, messages: [{ ...hidden, from_user_id: 'US.77', from: '' }] })))
    const without = only(body(messages({ contacts, messages: [hidden] })))
    for (const item of [withId, without]) {
      expect(item).toMatchObject({ kind: 'message', from: { phone: null, userId: 'US.77', name: 'Bo' } })
    }
  })

  test('takes its name from its own contact when several came along', () => {
    const contacts = [ann, { profile: { name: 'Bo' }, wa_id: '15550002222' }]
    const item = only(body(messages({ contacts, messages: [{ from: '15550002222', id: 'wamid.B', type: 'text' }] })))
    expect(item).toMatchObject({ from: { name: 'Bo' } })
  })

  test.each([
    [{ from: '15550001111', type: 'text' }, 'no_message_id'],
    [{ id: 'wamid.X', type: 'text' }, 'no_sender'],
    ['text', 'unreadable_item'],
  ])('%j is kept as unhandled', (message, reason) => {
    expect(only(body(messages({ contacts: [], messages: [message] })))).toMatchObject({ kind: 'unhandled', reason })
  })
})

describe('A call', () => {
  const call = {
    id: 'wacid.1',
    from: '15550001111',
    to: '15550783881',
    event: 'connect',
    timestamp: '1750030073',
    direction: 'USER_INITIATED',
  }
  const calls = (value: object) => only(body({ ...messages(value), field: 'calls' }))

  test('of a customer opens the window from its start', () => {
    expect(calls({ calls: [call] })).toEqual({
      kind: 'call',
      dedupeKey: 'call:wacid.1:connect',
      wabaId: '9001',
      phoneNumberId: '1065',
      customer: { phone: '+15550001111', userId: 'US.1349', name: 'Ann' },
      event: 'connect',
      at: 1750030073000,
      opensWindow: true,
    })
    const ended = { ...call, event: 'terminate', timestamp: '1750040000' }
    expect(calls({ calls: [ended] })).toMatchObject({ event: 'terminate', opensWindow: false })
    expect(calls({ calls: [{ ...ended, start_time: '1750030073' }] })).toMatchObject({
      at: 1750030073000,
      opensWindow: true,
    })
  })

  test('of the business opens it only when the customer takes it', () => {
    const ours = { ...call, from: '15550783881', to: '15550001111', direction: 'BUSINESS_INITIATED' }
    expect(calls({ calls: [ours] })).toMatchObject({ customer: { phone: '+15550001111' }, opensWindow: false })
    const status = { id: 'wacid.1', type: 'call', timestamp: '1750030073', recipient_id: '15550001111' }
    expect(calls({ statuses: [{ ...status, status: 'RINGING' }] })).toMatchObject({ opensWindow: false })
    expect(calls({ statuses: [{ ...status, status: 'ACCEPTED' }] })).toMatchObject({
      event: 'accepted',
      customer: { phone: '+15550001111' },
      opensWindow: true,
    })
  })

  test('without a direction is the call of the customer unless our own number made it', () => {
    const { direction, ...bare } = call
    const customer = { phone: '+15550001111' }
    const swapped = { ...bare, from: call.to, to: call.from }
    const offer = { session: { sdp_type: 'offer', sdp: 'v=0' } }
    const answer = { session: { sdp_type: 'answer', sdp: 'v=0' } }
    expect(calls({ calls: [bare] })).toMatchObject({ customer, opensWindow: true })
    expect(calls({ calls: [swapped] })).toMatchObject({ customer, opensWindow: false })
    expect(calls({ calls: [{ ...bare, ...offer }] })).toMatchObject({ customer, opensWindow: true })
    // As Meta's page on calls of users shows it.
    expect(calls({ calls: [{ ...swapped, ...offer }] })).toMatchObject({ customer, opensWindow: true })
    expect(calls({ calls: [{ ...swapped, ...answer }] })).toMatchObject({ customer, opensWindow: false })
  })

  test.each([
    [{ calls: [{ ...call, id: undefined }] }, 'no_message_id'],
    [{ calls: [{ ...call, from: undefined }] }, 'no_sender'],
    [{ calls: [{ ...call, event: undefined }] }, 'unreadable_item'],
    [{ calls: 5 }, 'unreadable_item'],
    [{ contacts: undefined }, 'unknown_field'],
  ])('that cannot be read is kept: %j', (value, reason) => {
    expect(calls(value)).toMatchObject({ kind: 'unhandled', reason, field: 'calls' })
  })
})

describe('Events of the business account', () => {
  const template = {
    message_template_id: 594425479261596,
    message_template_name: 'order_ready',
    message_template_language: 'en-US',
  }
  const named = { templateId: '594425479261596', name: 'order_ready', language: 'en_US', wabaId: '9001' }
  const event = (field: string, value: object) => only(body({ field, value }))

  test('a template is approved: routed by the business account, without any phone number', () => {
    const value = { ...template, event: 'APPROVED', reason: 'NONE', message_template_category: 'UTILITY' }
    expect(event('message_template_status_update', value)).toMatchObject({
      kind: 'template_status',
      ...named,
      phoneNumberId: null,
      event: 'APPROVED',
      reason: null,
      category: 'utility',
      at: 1739321024000,
    })
  })

  test('a template is rejected: with reason and advice', () => {
    const rejection_info = { reason: 'Variables at the end', recommendation: 'Add words after them' }
    const value = { ...template, event: 'REJECTED', reason: 'INVALID_FORMAT', rejection_info }
    expect(event('message_template_status_update', value)).toMatchObject({
      event: 'REJECTED',
      reason: 'INVALID_FORMAT',
      description: 'Variables at the end',
      recommendation: 'Add words after them',
    })
  })

  test('a template is paused: with the kind of pause', () => {
    const value = { ...template, event: 'PAUSED', other_info: { title: 'FIRST_PAUSE', description: 'For 3 hours' } }
    expect(event('message_template_status_update', value)).toMatchObject({
      note: 'FIRST_PAUSE',
      recommendation: 'For 3 hours',
    })
  })

  test.each(['1763024400', 1763024400])('a template is disabled: since the unix time %j', (disable_date) => {
    const value = { ...template, event: 'DISABLED', reason: 'NONE', disable_info: { disable_date } }
    expect(event('message_template_status_update', value)).toMatchObject({
      event: 'DISABLED',
      disabledAt: Date.UTC(2025, 10, 13, 9),
    })
  })

  test('a template id beyond 2^53 keeps every digit', () => {
    const text = body({ field: 'message_template_status_update', value: { ...template, event: 'APPROVED' } })
    expect(only(text.replace('594425479261596', '9007199254740993123'))).toMatchObject({
      templateId: '9007199254740993123',
    })
  })

  test.each(['message_template_quality_update', 'message_template_status_update'])('quality comes as %s', (field) => {
    const value = { ...template, previous_quality_score: 'GREEN', new_quality_score: 'YELLOW' }
    expect(event(field, value)).toMatchObject({ kind: 'template_quality', ...named, quality: 'YELLOW' })
  })

  test('an announced category names the one to come, a changed one the one that was', () => {
    const announced = { ...template, new_category: 'UTILITY', correct_category: 'MARKETING' }
    expect(event('template_category_update', announced)).toMatchObject({
      kind: 'template_category',
      phase: 'announced',
      category: 'utility',
      nextCategory: 'marketing',
    })
    const changed = { ...template, previous_category: 'UTILITY', new_category: 'MARKETING' }
    expect(event('template_category_update', changed)).toMatchObject({
      phase: 'changed',
      category: 'marketing',
      previousCategory: 'utility',
      nextCategory: null,
    })
  })

  test.each([
    ['message_template_components_update', template, { kind: 'template_components', ...named }],
    [
      'phone_number_quality_update',
      { display_phone_number: '15550783881', event: 'ONBOARDING', current_limit: 'TIER_2K', old_limit: 'TIER_250' },
      { kind: 'number_quality', event: 'ONBOARDING', currentLimit: 'TIER_2K', displayPhoneNumber: '15550783881' },
    ],
    [
      'phone_number_name_update',
      {
        display_phone_number: '15550783881',
        decision: 'REJECTED',
        requested_verified_name: 'Shop',
        rejection_reason: 'X',
      },
      { kind: 'number_name', decision: 'REJECTED', requestedName: 'Shop', rejectionReason: 'X' },
    ],
    [
      'account_update',
      { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
      {
        kind: 'account',
        field: 'account_update',
        event: 'DISABLED_UPDATE',
        detail: { ban_info: { waba_ban_state: 'DISABLE' } },
      },
    ],
    ['account_review_update', { decision: 'APPROVED' }, { kind: 'account', event: 'APPROVED' }],
    ['account_alerts', { alert_info: { alert_type: 'OBA' } }, { kind: 'account', event: 'OBA' }],
    ['security', { event: 'PIN_CHANGED' }, { kind: 'account', field: 'security', event: 'PIN_CHANGED' }],
    [
      'business_capability_update',
      { max_daily_conversations_per_business: 'TIER_10K', max_phone_numbers_per_business: 25 },
      { kind: 'capability', maxDailyConversationsPerBusiness: 'TIER_10K', maxPhoneNumbersPerBusiness: '25' },
    ],
  ])('%s', (field, value, expected) => {
    expect(event(field, value)).toMatchObject(expected)
  })

  test('an error that belongs to no message stays beside the messages it came with', () => {
    const message = { from: '15550001111', id: 'wamid.IN', type: 'text', text: { body: 'hi' } }
    const items = parseCallback(body(messages({ messages: [message], errors: [{ code: 131000, title: 'Oops' }] })))
    expect(items.map((item) => item.kind)).toEqual(['message', 'account'])
    expect(items[1]).toMatchObject({ field: 'errors', event: 'ERROR', failures: [{ upstream: { code: 131000 } }] })
  })

  test('a customer stops marketing messages', () => {
    const preference = { wa_id: '15550001111', category: 'marketing_messages', value: 'stop', timestamp: 1750030073 }
    const other = { user_id: 'US.2', category: 'marketing_messages', value: 'resume', timestamp: 1750030074 }
    const items = parseCallback(body({ field: 'user_preferences', value: { user_preferences: [preference, other] } }))
    expect(items).toMatchObject([
      { kind: 'user_preference', customer: { phone: '+15550001111', userId: null }, value: 'stop', at: 1750030073000 },
      { kind: 'user_preference', customer: { phone: null, userId: 'US.2' }, value: 'resume' },
    ])
  })

  test.each(['flows', 'history', 'constructor', '__proto__', 'toString'])('the field %s is kept', (field) => {
    const item = event(field, { anything: [1, 2] })
    expect(item).toMatchObject({ kind: 'unhandled', reason: 'unknown_field', field, raw: '{"anything":[1,2]}' })
  })

  test.each([
    ['message_template_status_update', {}],
    ['message_template_quality_update', {}],
    ['user_preferences', {}],
    ['messages', {}],
    ['messages', { messages: 'none' }],
  ])('the field %s with %j is kept as unreadable', (field, value) => {
    expect(event(field, value)).toMatchObject({ kind: 'unhandled', reason: 'unreadable_item' })
  })
})

describe('Repeats', () => {
  test('of every kind have the same key, and other facts have another one', () => {
    const approved = { field: 'message_template_status_update', value: { event: 'APPROVED', message_template_id: 1 } }
    const paused = { field: 'message_template_status_update', value: { event: 'PAUSED', message_template_id: 1 } }
    const keys = [body(approved), body(approved), body(paused)].map((text) => only(text).dedupeKey)
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
    const later = body(approved).replace('1739321024', '1739329999')
    expect(only(later).dedupeKey).not.toBe(keys[0])
  })

  test('of a message with an enormous id still have a key an index takes', () => {
    const keys = ['a', 'b'].map((letter) => inbound({ id: letter.repeat(5_000) }).dedupeKey)
    expect(keys.every((key) => key.length <= 300)).toBe(true)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('Text that databases refuse', () => {
  test('U+0000 becomes the replacement character, a written-out escape stays', () => {
    const text = body(
      messages({
        messages: [{ from: '15550001111', id: 'wamid.Z', type: 'text', text: { body: 'a\u0000b \\u0000' } }],
      }),
    )
    expect(only(text)).toMatchObject({ content: { text: 'a\ufffdb \\u0000' } })
  })

  test('half a surrogate pair becomes the replacement character', () => {
    expect(inbound({ type: 'text', text: { body: 'x\ud800y' } }).content).toEqual({ type: 'text', text: 'x\ufffdy' })
  })
})

describe('A damaged body', () => {
  test.each([
    ['', 'not_json'],
    ['{', 'not_json'],
    ['null', 'not_json'],
    ['[]', 'not_json'],
    ['{}', 'unknown_object'],
    ['{"object":"page","entry":[]}', 'unknown_object'],
    ['{"object":"whatsapp_business_account","entry":{}}', 'unknown_object'],
    ['{"object":"whatsapp_business_account","entry":[7]}', 'unreadable_entry'],
    ['{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[null]}]}', 'unreadable_entry'],
  ])('%s gives one unhandled item', (text, reason) => {
    expect(only(text)).toMatchObject({ kind: 'unhandled', reason })
  })

  test('nested 200,000 levels deep neither overflows nor costs its neighbour', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const text = body(
      messages({
        messages: [
          { from: '15550001111', id: 'wamid.D', type: 'hologram', hologram: {} },
          'DEEP',
          { from: '15550001111', id: 'wamid.E', type: 'text', text: { body: 'hi' } },
        ],
      }),
    )
    const items = parseCallback(text.replace('"DEEP"', deep).replace('"hologram":{}', `"hologram":{"x":${deep}}`))
    expect(items.map((item) => item.kind)).toEqual(['message', 'unhandled', 'message'])
    expect(() => JSON.stringify(items)).not.toThrow()
  })
})

describe('A batch', () => {
  test.each([2, 10, 1_000])('of %i with one odd item keeps all the others', (size) => {
    for (const odd of [null, 7, 'x', [], {}, { id: {} }, { id: 'wamid.ODD', from: {}, type: [] }]) {
      const list: unknown[] = Array.from({ length: size }, (_, at) => ({
        from: '15550001111',
        id: `wamid.${at}`,
        timestamp: '1750030073',
        type: 'text',
        text: { body: `message ${at}` },
      }))
      const place = Math.floor(size / 2)
      list[place] = odd
      const items = parseCallback(body(messages({ contacts: [], messages: list })))
      expect(items).toHaveLength(size)
      expect(items.filter((item) => item.kind === 'message')).toHaveLength(size - 1)
      expect(items[place]).toMatchObject({ kind: 'unhandled' })
    }
  })

  test('spread over entries and changes loses nothing, and messages come before statuses', () => {
    const statuses = [{ id: 'wamid.OUT', status: 'sent' }]
    const one = (id: string) => ({ from: '15550001111', id, type: 'text', text: { body: 'hi' } })
    const entry = (waba: string, ...changes: unknown[]) => ({ id: waba, changes })
    const text = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [
        entry('1', messages({ statuses }), messages({ messages: [one('wamid.1'), one('wamid.2')] })),
        entry('2', messages({ messages: [one('wamid.3')] }), { field: 'account_update', value: { event: 'X' } }),
      ],
    })
    const items = parseCallback(text)
    expect(items.map((item) => `${item.wabaId} ${item.kind}`)).toEqual([
      '1 message',
      '1 message',
      '2 message',
      '2 account',
      '1 status',
    ])
  })
})
