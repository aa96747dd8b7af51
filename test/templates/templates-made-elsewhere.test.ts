import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const place = { latitude: 38.7071, longitude: -9.1355, name: 'Shop', address: 'Quay 1' }
const header = { type: 'header', parameters: [{ type: 'location', location: place }] }
const coupon = {
  type: 'button',
  sub_type: 'COPY_CODE',
  index: 0,
  parameters: [{ type: 'coupon_code', coupon_code: 'SAVE25' }],
}
const body = (text: string) => ({ type: 'BODY', text })
const button = (type: string) => ({ type: 'BUTTONS', buttons: [{ type, text: 'View' }] })
const unsupported = {
  order: [body('Please pay.'), button('ORDER_DETAILS')],
}

describe.each(engines)('a template that was made in WhatsApp Manager on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    const sale = [
      { type: 'HEADER', format: 'LOCATION' },
      body('The sale is on.'),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'COPY_CODE', example: 'SAVE10' },
          { type: 'FLOW', text: 'Sign up', flow_id: '1' },
        ],
      },
    ]
    const paper = [{ type: 'HEADER', format: 'DOCUMENT' }, body('Your bill.')]
    const templates = [
      ...Object.entries(unsupported).map(([name, parts]) => ({ name, category: 'MARKETING', components: parts })),
      { name: 'sale', category: 'MARKETING', components: sale },
      { name: 'paper', components: paper },
    ]
    expect((await world.control('POST', '/_sandbox/templates', { templates })).status).toBe(200)
  })
  afterAll(() => world.stop())

  const send = (template: string, components?: object[], query = '') =>
    world.post(`/v1/chat/messages/template${query}`, {
      to: world.customer,
      template,
      language: 'en_US',
      ...(components ? { components } : {}),
    })
  const preview = async (name: string) => {
    const { body } = await world.get(`/v1/chat/templates?name=${name}`)
    return world.post(`/v1/chat/templates/${body.data.templates[0].id}/preview`)
  }

  test('is sent with a place, a coupon code and its flow, and the record shows what the customer saw', async () => {
    const sent = await send('sale', [header, coupon])
    expect(sent.body).toMatchObject({ success: true, data: { status: 'sent', template: 'sale' } })
    const { body } = await world.get(`/v1/chat/messages/${encodeURIComponent(sent.body.data.message_id)}`)
    expect(body.data.content).toMatchObject({
      header: { kind: 'location', ...place },
      text: 'The sale is on.',
      buttons: [
        { type: 'copy_code', text: 'Copy code', value: 'SAVE25' },
        { type: 'flow', text: 'Sign up', value: null },
      ],
    })
  })

  test('is refused without its values before Meta is called, in a dry run too, and the example can be sent', async () => {
    const before = await arrivals()
    const refused = await send('sale')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'template_parameter_mismatch'])
    expect(refused.body.error.details.map(({ message }: { message: string }) => message)).toEqual([
      'header needs a location, got none',
      'button 0 (copy_code) needs 1 coupon_code value, got none',
    ])
    const dry = await send('sale', [header], '?dry_run=true')
    expect(dry.body.data).toMatchObject({
      would_send: false,
      problems: [{ message: 'button 0 (copy_code) needs 1 coupon_code value, got none' }],
    })
    expect(await arrivals()).toBe(before)
    expect((await send('sale', refused.body.error.details[0].example)).status).toBe(200)
  })

  test('has a preview with sample values', async () => {
    const { status, body } = await preview('sale')
    expect([status, body.data.header.kind]).toEqual([200, 'location'])
    expect(body.data.buttons[0]).toEqual({ type: 'copy_code', text: 'Copy code', value: 'SAVE10' })
  })

  test.each([['order', 'an order details button']])(
    'and cannot be filled here (%s) is refused before the call, but still shown',
    async (name, part) => {
      const before = await arrivals()
      const refused = await send(name)
      const message = `The template ${name} (en_US) has ${part}, which this gateway cannot fill. Send another template.`
      expect([refused.status, refused.body.error.code]).toEqual([400, 'message_type_not_supported'])
      expect(refused.body.error).toMatchObject({ message, details: [{ field: 'template', message }] })
      expect(refused.body.error.upstream).toBeUndefined()
      const dry = await send(name, undefined, '?dry_run=true')
      expect(dry.body.data).toMatchObject({ would_send: false, problems: [{ code: 'message_type_not_supported' }] })
      expect(await arrivals()).toBe(before)
      expect(await preview(name)).toMatchObject({ status: 200, body: { data: { header: null } } })
    },
  )

  test('takes a file by `id` as Meta does, if it was uploaded here, and says so of an id of Meta', async () => {
    const form = new FormData()
    form.set('file', new Blob(['%PDF-1.4\n%%EOF\n']), 'bill.pdf')
    const headers = { authorization: `Bearer ${world.token}` }
    const url = `${world.service.urls.base.replace('localhost', '127.0.0.1')}/v1/chat/media`
    const { data } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Answer['body']
    const paper = (id: string) => [{ type: 'header', parameters: [{ type: 'document', document: { id } }] }]
    const sent = await send('paper', paper(data.media_id))
    expect(sent.status).toBe(200)
    const { body } = await world.get(`/v1/chat/messages/${encodeURIComponent(sent.body.data.message_id)}`)
    expect(body.data.content.header).toEqual({ kind: 'document', media_id: data.media_id })
    expect((await send('paper', paper('med_nobody'))).body.error.code).toBe('media_not_found')
    const refused = await send('paper', paper('1013859600285441'))
    expect(refused.body.error.details[0].message).toMatch(/^This is an id of Meta\. Upload the file/)
  })

  async function arrivals(): Promise<number> {
    const { body } = await world.control(
      'GET',
      `/_sandbox/messages?to=${encodeURIComponent(world.customer)}&limit=1000`,
    )
    return body.data.length
  }
})
