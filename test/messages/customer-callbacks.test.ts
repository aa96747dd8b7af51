import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { dispatchMessage } from '../../server/src/messages/send/dispatch-message.ts'
import { draftTemplate } from '../../server/src/messages/send/send-template.ts'
import { PlatformError } from '../../server/src/platform/platform-error.ts'
import { readList } from '../../server/src/store/engine/list.ts'
import { conversationListing } from '../../server/src/store/messages/conversation-list.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

describe.each(engines)('what customers do beside writing, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  }, 60_000)
  afterAll(() => world.stop())

  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const receive = async (inbound: object): Promise<string> => {
    const { body } = await world.control('POST', '/_sandbox/inbound', inbound)
    await waitFor(async () => (await record(body.message_id)) !== null, 10_000)
    return body.message_id
  }
  const eventOf = async (id: string) =>
    (await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)).body.data.events[0]
  const send = (to: string, more: object = {}) =>
    world.post('/v1/chat/messages/send', { to, message: 'Thank you', ...more })

  /** The user id of a customer, when statuses of a message to their number have told it. */
  const userIdToldFor = async (id: string): Promise<string> => {
    await waitFor(async () => (await record(id)).user_id !== null, 10_000)
    return (await record(id)).user_id
  }

  describe('messages with content of their own', () => {
    const product = { product_retailer_id: 'sku-1', quantity: 2, item_price: 9.5, currency: 'EUR' }
    test.each([
      [
        'a Flow',
        { type: 'interactive', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"shoe_size":"42"}' } },
        'flow_reply',
        { flow_reply: { name: 'flow', answers: { shoe_size: '42' }, json: null }, text: 'Sent' },
      ],
      [
        'an address',
        {
          type: 'interactive',
          nfm_reply: {
            name: 'address_message',
            body: 'Asha, Mumbai',
            response_json: '{"saved_address_id":"home","values":{"in_pin_code":"400063"}}',
          },
        },
        'flow_reply',
        {
          flow_reply: {
            name: 'address_message',
            answers: { saved_address_id: 'home', values: { in_pin_code: '400063' } },
            json: null,
          },
          text: 'Asha, Mumbai',
        },
      ],
      [
        'a permission to call',
        {
          type: 'interactive',
          call_permission_reply: {
            response: 'accept',
            is_permanent: false,
            expiration_timestamp: 1_795_000_000,
            response_source: 'user_action',
          },
        },
        'call_permission_reply',
        {
          call_permission: {
            granted: true,
            permanent: false,
            expires_at: '2026-11-18T11:06:40.000Z',
            automatic: false,
          },
        },
      ],
      [
        'a card to pay an order with',
        {
          type: 'interactive',
          payment_method: {
            payment_method: 'offsite_card_pay',
            payment_timestamp: 1_795_000_000,
            reference_id: 'A-1001',
            last_four_digits: '4242',
            credential_id: 'crd-1',
          },
        },
        'payment_method_reply',
        {
          payment_method: {
            method: 'offsite_card_pay',
            reference_id: 'A-1001',
            last_four_digits: '4242',
            credential_id: 'crd-1',
            chosen_at: '2026-11-18T11:06:40.000Z',
          },
        },
      ],
      [
        'what was written on a device that Meta cannot read',
        { type: 'unsupported', errors: [{ code: 131060, title: 'Not available' }], unsupported: { type: 'companion' } },
        'unsupported',
        {
          unsupported: { type: 'companion', about: null, meta_code: 131060, detail: { type: 'companion' } },
          text: null,
        },
      ],
      [
        'an order',
        { type: 'order', order: { catalog_id: 'c1', text: 'Soon, please', product_items: [product] } },
        'order',
        {
          order: { catalog_id: 'c1', products: [{ product_id: 'sku-1', quantity: 2, price: 9.5, currency: 'EUR' }] },
          text: 'Soon, please',
        },
      ],
      [
        'an edit',
        {
          type: 'edit',
          edit: { original_message_id: 'wamid.OLD', message: { type: 'text', text: { body: 'At noon' } } },
        },
        'edit',
        { edit: { message_id: 'wamid.OLD', type: 'text' }, text: 'At noon' },
      ],
      [
        'a deletion',
        { type: 'revoke', revoke: { original_message_id: 'wamid.OLD' } },
        'deletion',
        { deletion: { message_id: 'wamid.OLD' } },
      ],
    ])('%s is recorded and told as what it is', async (_, inbound, type, content) => {
      const id = await receive({ from: '+12025550141', ...inbound })
      expect(await record(id)).toMatchObject({ type, content, direction: 'inbound', group_id: null })
      expect(await eventOf(id)).toMatchObject({ type: 'message.received', data: { type, content } })
    })
  })

  test('a message tells the ad and the product it is about, that it was forwarded, and the user name', async () => {
    const from = '+12025550173'
    const source = { source_type: 'ad', source_id: '2385', source_url: 'https://ads.test/2385' }
    const referral = { ...source, headline: 'Shoes', ctwa_clid: 'click-1' }
    const referred_product = { catalog_id: 'c1', product_retailer_id: 'sku-1' }
    const context = { forwarded: true, referred_product }
    const id = await receive({ from, text: 'Is it in stock?', username: 'ann.shoes', referral, context })
    const content = {
      text: 'Is it in stock?',
      referral,
      referred_product: { catalog_id: 'c1', product_id: 'sku-1' },
      forwarded: true,
      username: 'ann.shoes',
    }
    expect((await record(id)).content).toEqual(content)
    expect((await eventOf(id)).data.content).toEqual(content)
    const plain = await receive({ from: '+12025550174', text: 'Hello' })
    expect((await record(plain)).content).toEqual({ text: 'Hello' })

    await erase(from)
    expect(JSON.stringify([await record(id), await eventOf(id)])).not.toMatch(/click-1|ann\.shoes|sku-1/)
  })

  test('a message in a group is marked, opens no private window and is not quoted in a private chat', async () => {
    const from = '+12025550142'
    const id = await receive({ from, text: 'Hi all', group_id: 'G-77' })
    expect(await record(id)).toMatchObject({ group_id: 'G-77', window: { state: 'closed' } })
    expect(await eventOf(id)).toMatchObject({ data: { group_id: 'G-77' } })
    expect((await send(from)).body.error.code).toBe('customer_window_closed')

    await receive({ from, text: 'And in private' })
    const refused = await send(from, { reply_to: id })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed'])
    expect(refused.body.error.details).toMatchObject([{ field: 'reply_to', code: 'invalid_value' }])
    expect((await send(from)).status).toBe(200)
  })

  test('a message is quoted only to its own customer, by any address they are known under', async () => {
    const [from, other, mexican] = ['+12025550147', '+12025550148', '+525512349876']
    const id = await receive({ from, text: 'About my order' })
    await receive({ from: other, text: 'About another' })
    const refused = await send(other, { reply_to: id })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed'])
    expect(refused.body.error.details).toMatchObject([
      { field: 'reply_to', code: 'invalid_value', message: expect.stringContaining('another customer') },
    ])
    const template = { to: other, template: 'hello_world', language: 'en_US', reply_to: id }
    expect((await world.post('/v1/chat/messages/template?dry_run=true', template)).body.data.would_send).toBe(false)

    const sent = await send(from, { reply_to: id })
    expect(sent.status).toBe(200)
    expect((await send(from, { reply_to: sent.body.data.message_id })).status).toBe(200)
    const written = await receive({ from: mexican.replace('+52', '+521'), text: 'Hola' })
    expect((await send(mexican, { reply_to: written })).status).toBe(200)
  })

  test('a message of a customer who changed their number is quoted to the new one', async () => {
    const [before, after] = ['+12025550149', '+12025550159']
    const id = await receive({ from: before, text: 'From my old phone' })
    await world.control('POST', '/_sandbox/identity-changes', { from: before, new_phone_number: after })
    await waitFor(async () => (await windowOf(after)) === 'open', 10_000)
    expect((await send(after, { reply_to: id })).status).toBe(200)
  })

  const windowOf = async (to: string) =>
    (await world.post('/v1/chat/messages/send?dry_run=true', { to, message: 'Hi' })).body.data.window.state
  const erase = async (address: string) =>
    (await eraseCustomer(world.service.rt, world.accountId, address, { actor: operator })).rows

  describe('a customer who changes', () => {
    test('their number stays one customer: one window, one erasure', async () => {
      const [before, after] = ['+12025550143', '+12025550153']
      const written = await receive({ from: before, text: 'From my old phone' })
      expect(await windowOf(after)).toBe('closed')
      const changed = await world.control('POST', '/_sandbox/identity-changes', {
        from: before,
        new_phone_number: after,
      })
      const note = changed.body.message_id
      await waitFor(async () => (await record(note)) !== null, 10_000)
      expect(await record(note)).toMatchObject({
        type: 'system',
        from: after,
        content: { system: { type: 'user_changed_number' } },
        window: { state: 'open' },
      })
      expect((await send(after)).status).toBe(200)
      const again = '+12025550163'
      await world.control('POST', '/_sandbox/identity-changes', { from: after, new_phone_number: again })
      await waitFor(async () => (await windowOf(again)) === 'open', 10_000)

      const erased = await erase(again)
      expect(erased).toMatchObject({ messages: 4, contacts: 1 })
      expect(await record(written)).toMatchObject({ from: null, user_id: null, content: null })
    })

    test('their user id, told with neither contacts nor from, stays one customer', async () => {
      const [before, after] = ['US.1001', 'US.1002']
      const written = await receive({ user_id: before, text: 'Who am I' })
      expect(await windowOf(after)).toBe('closed')
      await world.control('POST', '/_sandbox/identity-changes', { user_id: before, new_user_id: after })
      await waitFor(async () => (await windowOf(after)) === 'open', 10_000)
      expect((await send(after)).status).toBe(200)
      expect(await erase(after)).toMatchObject({ messages: 3, customer_addresses: 2 })
      expect(await record(written)).toMatchObject({ user_id: null, content: null })
    })
  })

  describe('a customer known by user id alone', () => {
    const card = (origin: string, phone: string) => ({
      origin,
      ...(origin === 'other' ? { vcard: 'BEGIN:VCARD\nEND:VCARD' } : {}),
      name: { formatted_name: 'Ann', first_name: 'Ann' },
      phones: [{ phone, wa_id: phone.slice(1), type: 'CELL' }],
    })
    const shares = (user_id: string, origin: string, phone: string) =>
      receive({ user_id, hide_phone: true, type: 'contacts', contacts: [card(origin, phone)] })

    test('who shares the number they were asked for is found by it, and erased by it', async () => {
      const [userId, phone] = ['US.4001', '+12025550301']
      const written = await receive({ user_id: userId, text: 'Hello' })
      expect((await send(phone)).body.error.code).toBe('customer_window_closed')
      const shared = await shares(userId, 'contact_request', phone)
      expect((await send(phone)).status).toBe(200)
      const { customer_id } = await record(written)
      expect(await record(shared)).toMatchObject({ customer_id, from: phone, user_id: userId })
      const listed = (await world.get(`/v1/chat/customers?address=${encodeURIComponent(phone)}`)).body.data.customers
      expect(listed).toMatchObject([{ customer_id, address: phone }])
      expect(await erase(phone)).toMatchObject({ messages: 3, customers: 1, customer_addresses: 2 })
      expect(await record(written)).toMatchObject({ customer_id: null, user_id: null, content: null })
      expect(JSON.stringify(await record(shared))).not.toContain(phone.slice(1))
    })

    test('who is erased leaves the contact book of Meta too, and an id that stayed there is named', async () => {
      const { rt } = world.service
      const asked: string[] = []
      const { forgetContact } = rt.platform
      using spy = vi.spyOn(rt.platform, 'forgetContact').mockImplementation(async (number, userId) => {
        asked.push(userId)
        await forgetContact(number, userId)
      })
      const forget = (address: string) => eraseCustomer(rt, world.accountId, address, { actor: operator })
      const [first, second] = ['US.4011', 'US.4012']
      for (const user_id of [first, second]) await receive({ user_id, text: 'Hello' })
      expect((await forget(first)).contact_book_failed).toEqual([])
      expect(asked).toEqual([first])
      spy.mockRejectedValue(
        new PlatformError({ kind: 'unreachable', code: 'upstream_unavailable', outcome: 'unknown' }),
      )
      expect((await forget(second)).contact_book_failed).toEqual([second])
      expect(spy).toHaveBeenCalledTimes(4)
    })

    test('stays apart from a number on a card that they forward', async () => {
      const [userId, phone] = ['US.4002', '+12025550302']
      await shares(userId, 'other', phone)
      expect((await send(phone)).body.error.code).toBe('customer_window_closed')
    })
  })

  test('a call opens the window', async () => {
    const from = '+12025550145'
    expect(await windowOf(from)).toBe('closed')
    await world.control('POST', '/_sandbox/calls', { from })
    await waitFor(async () => (await windowOf(from)) === 'open', 10_000)
    expect((await send(from)).status).toBe(200)
  })

  describe('the two forms of a number', () => {
    test.each([
      ['Mexico', '+5215512345678', '+525512345678'],
      ['Brazil', '+551187654321', '+5511987654321'],
    ])('of %s are one customer', async (_, theirs, given) => {
      expect(await windowOf(given)).toBe('closed')
      const written = await receive({ from: theirs, text: 'Hola' })
      expect(await windowOf(given)).toBe('open')
      expect((await send(given)).status).toBe(200)
      expect(await erase(given)).toMatchObject({ messages: 2 })
      expect(await record(written)).toMatchObject({ from: null, content: null })
    })

    test('of Brazil that may be two people leave the window unknown, and are erased apart', async () => {
      const [landline, mobile] = ['+551133334444', '+5511933334444']
      expect(await windowOf(mobile)).toBe('closed')
      const written = await receive({ from: landline, text: 'Oi' })
      expect(await windowOf(mobile)).toBe('unknown')
      expect((await send(mobile)).status).toBe(200)
      expect(await erase(mobile)).toMatchObject({ messages: 1 })
      expect(await record(written)).toMatchObject({ from: landline, content: { text: 'Oi' } })
    })
  })

  describe('marketing messages', () => {
    const from = '+12025550146'
    const promote = (to: string) =>
      world.post('/v1/chat/messages/template', { to, template: 'summer_sale', language: 'en_US' })
    const prefer = (value: string, more: object = {}) =>
      world.control('POST', '/_sandbox/preferences', { from, value, ...more })
    const changes = async () =>
      (await world.get('/v1/events?type=customer.preference_changed&limit=100')).body.data.events

    beforeAll(async () => {
      const components = [{ type: 'BODY', text: 'Everything must go.' }]
      const template = { name: 'summer_sale', language: 'en_US', category: 'MARKETING', components }
      await world.control('POST', '/_sandbox/templates', { templates: [template] })
    })

    test('are refused before the call to who stopped them, until they take them again', async () => {
      const first = await promote(from)
      expect(first.status).toBe(200)
      expect((await record(first.body.data.message_id)).marketing).toEqual({ state: 'unknown', since: null })

      await prefer('stop')
      await waitFor(async () => (await changes()).length === 1, 10_000)
      const [event] = await changes()
      expect(event.data).toEqual({
        customer_id: expect.stringMatching(/^cus_/),
        customer: from,
        user_id: expect.stringMatching(/^US\./),
        phone_number: expect.stringMatching(/^\+/),
        category: 'marketing',
        preference: 'opted_out',
        source: 'whatsapp',
        timestamp: expect.any(String),
      })
      const shown = (await record(first.body.data.message_id)).marketing
      expect(shown).toEqual({ state: 'opted_out', since: event.data.timestamp })

      const arrived = async () =>
        (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(from)}`)).body.data.length
      const before = await arrived()
      for (const to of [from, event.data.user_id]) {
        const refused = await promote(to)
        expect([refused.status, refused.body.error.code]).toEqual([400, 'recipient_opted_out'])
      }
      expect(await arrived()).toBe(before)
      await receive({ from, text: 'Where is my order?' })
      expect((await send(from)).status).toBe(200)

      await world.control('POST', '/_sandbox/clock', { advance_ms: 2_000 })
      await prefer('resume')
      await waitFor(async () => (await changes()).length === 2, 10_000)
      expect((await promote(from)).status).toBe(200)
    })

    test('are left to the platform where the operator says so, and fail by a status without a user id', async () => {
      await prefer('stop')
      await waitFor(async () => (await promote(from)).status === 400, 10_000)
      const { rt } = world.service
      const lenient = { ...rt, config: { ...rt.config, marketingOptOut: 'platform' as const } }
      const sender = { accountId: world.accountId, phoneNumberIds: null, keyId: null }
      const draft = await draftTemplate(lenient, sender, { to: from, template: 'summer_sale', language: 'en_US' })
      const { row } = await dispatchMessage(lenient, { sender, draft, idempotencyKey: null, answerOf: () => null })
      await waitFor(async () => (await record(row.id)).status === 'failed', 10_000)
      expect((await record(row.id)).error.code).toBe('recipient_opted_out')
    })

    const detail = 'User requested to stop marketing messages'
    const late = { user_id: 'US.5005', detail, category: 'marketing_messages', timestamp: 1_763_200_000 }
    const tell = async (user_preferences: object[]) => {
      const [number] = (await world.control('GET', '/_sandbox')).body.numbers
      const metadata = { display_phone_number: number.phone_number, phone_number_id: number.phone_number_id }
      const value = { messaging_product: 'whatsapp', metadata, user_preferences }
      await world.control('POST', '/_sandbox/events', { field: 'user_preferences', value })
    }

    test('a word that comes late or twice changes nothing', async () => {
      const known = (await changes()).length
      await tell([{ ...late, value: 'stop', timestamp: 1_763_200_100 }])
      await waitFor(async () => (await changes()).length === known + 1, 10_000)
      await tell([{ ...late, value: 'resume' }])
      await tell([{ ...late, value: 'stop', timestamp: 1_763_200_100, detail: 'again' }])
      await tell([{ ...late, user_id: 'US.6006', value: 'stop' }])
      await waitFor(async () => (await changes()).length === known + 2, 10_000)
      expect((await promote('US.5005')).body.error.code).toBe('recipient_opted_out')
    })

    test('are refused to a number whose user id stopped them, once a status has told that both are one', async () => {
      const to = '+12025550171'
      const userId = await userIdToldFor((await promote(to)).body.data.message_id)
      await tell([{ ...late, user_id: userId, value: 'stop' }])
      await waitFor(async () => (await promote(to)).body.error?.code === 'recipient_opted_out', 10_000)
    })

    test('erasing the customer takes the word out of events too', async () => {
      expect(await erase(from)).toMatchObject({ customer_events: 3 })
      expect(JSON.stringify(await changes())).not.toContain(from)
      expect((await changes()).filter((one: { data: { customer: string | null } }) => one.data.customer)).toEqual([])
    })
  })

  const waiting = async () => {
    const listing = conversationListing(world.accountId, { state: 'open', unread: true })
    const { rows } = await readList(world.service.rt.store, world.accountId, listing, { after: null, count: 100 })
    return rows.map(({ address, unread }) => ({ address, unread }))
  }

  test('one who was sent a template and then writes with the number hidden stays one customer', async () => {
    const to = '+12025550172'
    const template = { to, template: 'hello_world', language: 'en_US' }
    const sent = (await world.post('/v1/chat/messages/template', template)).body.data.message_id
    const userId = await userIdToldFor(sent)
    expect(await windowOf(to)).toBe('closed')
    const before = await waiting()
    const written = await receive({ from: to, hide_phone: true, text: 'Who are you?' })
    expect(await record(written)).toMatchObject({ from: null, user_id: userId, window: { state: 'open' } })
    expect(await waiting()).toHaveLength(before.length + 1)
    expect(await waiting()).toContainEqual({ address: to, unread: 1 })
    expect((await send(to)).status).toBe(200)

    expect(await erase(to)).toMatchObject({ messages: 3, contacts: 1, customer_addresses: 2 })
    expect(await record(written)).toMatchObject({ user_id: null, content: null })
  })

  test('one who hides their number from now on is listed once, and unread', async () => {
    const from = '+351911110077'
    const before = await waiting()
    await receive({ from, text: 'With my number' })
    await receive({ from, hide_phone: true, text: 'And without it' })
    expect(await waiting()).toHaveLength(before.length + 1)
    expect(await waiting()).toContainEqual({ address: from, unread: 2 })
  })

  test('prices of one category are counted apart by type', async () => {
    await world.control('POST', '/_sandbox/rules', { count: 3, do: { no_callbacks: true } })
    const types = ['regular', 'free_entry_point', undefined]
    const ids: string[] = []
    for (const _ of types) ids.push((await send(world.customer)).body.data.message_id)
    const statuses = types.map((type, index) => ({
      id: ids[index],
      status: 'delivered',
      timestamp: String(Math.floor(Date.now() / 1_000)),
      recipient_id: world.customer.slice(1),
      pricing: { billable: type === 'regular', pricing_model: 'PMP', category: 'referral_conversion', type },
    }))
    await world.control('POST', '/_sandbox/statuses', { statuses })
    for (const id of ids) await waitFor(async () => (await record(id)).status === 'delivered', 10_000)
    const { pricing } = (await world.get(`/v1/chat/analytics?from=${new Date().toISOString().slice(0, 10)}`)).body.data
    const counted = pricing.filter(({ category }: { category: string }) => category === 'referral_conversion')
    expect(counted).toHaveLength(3)
    for (const type of ['regular', 'free_entry_point', null]) {
      expect(counted).toContainEqual({ category: 'referral_conversion', type, free: type !== 'regular', count: 1 })
    }
  })
})
