import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const id = (answer: Answer): string => answer.body.data.message_id
const path = (messageId: string) => `/v1/chat/messages/${encodeURIComponent(messageId)}`
const orderBody = {
  type: 'body',
  parameters: [
    { type: 'text', text: 'Ana' },
    { type: 'text', text: 'A-1001' },
    { type: 'text', text: '42 EUR' },
  ],
}

describe.each(engines)('messages on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  afterAll(() => world.stop())

  const record = async (messageId: string) => (await world.get(path(messageId))).body.data
  const becomes = async (messageId: string, status: string) => {
    await waitFor(async () => (await record(messageId)).status === status, 10_000)
    return record(messageId)
  }
  const arrivals = async (to: string) =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}&limit=1000`)).body.data
  /** How often a text arrived at the platform. */
  const textsAt = async (to: string, text: string) =>
    (await arrivals(to)).filter((message: { text: string }) => message.text === text).length
  const eventsOf = async (messageId: string) => {
    const { body } = await world.get(`/v1/events?message_id=${encodeURIComponent(messageId)}&limit=100`)
    return body.data.events as {
      type: string
      data: { sequence: number; status: string; inferred: boolean; message_id: string }
    }[]
  }

  test('a text answers exactly message_id and status, and is followed to read', async () => {
    const sent = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Your parcel is here' })
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ success: true, data: { message_id: expect.any(String), status: 'sent' } })
    const message = await becomes(id(sent), 'read')
    expect(message).toMatchObject({
      direction: 'outbound',
      type: 'text',
      to: world.customer,
      content: { text: 'Your parcel is here' },
      window: { state: 'open' },
      error: null,
    })
    expect(message.history.map((entry: { status: string }) => entry.status)).toEqual(
      expect.arrayContaining(['queued', 'sent', 'delivered', 'read']),
    )
    const events = await eventsOf(id(sent))
    expect(events.map(({ type }) => type)).toEqual(['message.sent', 'message.delivered', 'message.read'])
    expect(events.map(({ data }) => data.sequence)).toEqual([1, 2, 3])
  })

  test('a template answers exactly the five fields of the specification', async () => {
    const sent = await world.post('/v1/chat/messages/template', {
      to: '+12025550123',
      template: 'order_confirmation',
      language: 'en_US',
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example.test/a.png' } }] },
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'A-1' },
            { type: 'currency', currency: { code: 'EUR', amount_1000: 42_000 } },
          ],
        },
        { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] },
      ],
    })
    expect(sent.body).toEqual({
      success: true,
      data: {
        message_id: expect.any(String),
        to: '+12025550123',
        template: 'order_confirmation',
        status: 'sent',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
    expect((await becomes(id(sent), 'read')).content.text).toContain('€42.00')
  })

  test('values that do not fit a template are refused with the variables by name and a form to copy', async () => {
    const refused = await world.post('/v1/chat/messages/template', {
      to: world.customer,
      template: 'order_confirmation',
      language: 'en_US',
      components: [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }],
    })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'template_parameter_mismatch'])
    expect(refused.body.error.message).toContain('name, order_id, total')
    const { example } = refused.body.error.details[0]
    const copied = await world.post('/v1/chat/messages/template', {
      to: world.customer,
      template: 'order_confirmation',
      language: 'en_US',
      components: example,
    })
    expect(copied.status).toBe(200)
  })

  test('values under a name that others use are told ours, and a field called body is named like any other', async () => {
    const about = { to: world.customer, template: 'order_confirmation', language: 'en_US' }
    for (const name of ['body', 'variables', 'parameters']) {
      const refused = await world.post('/v1/chat/messages/template', { ...about, [name]: ['Ana'] })
      expect(refused.body.error.message).toBe(`There is no field '${name}'. Did you mean 'components'?`)
    }
    const form = { to: world.customer, type: 'quick_replies', body: 7, replies: ['Yes', 'No'] }
    const refused = await world.post('/v1/chat/messages/interactive', form)
    expect(refused.body.error.message).toBe("'body' is not valid: Must be a string.")
  })

  test('an unknown template or language is 404 and names the languages there are', async () => {
    const refused = await world.post('/v1/chat/messages/template', {
      to: world.customer,
      template: 'order_confirmation',
      language: 'pt_BR',
      components: [orderBody],
    })
    expect([refused.status, refused.body.error.code]).toEqual([404, 'template_not_found'])
    expect(JSON.stringify(refused.body.error.details)).toContain('en_US')
  })

  test('interactive messages go out, and the tap of the customer comes back as a reply', async () => {
    const sent = await world.post('/v1/chat/messages/interactive', {
      to: world.customer,
      type: 'quick_replies',
      body: 'Was this helpful?',
      replies: ['Yes', 'No'],
    })
    expect(sent.body.data).toMatchObject({ type: 'interactive', status: 'sent', to: world.customer })
    const tapped = await world.control('POST', '/_sandbox/inbound', {
      from: world.customer,
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: 'yes', title: 'Yes' } },
      context: { id: id(sent) },
    })
    const message = await waitForMessage(tapped.body.message_id)
    expect(message).toMatchObject({
      direction: 'inbound',
      type: 'button_reply',
      status: 'received',
      reply_to: id(sent),
      content: { reply: { id: 'yes', title: 'Yes' } },
    })
  })

  const waitForMessage = async (messageId: string) => {
    await waitFor(async () => (await world.get(path(messageId))).status === 200, 10_000)
    return record(messageId)
  }

  test.each([
    ['buttons without buttons', { type: 'buttons', body: 'x' }, 'buttons'],
    [
      'a list with a reply button',
      { type: 'list', body: 'x', button: 'Go', sections: [{ rows: [{ id: 'a', title: 'A' }] }], replies: ['a'] },
      'replies',
    ],
    [
      'four buttons',
      { type: 'buttons', body: 'x', buttons: [1, 2, 3, 4].map((n) => ({ id: `${n}`, title: `${n}` })) },
      'buttons',
    ],
  ])('%s are refused before the platform is asked', async (_, form, field) => {
    const refused = await world.post('/v1/chat/messages/interactive', { to: world.customer, ...form })
    expect(refused.status).toBe(400)
    expect(refused.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field)
  })

  describe('the 24-hour window', () => {
    test('closed refuses text, says what to do, and opens when the customer writes', async () => {
      const stranger = '+12025550177'
      const refused = await world.post('/v1/chat/messages/send', { to: stranger, message: 'Hello?' })
      expect([refused.status, refused.body.error.code]).toEqual([400, 'customer_window_closed'])
      expect(refused.body.error.message).toMatch(/template.*`postern trigger message\.received/s)
      expect(await arrivals(stranger)).toEqual([])
      const written = await world.control('POST', '/_sandbox/inbound', { from: stranger, text: 'Hi' })
      await waitForMessage(written.body.message_id)
      expect((await world.post('/v1/chat/messages/send', { to: stranger, message: 'Hello!' })).status).toBe(200)
    })

    test('opens for a text that is sent right after the customer wrote', async () => {
      for (let count = 0; count < 5; count++) {
        const stranger = `+1202555018${count}`
        await world.control('POST', '/_sandbox/inbound', { from: stranger, text: 'Hi' })
        const answer = await world.post('/v1/chat/messages/send', { to: stranger, message: 'Hello!' })
        expect([answer.status, answer.body.error?.code]).toEqual([200, undefined])
      }
    })

    test('closed uses the fallback template when one is given, and the answer says which', async () => {
      const fallback = { template: 'order_confirmation', language: 'en_US', components: [orderBody] }
      const templated = await world.post('/v1/chat/messages/send', { to: '+12025550178', message: 'Hello?', fallback })
      expect(templated.body.data).toMatchObject({ status: 'sent', used: 'template' })
      const texted = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'Hello?', fallback })
      expect(texted.body.data).toMatchObject({ status: 'sent', used: 'text' })
      expect((await record(id(templated))).type).toBe('template')
    })
  })

  test('a dry run says what would happen, sends nothing and stores nothing', async () => {
    const to = '+12025550188'
    const closed = await world.post('/v1/chat/messages/send?dry_run=true', { to, message: 'Hello?' })
    expect(closed.body.data).toMatchObject({
      dry_run: true,
      would_send: false,
      window: { state: 'closed' },
      problems: [{ code: 'customer_window_closed' }],
    })
    const fine = await world.post('/v1/chat/messages/template?dry_run=true', {
      to,
      template: 'order_confirmation',
      language: 'en_US',
      components: [orderBody],
    })
    expect(fine.body.data).toMatchObject({
      dry_run: true,
      would_send: true,
      template: { name: 'order_confirmation' },
      problems: [],
    })
    const planned = async (hours: number, more: object = {}) => {
      const sendAt = new Date(Date.now() + hours * 3_600_000).toISOString()
      const body = { to: world.customer, message: 'Hello?', send_at: sendAt, ...more }
      const { would_send: wouldSend, problems } = (await world.post('/v1/chat/messages/send?dry_run=true', body)).body
        .data
      return [wouldSend, problems.map(({ code }: { code: string }) => code)]
    }
    const fallback = { template: 'order_confirmation', language: 'en_US', components: [orderBody] }
    expect(await planned(1)).toEqual([true, []])
    expect(await planned(48)).toEqual([false, ['customer_window_closed']])
    expect(await planned(48, { fallback })).toEqual([true, []])
    expect(await planned(1, { to })).toEqual([false, ['customer_window_closed']])
    expect(fine.body.data.pace).toEqual({ sends_per_second: expect.any(Number), wait_ms: 0 })
    expect(await arrivals(to)).toEqual([])
    expect((await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(to)}`)).body.data.messages).toEqual([])
    const keyed = await world.post(
      '/v1/chat/messages/send?dry_run=true',
      { to, message: 'Hello?' },
      { 'idempotency-key': 'not a key' },
    )
    expect(keyed.status).toBe(200)
  })

  test('a dry run names the file that would be sent', async () => {
    const form = new FormData()
    form.set('file', new Blob(['%PDF-1.4\n%%EOF\n']), 'offer.pdf')
    const headers = { authorization: `Bearer ${world.token}` }
    const url = `${world.service.urls.base.replace('localhost', '127.0.0.1')}/v1/chat/media`
    const { data } = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Answer['body']
    const body = { to: world.customer, type: 'document', media_id: data.media_id }
    const dry = await world.post('/v1/chat/messages/media?dry_run=true', body)
    expect(dry.body.data).toMatchObject({ would_send: true, media: data, pace: { wait_ms: 0 } })
  })

  describe('an Idempotency-Key', () => {
    const send = (key: string, body: object) => world.post('/v1/chat/messages/send', body, { 'idempotency-key': key })

    test('gives the repeat the first answer, and one message at the platform', async () => {
      const body = { to: world.customer, message: 'Once', client_reference: `${engine}-once` }
      const first = await send('k-once', body)
      const again = await send('k-once', {
        client_reference: body.client_reference,
        message: 'Once',
        to: world.customer,
      })
      expect(again.body).toEqual(first.body)
      expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
        null,
        'true',
      ])
      const { messages } = (await world.get(`/v1/chat/messages?client_reference=${engine}-once`)).body.data
      expect(messages).toHaveLength(1)
      expect(await textsAt(world.customer, 'Once')).toBe(1)
    })

    test('with another body is refused, with a fixed typo is not', async () => {
      const refused = await send('k-typo', { to: '12025550100', message: 'x' })
      expect(refused.body.error.code).toBe('validation_failed')
      expect((await send('k-typo', { to: world.customer, message: 'x' })).status).toBe(200)
      expect((await send('k-typo', { to: world.customer, message: 'y' })).body.error.code).toBe(
        'idempotency_key_reused',
      )
    })

    test('200 at once with one key are one message', async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, () =>
          send('k-crowd', { to: world.customer, message: 'Crowd', client_reference: `${engine}-crowd` }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200))
      expect(new Set(answers.map(id)).size).toBe(1)
      expect((await world.get(`/v1/chat/messages?client_reference=${engine}-crowd`)).body.data.messages).toHaveLength(1)
      expect(await textsAt(world.customer, 'Crowd')).toBe(1)
    })

    test('takes a field that is null for one that is left out', async () => {
      const first = await send('k-null', { to: world.customer, message: 'Null' })
      const again = await send('k-null', { to: world.customer, message: 'Null', from: null, fallback: null })
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(again.body).toEqual(first.body)
      expect(await textsAt(world.customer, 'Null')).toBe(1)
    })

    test('must be visible ASCII', async () => {
      expect((await send('a b', { to: world.customer, message: 'x' })).body.error.code).toBe('idempotency_key_invalid')
    })
  })

  describe('when the platform misbehaves', () => {
    const scenario = (rules: object[]) => world.control('PUT', '/_sandbox/scenario', { rules })
    const send = (over: object = {}, headers = {}) =>
      world.post('/v1/chat/messages/send', { to: world.customer, message: 'x', ...over }, headers)

    test('a refusal is a failed record under a provisional id, with an event', async () => {
      const refused = await send({ to: '+12025550105' }).then(async (first) =>
        first.body.error.code === 'customer_window_closed' ? openAndSend('+12025550105') : first,
      )
      expect([refused.status, refused.body.error.code]).toEqual([429, 'channel_rate_limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const provisional = refused.body.error.message_id
      expect(await record(provisional)).toMatchObject({
        status: 'failed',
        message_id: provisional,
        error: { code: 'channel_rate_limited', upstream: { code: 130429 } },
      })
      expect((await eventsOf(provisional)).map(({ type }) => type)).toEqual(['message.failed'])
    })

    async function openAndSend(to: string): Promise<Answer> {
      const written = await world.control('POST', '/_sandbox/inbound', { from: to, text: 'Hi' })
      await waitForMessage(written.body.message_id)
      return world.post('/v1/chat/messages/send', { to, message: 'x' })
    }

    test('an answer that never comes is unknown, never sent again, and settled by a later status', async () => {
      const text = `late ${engine}`
      await world.control('PUT', '/_sandbox/scenario', {
        rules: [{ when: { endpoint: 'messages' }, count: 1, do: { reset_after_accept: true } }],
        delays: { sent_ms: 1_500, delivered_ms: 1_600, read_ms: 1_700 },
      })
      const answer = await send({ message: text }, { 'idempotency-key': 'k-late' })
      const { code, retryable, message_id: provisional } = answer.body.error
      expect([answer.status, code, retryable]).toEqual([500, 'send_outcome_unknown', false])
      expect(await record(provisional)).toMatchObject({ status: 'queued', outcome: 'unknown' })
      const again = await send({ message: text }, { 'idempotency-key': 'k-late' })
      expect(again.body.error).toMatchObject({ code: 'send_outcome_unknown', message_id: provisional })
      const settled = await becomes(provisional, 'read')
      await scenario([])
      expect(settled).toMatchObject({ outcome: null, message_id: expect.stringMatching(/^wamid\./) })
      expect(await textsAt(world.customer, text)).toBe(1)
      const types = (await eventsOf(settled.message_id)).map(({ type }) => type)
      expect(types).toEqual(['message.sent', 'message.delivered', 'message.read'])
    })

    test('a failure that comes later makes the message failed, with its reason', async () => {
      const sent = await openAndSend('+12025550102')
      expect(sent.status).toBe(200)
      expect((await becomes(id(sent), 'failed')).error).toMatchObject({
        code: 'recipient_unreachable',
        upstream: { code: 131026 },
      })
    })
  })

  test('ids may be given raw or encoded, a stranger gets 404, and the list pages through everything once', async () => {
    const sent = await world.post('/v1/chat/messages/send', {
      to: world.customer,
      message: 'x',
      client_reference: `${engine}-page`,
    })
    expect((await world.get(`/v1/chat/messages/${id(sent)}`)).status).toBe(200)
    const odd = `wamid.HBg/${engine}+IwMj/U1A==`
    await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Hi', message_id: odd })
    await waitForMessage(odd)
    for (const written of [odd, encodeURIComponent(odd), odd.replace('/', '%2f')]) {
      expect((await world.get(`/v1/chat/messages/${written}`)).body.data?.message_id, written).toBe(odd)
      const read = await world.post(`/v1/chat/messages/${written}/read`)
      expect([read.status, read.body.data?.message_id], written).toEqual([200, odd])
    }
    expect((await world.get('/v1/chat/messages/wamid.nobody%2F%2B%3D')).body.error.code).toBe('message_not_found')
    const seen: string[] = []
    let cursor = ''
    do {
      const { data } = (
        await world.get(
          `/v1/chat/messages?limit=7&direction=outbound${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        )
      ).body
      seen.push(...data.messages.map((message: { message_id: string }) => message.message_id))
      cursor = data.pagination.next_cursor ?? ''
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toContain(id(sent))
  })

  test.each([
    ['a link without a host', { link: 'https://' }, 'link', 'invalid_url'],
    ['a link with spaces', { link: 'https:// bad url' }, 'link', 'invalid_url'],
    ['a link without encryption', { link: 'http://cdn.example.test/a.pdf' }, 'link', 'https_required'],
    ['a file name with a path', { filename: '../../etc/passwd' }, 'filename', 'invalid_format'],
    ['a file name with a line break', { filename: 'a\r\nb.pdf' }, 'filename', 'invalid_format'],
    ['a file name of spaces', { filename: '  ' }, 'filename', 'too_short'],
  ])('%s is refused before the platform is asked', async (_, over, field, code) => {
    const file = { type: 'document', link: 'https://cdn.example.test/a.pdf', ...over }
    const before = (await arrivals(world.customer)).length
    const media = await world.post('/v1/chat/messages/media', { to: world.customer, ...file })
    expect([media.status, media.body.error.details]).toEqual([400, [expect.objectContaining({ field, code })]])
    const form = { to: world.customer, type: 'buttons', body: 'x', buttons: [{ id: 'a', title: 'A' }] }
    const header = await world.post('/v1/chat/messages/interactive', { ...form, header: file })
    const inHeader = expect.objectContaining({ field: `header.${field}`, code })
    expect([header.status, header.body.error.details]).toEqual([400, [inHeader]])
    expect(await arrivals(world.customer)).toHaveLength(before)
  })

  describe('the order of checks', () => {
    const stranger = '+12025550179'

    test('a file that is not there comes before a closed window', async () => {
      const named = { to: stranger, media_id: 'med_nobody' }
      const media = await world.post('/v1/chat/messages/media', { ...named, type: 'image' })
      expect([media.status, media.body.error.code]).toEqual([404, 'media_not_found'])
      const header = { type: 'image', media_id: 'med_nobody' }
      const buttons = [{ id: 'a', title: 'A' }]
      const form = { to: stranger, type: 'buttons', body: 'x', header, buttons }
      const interactive = await world.post('/v1/chat/messages/interactive', form)
      expect([interactive.status, interactive.body.error.code]).toEqual([404, 'media_not_found'])
    })

    test('values without form come before a template that is not there', async () => {
      const components = [{ type: 'body', parameters: [{ type: 'sculpture' }] }]
      const body = { to: stranger, template: 'nobody', language: 'en_US', components }
      const refused = await world.post('/v1/chat/messages/template', body)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'validation_failed'])
    })

    test('a path that is not there comes before who is asking', async () => {
      for (const path of ['/v1/chat/messages/x', '/v1/chat/messages/read', '/v1/chat/messages/x%2Fread']) {
        const refused = await world.call('POST', path, { body: {}, token: 'nobody' })
        expect([refused.status, refused.body.error.code], path).toEqual([404, 'endpoint_not_found'])
      }
      const known = await world.call('POST', '/v1/chat/messages/x/read', { body: {}, token: 'nobody' })
      expect(known.status).toBe(401)
    })

    test('a path without a message id is none', async () => {
      for (const token of ['nobody', world.token]) {
        for (const [method, path] of [
          ['GET', '/v1/chat/messages/'],
          ['GET', '/v1/chat/messages/?limit=1'],
          ['POST', '/v1/chat/messages//read'],
        ] as const) {
          const refused = await world.call(method, path, { token, ...(method === 'POST' ? { body: {} } : {}) })
          expect([refused.status, refused.body.error.code], path).toEqual([404, 'endpoint_not_found'])
        }
      }
      expect((await world.get('/v1/chat/messages/read')).body.error.code).toBe('message_not_found')
    })
  })

  test('the list has everything of the record but history, content, price, window and marketing', async () => {
    const written = await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Hi', name: 'Ana' })
    const message = await waitForMessage(written.body.message_id)
    const { messages } = (await world.get('/v1/chat/messages?direction=inbound&limit=100')).body.data
    const listed = messages.find((one: { message_id: string }) => one.message_id === message.message_id)
    const { history: _, content: __, window: ___, marketing: ____, price: _____, ...rest } = message
    expect(listed).toEqual(rest)
    expect(listed).toMatchObject({ contact: { name: 'Ana' }, content_purged_at: null })
  })

  test('the size of a file that a customer sent is known once it was fetched', async () => {
    const written = await world.control('POST', '/_sandbox/inbound', { from: world.customer, type: 'image' })
    await waitForMessage(written.body.message_id)
    await waitFor(async () => (await record(written.body.message_id)).content.media.size !== null, 10_000)
    const { media } = (await record(written.body.message_id)).content
    const file = (await world.get(`/v1/chat/media/${media.media_id}`)).body.data
    expect(media).toMatchObject({ size: file.size, sha256: file.sha256, mime_type: file.mime_type })
  })

  test('a message of a customer can be marked as read', async () => {
    const written = await world.control('POST', '/_sandbox/inbound', {
      from: world.customer,
      text: 'Is it on its way?',
      name: 'Ana',
    })
    const message = await waitForMessage(written.body.message_id)
    expect(message).toMatchObject({
      type: 'text',
      from: world.customer,
      content: { text: 'Is it on its way?' },
      contact: { name: 'Ana' },
    })
    const read = await world.post(`${path(written.body.message_id)}/read`, { typing: true })
    expect(read.body.data).toEqual({ message_id: written.body.message_id, status: 'read' })
    const sent = await world.post('/v1/chat/messages/send', { to: world.customer, message: 'It is.' })
    const own = await world.post(`${path(sent.body.data.message_id)}/read`)
    expect([own.status, own.body.error.code]).toEqual([400, 'message_not_inbound'])
  })

  test('no message text and no whole phone number is in the log', () => {
    const log = world.logLines.join('\n')
    for (const text of ['Your parcel is here', 'Is it on its way?', '+12025550100']) expect(log).not.toContain(text)
  })
})
