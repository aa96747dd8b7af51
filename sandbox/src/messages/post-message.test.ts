import { describe, expect, test } from 'vitest'
import { departFromContract } from '../../../test/support/contract/violations.ts'
import { type Json, list, record } from '../http/json.ts'
import { errorIn, idIn, startBench, until } from '../test-support.ts'

const CUSTOMER = '+12025550100'

describe('sending', () => {
  test('a 200 carries a message id of the platform, and contacts that echo the input', async () => {
    await using bench = await startBench()
    const answer = await bench.text('+1 (202) 555-0100')
    expect(answer.status).toBe(200)
    expect(answer.body.contacts).toEqual([{ input: '+1 (202) 555-0100', wa_id: '12025550100' }])
    const bytes = Buffer.from(idIn(answer).replace('wamid.', ''), 'base64')
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0x1c, 0x18, 11]))
    expect(bytes.toString('latin1', 3, 14)).toBe('12025550100')
    expect(bytes[17]).toBe(0x11)
  })

  test('ids are numeric strings', async () => {
    await using bench = await startBench()
    const { phone_number_id, waba_id, app_id } = bench.number
    for (const id of [phone_number_id, waba_id, app_id]) expect(id).toMatch(/^\d{15,16}$/)
  })

  const valid: [string, Json][] = [
    ['text', { text: { body: 'x'.repeat(4096), preview_url: true } }],
    ['image', { image: { link: 'https://files.test/a.jpg', caption: 'c' } }],
    ['video', { video: { link: 'https://files.test/a.mp4' } }],
    ['document', { document: { link: 'https://files.test/a.pdf', filename: 'a.pdf' } }],
    ['audio', { audio: { link: 'https://files.test/a.ogg', voice: true } }],
    ['sticker', { sticker: { link: 'https://files.test/a.webp' } }],
    ['location', { location: { latitude: '52.1', longitude: 4.3, name: 'Here' } }],
    ['contacts', { contacts: [{ name: { formatted_name: 'Ann', first_name: 'Ann' }, phones: [{ phone: '+1555' }] }] }],
    ['interactive', { interactive: buttons(3) }],
    ['interactive', { interactive: rows(10) }],
    [
      'interactive',
      {
        interactive: {
          type: 'cta_url',
          body: { text: 'b' },
          action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://a.test' } },
        },
      },
    ],
    [
      'interactive',
      { interactive: { type: 'location_request_message', body: { text: 'b' }, action: { name: 'send_location' } } },
    ],
    ['interactive', { interactive: { type: 'product', action: { catalog_id: 'c', product_retailer_id: 'p' } } }],
  ]

  test.each(valid)('a %s message within its limits is accepted (%#)', async (type, content) => {
    await using bench = await startBench()
    expect((await bench.send({ to: CUSTOMER, type, ...content })).status).toBe(200)
  })

  const broken: [string, number, string, Json][] = [
    ['no content', 131008, 'text', {}],
    ['a text over 4096 characters', 131009, 'text', { text: { body: 'x'.repeat(4097) } }],
    ['an empty text', 131008, 'text', { text: { body: '' } }],
    ['a misspelt member', 100, 'text', { text: { body: 'x', preview: true } }],
    ['id and link together', 131009, 'image', { image: { id: '1', link: 'https://a.test' } }],
    ['an unknown media id', 131009, 'image', { image: { id: '1' } }],
    ['a caption over 1024', 131009, 'image', { image: { link: 'https://a.test', caption: 'x'.repeat(1025) } }],
    ['a caption on audio', 100, 'audio', { audio: { link: 'https://a.test', caption: 'x' } }],
    ['a place outside the globe', 131009, 'location', { location: { latitude: 91, longitude: 0 } }],
    ['a contact without a name', 131008, 'contacts', { contacts: [{ phones: [] }] }],
    ['four buttons', 131009, 'interactive', { interactive: buttons(4) }],
    ['eleven rows', 131009, 'interactive', { interactive: rows(11) }],
    ['a type nobody knows', 131051, 'hologram', { hologram: {} }],
    ['opaque data over 512', 131009, 'text', { text: { body: 'x' }, biz_opaque_callback_data: 'x'.repeat(513) }],
    ['a context without an id', 131008, 'text', { text: { body: 'x' }, context: {} }],
  ]

  test.each(broken)('%s is refused with %i and details', async (_what, code, type, content) => {
    await using bench = await startBench()
    const answer = await bench.send({ to: CUSTOMER, type, ...content })
    expect(answer.status).toBe(400)
    expect(errorIn(answer)).toMatchObject({ code, type: 'OAuthException' })
    expect(record(errorIn(answer).error_data).details).toEqual(expect.any(String))
    expect(errorIn(answer).fbtrace_id).toEqual(expect.any(String))
    expect(bench.sandbox.control.messages().data).toEqual([])
  })

  test('the sender cannot be the recipient', async () => {
    await using bench = await startBench()
    expect(errorIn(await bench.text(bench.number.phone_number)).code).toBe(131021)
  })

  test('a number that is not registered cannot send', async () => {
    await using bench = await startBench()
    bench.sandbox.control.updateNumber(bench.number.phone_number_id, { status: 'DISCONNECTED' })
    expect(errorIn(await bench.text(CUSTOMER)).code).toBe(133010)
  })

  test('a test number reaches only its allow-list', async () => {
    await using bench = await startBench()
    bench.sandbox.control.updateNumber(bench.number.phone_number_id, { allow_list: ['+1 202 555 0100'] })
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    expect(errorIn(await bench.text('+12025550199')).code).toBe(131030)
    expect(errorIn(await bench.text('junk')).code).toBe(131030)
  })

  test('in test mode every number reaches only the allow-list of the scenario, and junk is not on it', async () => {
    await using bench = await startBench({ scenario: { allow_list: ['+1 202 555 0100'] } })
    expect((await bench.text(CUSTOMER)).status).toBe(200)
    for (const to of ['+12025550199', 'junk']) expect(errorIn(await bench.text(to)).code).toBe(131030)
  })

  test('a message without messaging_product is refused with 100', async () => {
    await using bench = await startBench()
    const path = `${bench.number.phone_number_id}/messages`
    expect(errorIn(await bench.call('POST', path, { to: CUSTOMER, type: 'text' })).code).toBe(100)
    expect(errorIn(await bench.call('POST', path, '{broken')).code).toBe(100)
  })

  test('a form body is taken as well as JSON', async () => {
    await using bench = await startBench()
    const form = new URLSearchParams({
      messaging_product: 'whatsapp',
      to: CUSTOMER,
      type: 'text',
      text: '{"body":"x"}',
    })
    const path = `${bench.number.phone_number_id}/messages`
    const answer = await bench.call('POST', path, form.toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer.status).toBe(200)
  })

  test('a business-scoped user id replaces the phone number, and the answer has no wa_id', async () => {
    await using bench = await startBench()
    const [customer] = bench.sandbox.control.customers().data
    const userId = String(customer?.user_id)
    const answer = await bench.send({ recipient: userId, type: 'text', text: { body: 'x' } })
    expect(answer.body.contacts).toEqual([{ input: userId, user_id: userId }])
    await until('a read status', () => bench.receiver.statuses().some((item) => item.status === 'read'))
    expect(bench.receiver.statuses().every((item) => item.recipient_id === undefined)).toBe(true)
    expect(bench.receiver.statuses()[0]?.recipient_user_id).toBe(userId)
  })

  test('takes what public tools send: nulls, and objects as JSON text', async () => {
    departFromContract(/request\.(context|interactive\.)/)
    await using bench = await startBench()
    expect((await bench.text(CUSTOMER, { context: null })).status).toBe(200)
    const { action, ...rest } = buttons(2)
    const interactive = { ...rest, header: null, action: JSON.stringify(action) }
    expect((await bench.send({ to: CUSTOMER, type: 'interactive', interactive })).status).toBe(200)
    const broken = { ...rest, action: '{"buttons":' }
    expect(errorIn(await bench.send({ to: CUSTOMER, type: 'interactive', interactive: broken })).code).toBe(131009)
  })

  test('a link to the next page holds the token, however it came', async () => {
    await using bench = await startBench()
    const { access_token: token } = bench.number
    const { paging } = (await bench.call('GET', 'message_template_library?limit=1')).body
    expect(new URL(String(record(paging).next)).searchParams.get('access_token')).toBe(token)
    expect((await fetch(String(record(paging).next))).status).toBe(200)
  })

  test('the marketing endpoint takes marketing templates alone', async () => {
    await using bench = await startBench()
    const path = `${bench.number.phone_number_id}/marketing_messages`
    const template = { name: 'hello_world', language: { code: 'en_US' } }
    const body = { messaging_product: 'whatsapp', to: CUSTOMER, type: 'template', template }
    expect(errorIn(await bench.call('POST', path, body)).code).toBe(134102)
    bench.sandbox.control.updateNumber(bench.number.phone_number_id, { marketing_messages: true })
    expect(errorIn(await bench.call('POST', path, body)).code).toBe(134100)
    bench.sandbox.control.review('hello_world', { decision: 'category', category: 'MARKETING' })
    expect((await bench.call('POST', path, body)).status).toBe(200)
    bench.sandbox.control.updateNumber(bench.number.phone_number_id, { marketing_on_cloud_api: false })
    expect(errorIn(await bench.send({ to: CUSTOMER, type: 'template', template })).code).toBe(131063)
    expect((await bench.call('POST', path, body)).status).toBe(200)
  })

  test('reading a message with a typing indicator succeeds and is seen by the customer', async () => {
    await using bench = await startBench()
    const { message_id: id } = bench.sandbox.control.inbound({ from: CUSTOMER, text: 'Hi' })
    const answer = await bench.send({ status: 'read', message_id: id, typing_indicator: { type: 'text' } })
    expect(answer.body).toEqual({ success: true })
    expect(bench.sandbox.control.messages({ from: CUSTOMER }).data[0]?.read_by_business).toBe(true)
    expect(errorIn(await bench.send({ status: 'read', message_id: 'wamid.unknown' })).code).toBe(131009)
  })

  test('what arrived can be listed with its opaque data, its text and its status', async () => {
    await using bench = await startBench()
    await bench.text(CUSTOMER, { biz_opaque_callback_data: 'ours-1' })
    const { data } = (await bench.control('GET', '/messages?to=%2B12025550100')).body
    expect(record(list(data)[0])).toMatchObject({ biz_opaque_callback_data: 'ours-1', text: 'Hello', to: CUSTOMER })
  })
})

function buttons(count: number): Json {
  const items = Array.from({ length: count }, (_, i) => ({ type: 'reply', reply: { id: `b${i}`, title: `B ${i}` } }))
  return { type: 'button', body: { text: 'Choose' }, action: { buttons: items } }
}

function rows(count: number): Json {
  const items = Array.from({ length: count }, (_, i) => ({ id: `r${i}`, title: `Row ${i}` }))
  return { type: 'list', body: { text: 'x'.repeat(4096) }, action: { button: 'Open', sections: [{ rows: items }] } }
}
