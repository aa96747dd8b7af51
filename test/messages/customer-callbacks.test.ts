import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
})
