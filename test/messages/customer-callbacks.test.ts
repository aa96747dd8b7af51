import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { erasePerson } from '../../server/src/messages/erase/erase-person.ts'
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

  const windowOf = async (to: string) =>
    (await world.post('/v1/chat/messages/send?dry_run=true', { to, message: 'Hi' })).body.data.window.state
  const erase = (address: string) => erasePerson(world.service.rt, world.accountId, address, operator)

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
      expect(erased).toMatchObject({ messages: 4, contacts: 2 })
      expect(await record(written)).toMatchObject({ from: null, user_id: null, content: null })
    })

    test('their user id, told with neither contacts nor from, stays one customer', async () => {
      const [before, after] = ['US.1001', 'US.1002']
      const written = await receive({ user_id: before, text: 'Who am I' })
      expect(await windowOf(after)).toBe('closed')
      await world.control('POST', '/_sandbox/identity-changes', { user_id: before, new_user_id: after })
      await waitFor(async () => (await windowOf(after)) === 'open', 10_000)
      expect((await send(after)).status).toBe(200)
      expect(await erase(after)).toMatchObject({ messages: 3, contact_aliases: 1 })
      expect(await record(written)).toMatchObject({ user_id: null, content: null })
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
})
