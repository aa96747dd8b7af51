import { describe, expect, test } from 'vitest'
import { departFromContract } from '../../../test/support/contract/violations.ts'
import { type Json, record } from '../http/json.ts'
import { startBench, until } from '../test-support.ts'

const FROM = '+12025550111'

describe('customers who write', () => {
  const plain: [string, Json][] = [
    ['text', { text: 'Hello' }],
    ['location', { type: 'location', location: { latitude: 52.1, longitude: 4.3 } }],
    ['contacts', { type: 'contacts', contacts: [{ phones: [{ phone: '+1' }] }] }],
    ['reaction', { type: 'reaction', reaction: { message_id: 'wamid.X', emoji: '' } }],
    ['button', { type: 'button', button: { payload: 'P1', text: 'Yes' } }],
    ['interactive', { type: 'interactive', button_reply: { id: 'a', title: 'Yes' } }],
    ['interactive', { button_reply: { id: 'a', title: 'Yes' } }],
    ['interactive', { interactive: { type: 'list_reply', list_reply: { id: 'b', title: 'No' } } }],
    ['interactive', { type: 'interactive', list_reply: { id: 'r1', title: 'Row' } }],
    ['interactive', { type: 'interactive', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{}' } }],
    ['interactive', { type: 'interactive', call_permission_reply: { response: 'accept', is_permanent: true } }],
    ['order', { type: 'order', order: { catalog_id: 'c', product_items: [] } }],
    ['edit', { type: 'edit', edit: { original_message_id: 'wamid.X', message: { type: 'text' } } }],
    ['revoke', { type: 'revoke', revoke: { original_message_id: 'wamid.X' } }],
    ['hologram', { type: 'hologram', hologram: { hz: 60 } }],
  ]

  test.each(plain)('a %s arrives as it was given (%#)', async (type, request) => {
    departFromContract(/messages\[\]\.type .* 'hologram'/)
    await using bench = await startBench()
    const answer = await bench.control('POST', '/inbound', { from: FROM, ...request })
    await until('the message', () => bench.receiver.messages().length === 1)
    const [message] = bench.receiver.messages()
    expect(message).toMatchObject({ id: answer.body.message_id, from: '12025550111', type })
    expect(message).toHaveProperty(type)
    expect(message).not.toHaveProperty('context')
  })

  test.each(['image', 'video', 'document', 'audio', 'sticker'])('a sample %s can be fetched', async (type) => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: FROM, type })
    await until('the message', () => bench.receiver.messages().length === 1)
    const node = record(bench.receiver.messages()[0]?.[type])
    expect(node.sha256).toHaveLength(44)
    const headers = { authorization: `Bearer ${bench.number.access_token}` }
    const response = await fetch(String(node.url), { headers })
    expect(response.headers.get('content-type')).toBe(node.mime_type)
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    bench.sandbox.control.advance(8 * 24 * 3_600_000)
    expect((await bench.call('GET', String(node.id))).status).toBe(400)
  })

  test('given bytes and a caption are used instead of the sample', async () => {
    await using bench = await startBench()
    const media = { data_base64: Buffer.from('bytes').toString('base64'), mime_type: 'image/jpeg', caption: 'Look' }
    bench.sandbox.control.inbound({ from: FROM, type: 'image', media })
    await until('the message', () => bench.receiver.messages().length === 1)
    const node = record(bench.receiver.messages()[0]?.image)
    expect(node).toMatchObject({ mime_type: 'image/jpeg', caption: 'Look' })
    const { body } = await bench.call('GET', String(node.id))
    expect(body.file_size).toBe(5)
  })

  test('a reply carries its context', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: FROM, text: 'Yes', context: 'wamid.QUOTED' })
    await until('the message', () => bench.receiver.messages().length === 1)
    const from = bench.number.phone_number.slice(1)
    expect(bench.receiver.messages()[0]?.context).toEqual({ from, id: 'wamid.QUOTED' })
  })

  test('a customer with a username has no phone number anywhere, and can be answered', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ user_id: 'PT.123', username: 'ann', name: 'Ann', text: 'Hi' })
    await until('the message', () => bench.receiver.messages().length === 1)
    const [value] = bench.receiver.values('messages')
    expect(value?.contacts).toEqual([{ profile: { name: 'Ann', username: 'ann' }, user_id: 'PT.123' }])
    expect(bench.receiver.messages()[0]).not.toHaveProperty('from')
    expect(bench.receiver.messages()[0]?.from_user_id).toBe('PT.123')
    await bench.send({ recipient: 'PT.123', type: 'text', text: { body: 'Hello' } })
    await until('a read', () => bench.receiver.statuses().some((item) => item.status === 'read'))
  })

  test('a system message has no contacts and does not open a window', async () => {
    await using bench = await startBench()
    const system = { body: 'changed', wa_id: '12025550112', type: 'user_changed_number' }
    bench.sandbox.control.inbound({ from: FROM, type: 'system', system })
    await until('the message', () => bench.receiver.messages().length === 1)
    expect(bench.receiver.values('messages')[0]).not.toHaveProperty('contacts')
    const customers = bench.sandbox.control.customers().data
    expect(customers.find((customer) => customer.phone_number === FROM)?.window).toBe('closed')
  })

  test('an unsupported message carries error 131051', async () => {
    await using bench = await startBench()
    bench.sandbox.control.inbound({ from: FROM, type: 'unsupported' })
    await until('the message', () => bench.receiver.messages().length === 1)
    expect(bench.receiver.messages()[0]).toMatchObject({
      errors: [{ code: 131051, title: 'Message type unknown' }],
      unsupported: { type: 'poll_creation' },
    })
  })

  test('errors of the account arrive outside any message', async () => {
    await using bench = await startBench()
    await bench.control('POST', '/inbound', { value_errors: [{ code: 131000, title: 'Something went wrong' }] })
    await until('the errors', () => bench.receiver.values('messages').length === 1)
    expect(bench.receiver.values('messages')[0]?.errors).toEqual([{ code: 131000, title: 'Something went wrong' }])
  })

  test('raw statuses can be put on the wire as they are', async () => {
    departFromContract(/statuses\[\]\.status .* 'levitating'/)
    await using bench = await startBench()
    const statuses = [{ id: 'wamid.X', status: 'levitating', timestamp: '1' }]
    expect((await bench.control('POST', '/statuses', { statuses })).body).toEqual({ count: 1 })
    await until('the status', () => bench.receiver.statuses().length === 1)
    expect(bench.receiver.statuses()).toEqual(statuses)
  })

  test('a customer can write to the second number of the sandbox', async () => {
    await using bench = await startBench()
    const other = bench.sandbox.control.createNumber({ waba_id: bench.number.waba_id })
    bench.sandbox.control.inbound({ to: other.phone_number, from: FROM, text: 'Hi' })
    await until('the message', () => bench.receiver.messages().length === 1)
    expect(record(bench.receiver.values('messages')[0]?.metadata).phone_number_id).toBe(other.phone_number_id)
  })
})
