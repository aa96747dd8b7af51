import { describe, expect, test } from 'vitest'
import { ann, body, inbound, messages, only } from '../../../../../test/platform/callback-bodies.ts'

describe('A message of a customer', () => {
  test('who shares the number they were asked for is known by it; a forwarded card says nothing about its sender', () => {
    const card = { name: { formatted_name: 'Ann' }, phones: [{ phone: '+1 555 000 2222', wa_id: '15550002222' }] }
    const shared = (origin: string) =>
      only(
        body(
          messages({
            contacts: [{ profile: { name: 'Ann' }, user_id: 'US.9' }],
            messages: [{ id: 'wamid.C', from_user_id: 'US.9', type: 'contacts', contacts: [{ ...card, origin }] }],
          }),
        ),
      )
    expect(shared('contact_request')).toMatchObject({ from: { phone: '+15550002222', userId: 'US.9' } })
    expect(shared('other')).toMatchObject({ from: { phone: null, userId: 'US.9' } })
  })

  test('names the parent id, and those of before', () => {
    const system = {
      type: 'user_changed_user_id',
      user_id: 'US.2',
      parent_user_id: 'US.ENT.2',
      previous_user_id: 'US.1',
      previous_parent_user_id: 'US.ENT.1',
    }
    const changed = only(body(messages({ contacts: undefined, messages: [{ id: 'wamid.S', type: 'system', system }] })))
    expect(changed).toMatchObject({
      from: { userId: 'US.2', parentId: 'US.ENT.2' },
      formerAddresses: ['US.1', 'US.ENT.1'],
    })
  })

  test('is not needed for a change of ids', () => {
    const change = {
      wa_id: '15550001111',
      user_id: { previous: 'US.1', current: 'US.2' },
      parent_user_id: { previous: 'US.ENT.1', current: 'US.ENT.2' },
      timestamp: '1750030073',
    }
    const value = { messaging_product: 'whatsapp', user_id_update: [change] }
    expect(only(body({ field: 'user_id_update', value }))).toMatchObject({
      kind: 'identity',
      customer: { phone: '+15550001111', userId: 'US.2', parentId: 'US.ENT.2' },
      former: ['US.1', 'US.ENT.1'],
      at: 1750030073000,
    })
  })

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
      referredProduct: null,
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
    [
      'interactive',
      {
        type: 'interactive',
        action: 'address_message',
        nfm_reply: { name: 'address_message', body: 'Asha', response_json: '{"values":{"city":"Mumbai"}}' },
      },
      { type: 'flow_reply', name: 'address_message', text: 'Asha', values: { values: { city: 'Mumbai' } } },
    ],
    [
      'interactive',
      {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'accept', expiration_timestamp: '1764000000', response_source: 'automatic' },
      },
      { type: 'call_permission_reply', granted: true, permanent: false, expiresAt: 1_764_000_000_000, automatic: true },
    ],
    [
      'interactive',
      {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'reject', is_permanent: false, response_source: 'user_action' },
      },
      { type: 'call_permission_reply', granted: false, permanent: false, expiresAt: null, automatic: false },
    ],
    [
      'interactive',
      { type: 'call_permission_reply', call_permission_reply: { response: 'later' } },
      { type: 'unsupported', platformType: 'call_permission_reply' },
    ],
    [
      'interactive',
      {
        type: 'payment_method',
        payment_method: {
          payment_method: 'offsite_card_pay',
          payment_timestamp: 1_764_000_000,
          reference_id: 'A-1001',
          last_four_digits: '4242',
          credential_id: 'crd-1',
        },
      },
      {
        type: 'payment_method_reply',
        method: 'offsite_card_pay',
        referenceId: 'A-1001',
        credentialId: 'crd-1',
        lastFourDigits: '4242',
        chosenAt: 1_764_000_000_000,
      },
    ],
    [
      'interactive',
      { type: 'payment_method', payment_method: { payment_method: 'offsite_card_pay' } },
      { type: 'unsupported', platformType: 'payment_method' },
    ],
    ['button', { payload: 'ORDER_DETAILS_CLICKED' }, { type: 'button_reply', reply: { id: 'ORDER_DETAILS_CLICKED' } }],
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

  test('that is an answer stays one where Meta left out its type', () => {
    const call_permission_reply = { response: 'accept', is_permanent: true }
    const interactive = { type: 'call_permission_reply', call_permission_reply }
    expect(inbound({ type: undefined, interactive }).content).toMatchObject({ granted: true, permanent: true })
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

  test('names the product it asks about', () => {
    const asked = (referred_product: unknown) =>
      inbound({ type: 'text', context: { referred_product } }).referredProduct
    expect(asked({ catalog_id: 'c1', product_retailer_id: 'sku-1' })).toEqual({ catalogId: 'c1', productId: 'sku-1' })
    expect(asked({ product_retailer_id: 'sku-1' })).toEqual({ catalogId: null, productId: 'sku-1' })
    expect(asked({ catalog_id: 'c1' })).toBeNull()
    expect(asked('sku-1')).toBeNull()
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
