import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSandboxChannel } from '../../server/src/connect/connect-channel.ts'
import { sendPaths } from '../../server/src/contract/messages/send-requests.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { previewOf } from '../../server/src/messages/content/inbound-content.ts'
import { customerBy } from '../../server/src/messages/customers/find-customer.ts'
import { requestOf } from '../../server/src/messages/send/request-of.ts'
import { openSandboxNumber } from '../../server/src/platform/sandbox-control.ts'
import { connectedNumbers } from '../../server/src/store/channels/numbers.ts'
import { closeWindow } from '../../server/src/store/channels/sandbox-channels.ts'
import { readList } from '../../server/src/store/engine/list.ts'
import { unitOf } from '../../server/src/store/engine/unit.ts'
import { notSentListing } from '../../server/src/store/messages/message-list.ts'
import { findMessage, insertMessage } from '../../server/src/store/messages/messages.ts'
import { png, samples, webpOf } from '../media/media-samples.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Kind = {
  type: string
  body: object
  /** What reaches Meta under the name of the type, and what the record keeps. */
  wire: unknown
  content: object
  preview: string | null
}

const shop = { latitude: 38.7071, longitude: -9.1355, name: 'Our shop', address: 'Rua Augusta 100' }

/** What the customer wrote, and what one wrote whose window is closed. */
const asked = 'wamid.asked'
const stranger = '+12025550176'
const strangersWords = 'wamid.strangers'
const thumb = { message_id: asked, emoji: '👍' }

const ana = {
  name: { formatted_name: 'Ana Silva', first_name: 'Ana', last_name: 'Silva' },
  phones: [{ phone: '+351 912 345 678', type: 'WORK', wa_id: '351912345678' }],
  emails: [{ email: 'ana@acme.test', type: 'WORK' }],
  org: { company: 'Acme', department: 'Service', title: 'Support' },
  urls: [{ url: 'https://acme.test' }],
}

/** On a number of the sandbox a link is passed on, so nothing is known of the file. */
const sticker = { link: 'https://cdn.example.test/thanks.webp' }
const noFile = { media_id: null, mime_type: null, size: null, sha256: null, filename: null, caption: null }

const kinds: Kind[] = [
  {
    type: 'location',
    body: shop,
    wire: { ...shop, latitude: '38.7071', longitude: '-9.1355' },
    content: { location: shop },
    preview: 'Our shop',
  },
  {
    type: 'contacts',
    body: { contacts: [ana, { name: { formatted_name: 'Shop' } }] },
    wire: [ana, { name: { formatted_name: 'Shop', first_name: 'Shop' } }],
    content: { contacts: [ana, { name: { formatted_name: 'Shop' } }] },
    preview: 'Ana Silva, Shop',
  },
  { type: 'sticker', body: sticker, wire: sticker, content: { media: { ...noFile, ...sticker } }, preview: null },
  { type: 'reaction', body: thumb, wire: thumb, content: { reaction: thumb }, preview: '👍' },
]

const refusals: [string, string, object, string, string][] = [
  ['a place without a longitude', 'location', { latitude: 1 }, 'longitude', 'required'],
  ['a latitude beyond the pole', 'location', { ...shop, latitude: 90.01 }, 'latitude', 'out_of_range'],
  ['a longitude beyond the date line', 'location', { ...shop, longitude: -180.5 }, 'longitude', 'out_of_range'],
  ['a latitude in words', 'location', { ...shop, latitude: '38.7' }, 'latitude', 'invalid_type'],
  ['an empty name of a place', 'location', { ...shop, name: '' }, 'name', 'too_short'],
  ['a latitude under another name', 'location', { lat: 1, longitude: 2 }, 'lat', 'unknown_field'],
  ['no contacts', 'contacts', { contacts: [] }, 'contacts', 'too_short'],
  ['a contact without a name', 'contacts', { contacts: [{ phones: ana.phones }] }, 'contacts[0].name', 'required'],
  [
    'a contact with an empty name',
    'contacts',
    { contacts: [{ name: { formatted_name: '' } }] },
    'contacts[0].name.formatted_name',
    'too_short',
  ],
  [
    'a WhatsApp id with a plus',
    'contacts',
    { contacts: [{ ...ana, phones: [{ phone: '1', wa_id: '+351912345678' }] }] },
    'contacts[0].phones[0].wa_id',
    'invalid_phone_number',
  ],
  ['a sticker of nothing', 'sticker', {}, 'media_id', 'one_of_required'],
  ['a sticker of two files', 'sticker', { ...sticker, media_id: 'med_1' }, 'link', 'mutually_exclusive'],
  ['a sticker behind http', 'sticker', { link: 'http://cdn.example.test/a.webp' }, 'link', 'https_required'],
  ['a sticker with a caption', 'sticker', { ...sticker, caption: 'x' }, 'caption', 'unknown_field'],
  ['a reaction without an emoji', 'reaction', { message_id: asked }, 'emoji', 'required'],
  ['a reaction in words', 'reaction', { ...thumb, emoji: 'nice' }, 'emoji', 'invalid_value'],
  ['a reaction of two emoji', 'reaction', { ...thumb, emoji: '👍👍' }, 'emoji', 'invalid_value'],
  ['a reaction that quotes', 'reaction', { ...thumb, reply_to: asked }, 'reply_to', 'unknown_field'],
  [
    "a reaction to another customer's words",
    'reaction',
    { ...thumb, message_id: strangersWords },
    'message_id',
    'invalid_value',
  ],
]

describe.each(engines)('messages of every kind on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    await receive({ from: world.customer, text: 'Where are you?', message_id: asked })
    await receive({ from: stranger, text: 'Hello', message_id: strangersWords })
    const { rt } = world.service
    const [number] = await rt.store.read(connectedNumbers, { account_id: world.accountId })
    const known = await customerBy(rt, world.accountId, stranger)
    const contact = { account_id: world.accountId, number_id: number?.id ?? '', customer_id: known?.id ?? '' }
    await rt.store.write(unitOf(closeWindow, { ...contact, last_inbound_at: rt.clock.now() - 2 * dayMs }))
  })
  afterAll(() => world.stop())

  const path = (messageId: string) => `/v1/chat/messages/${encodeURIComponent(messageId)}`
  const receive = async (inbound: { message_id: string } & Record<string, unknown>) => {
    await world.control('POST', '/_sandbox/inbound', inbound)
    await waitFor(async () => (await world.get(path(inbound.message_id))).status === 200, 10_000)
  }
  const record = async (messageId: string) => (await world.get(path(messageId))).body.data
  /** What Meta told of a message. */
  const reported = async (messageId: string): Promise<string[]> =>
    (await record(messageId)).history
      .filter(({ source }: { source: string }) => source === 'channel')
      .map(({ status }: { status: string }) => status)
  const send = (type: string, body: object, headers = {}) =>
    world.post(`/v1/chat/messages/${type}`, { to: world.customer, ...body }, headers)
  const arrivals = async (to = world.customer) =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}&limit=1000`)).body.data as {
      id: string
      payload: Record<string, unknown>
    }[]
  const detailsOf = ({ body }: Answer) => body.error.details as { field: string; code: string; message: string }[]

  describe.each(kinds)('a $type', ({ type, body, wire, content, preview }) => {
    // Meta reports no other status of a reaction, which belongs to a message and quotes none.
    const steps = type === 'reaction' ? ['sent'] : ['sent', 'delivered', 'read']
    const quote = type === 'reaction' ? {} : { reply_to: asked }
    const toStranger = { ...body, to: stranger, ...(type === 'reaction' ? { message_id: strangersWords } : {}) }

    test('reaches Meta as it was given, is kept, and is followed to its last status', async () => {
      const sent = await send(type, { ...body, ...quote, client_reference: `${engine}-${type}` })
      expect(sent.body).toEqual({
        success: true,
        data: {
          message_id: expect.any(String),
          to: world.customer,
          type,
          status: 'sent',
          timestamp: expect.any(String),
        },
      })
      const { message_id: id } = sent.body.data
      const arrived = (await arrivals()).find((one) => one.id === id)
      const context = 'reply_to' in quote ? { message_id: asked } : undefined
      expect(arrived?.payload).toMatchObject({ type, [type]: wire, ...(context ? { context } : {}) })
      await waitFor(async () => (await reported(id)).includes(steps.at(-1) ?? ''), 10_000)
      expect(await record(id)).toMatchObject({
        type,
        content,
        to: world.customer,
        status: steps.at(-1),
        reply_to: 'reply_to' in quote ? asked : null,
        client_reference: `${engine}-${type}`,
      })
      const { events } = (await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)).body.data
      expect(events.map((event: { type: string }) => event.type)).toEqual(steps.map((step) => `message.${step}`))
      const { series } = (await world.get('/v1/chat/analytics?group_by=type')).body.data
      const own = series.find((one: { group: { type: string } }) => one.group.type === type)
      expect(own).toBeDefined()
    })

    test('is refused while the window is closed, and listed among what was not sent', async () => {
      const refused = await send(type, toStranger)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'customer_window_closed'])
      expect(await arrivals(stranger)).toEqual([])
      await waitFor(async () => (await notSent()).includes(`/v1/chat/messages/${type}`), 5_000)
      const dry = await world.post(`/v1/chat/messages/${type}?dry_run=true`, toStranger)
      expect(dry.body.data).toMatchObject({ would_send: false, problems: [{ code: 'customer_window_closed' }] })
    })

    test('is sent once with an Idempotency-Key, and not at all by a dry run', async () => {
      const before = (await arrivals()).length
      const dry = await world.post(`/v1/chat/messages/${type}?dry_run=true`, { to: world.customer, ...body })
      expect(dry.body.data).toMatchObject({ would_send: true, type, content, problems: [] })
      const key = { 'idempotency-key': `${engine}-${type}` }
      const [first, again] = [await send(type, body, key), await send(type, body, key)]
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
      expect(await arrivals()).toHaveLength(before + 1)
    })

    test('is shown by its words, and with the call that sends it again', async () => {
      const { rt } = world.service
      const { message_id: id } = (await send(type, body)).body.data
      const [row] = await rt.store.read(findMessage, { account_id: world.accountId, id })
      if (!row) throw new Error('no message')
      expect(previewOf(row)).toBe(preview)
      const request = await requestOf(rt, row)
      expect(request).toEqual({ path: `/v1/chat/messages/${type}`, body: { to: world.customer, ...body } })
    })
  })

  async function notSent(): Promise<string[]> {
    const listing = notSentListing(world.accountId, {})
    const { rows } = await readList(world.service.rt.store, world.accountId, listing, { after: null, count: 100 })
    return rows.map(({ route }) => route)
  }

  test.each(refusals)('%s is refused with its field', async (_, type, body, field, code) => {
    const refused = await send(type, body)
    expect([refused.status, detailsOf(refused)]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ field, code })]),
    ])
  })

  test('the refusal of another name for a field says ours', async () => {
    const refused = await send('location', { lat: 1, lng: 2 })
    expect(detailsOf(refused).map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "There is no field 'lat'. Did you mean 'latitude'?",
        "There is no field 'lng'. Did you mean 'longitude'?",
      ]),
    )
  })

  test('places near the equator are written without an exponent, and to 11 cm', async () => {
    const { message_id: id } = (await send('location', { latitude: 0.0000004, longitude: 12.34567891 })).body.data
    const arrived = (await arrivals()).find((one) => one.id === id)
    expect(arrived?.payload.location).toEqual({ latitude: '0', longitude: '12.345679' })
  })

  test('fields of a contact that are null are left out of the record and of what Meta gets', async () => {
    const card = { name: { formatted_name: 'Bo', suffix: null }, phones: [{ phone: '1', type: null }], org: null }
    const { message_id: id } = (await send('contacts', { contacts: [card] })).body.data
    const kept = { name: { formatted_name: 'Bo' }, phones: [{ phone: '1' }] }
    expect((await record(id)).content).toEqual({ contacts: [kept] })
    const arrived = (await arrivals()).find((one) => one.id === id)
    expect(arrived?.payload.contacts).toEqual([{ ...kept, name: { formatted_name: 'Bo', first_name: 'Bo' } }])
  })

  test('a refusal repeats nothing that is on a card', async () => {
    const phones = [{ phone: 447700900123, wa_id: '+447700900123' }]
    const refused = await send('contacts', { contacts: [{ name: { formatted_name: 'Ana' }, phones }] })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).not.toContain('447700900123')
  })

  describe('an uploaded sticker', () => {
    test.each([
      ['that stands still', webpOf({ bytes: 100 * 1_024 })],
      ['that moves', webpOf({ animated: true, bytes: 500 * 1_024 })],
    ])('%s is sent up to the limit of its kind', async (_, content) => {
      const media_id = await upload('thanks.webp', content)
      const sent = await send('sticker', { media_id })
      expect([sent.status, sent.body.error?.code]).toEqual([200, undefined])
      const { message_id: id } = sent.body.data
      const arrived = (await arrivals()).find((one) => one.id === id)
      expect(arrived?.payload.sticker).toEqual({ id: expect.any(String) })
      await waitFor(async () => (await record(id)).status === 'read', 10_000)
      expect((await record(id)).content.media).toMatchObject({ media_id, mime_type: 'image/webp' })
      const [row] = await world.service.rt.store.read(findMessage, { account_id: world.accountId, id })
      expect(row && (await requestOf(world.service.rt, row))?.body).toEqual({ to: world.customer, media_id })
    })

    test('is no picture, and a picture is no sticker', async () => {
      const picture = await send('sticker', { media_id: await upload('a.png', png) })
      expect([picture.status, picture.body.error.code]).toEqual([400, 'media_content_mismatch'])
      const missing = await send('sticker', { to: stranger, media_id: 'med_nobody' })
      expect([missing.status, missing.body.error.code]).toEqual([404, 'media_not_found'])
    })
  })

  describe('a voice note', () => {
    const ogg = samples.find(({ mime }) => mime === 'audio/ogg')?.file ?? Buffer.alloc(0)
    const mp3 = samples.find(({ mime }) => mime === 'audio/mpeg')?.file ?? Buffer.alloc(0)

    test('reaches Meta as one, and its record says so and when it was played', async () => {
      const media_id = await upload('memo.ogg', ogg)
      const sent = await send('media', { type: 'audio', media_id, voice: true })
      expect([sent.status, sent.body.error?.code]).toEqual([200, undefined])
      const { message_id: id } = sent.body.data
      const arrived = (await arrivals()).find((one) => one.id === id)
      expect(arrived?.payload.audio).toEqual({ id: expect.any(String), voice: true })
      await waitFor(async () => (await reported(id)).includes('played'), 10_000)
      expect(await record(id)).toMatchObject({ type: 'audio', status: 'read', content: { media: { voice: true } } })
      const [row] = await world.service.rt.store.read(findMessage, { account_id: world.accountId, id })
      const again = row && (await requestOf(world.service.rt, row))
      expect(again?.body).toEqual({ to: world.customer, type: 'audio', media_id, voice: true })
    })

    test('of another type than OGG, and of what is no audio, is refused with the field', async () => {
      const before = (await arrivals()).length
      const media_id = await upload('song.mp3', mp3)
      for (const query of ['', '?dry_run=true']) {
        const body = { to: world.customer, type: 'audio', media_id, voice: true }
        const { body: answer } = await world.post(`/v1/chat/messages/media${query}`, body)
        const { details } = answer.error ?? answer.data.problems[0]
        expect(details).toMatchObject([{ field: 'voice', code: 'invalid_value' }])
        expect(details[0].message).toBe('The file is audio/mpeg; here WhatsApp accepts only audio/ogg.')
      }
      const picture = await send('media', { type: 'image', link: 'https://cdn.example.test/a.png', voice: true })
      expect(detailsOf(picture)).toMatchObject([{ field: 'voice', code: 'invalid_value' }])
      expect(await arrivals()).toHaveLength(before)
      const sent = await send('media', { type: 'audio', media_id, voice: false })
      const { payload } = (await arrivals()).find((one) => one.id === sent.body.data.message_id) ?? {}
      expect(payload?.audio).toEqual({ id: expect.any(String) })
      expect((await record(sent.body.data.message_id)).content.media).not.toHaveProperty('voice')
    })
  })

  async function upload(filename: string, content: Buffer): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(content)]), filename)
    const headers = { authorization: `Bearer ${world.token}` }
    const url = `${world.service.urls.base.replace('localhost', '127.0.0.1')}/v1/chat/media`
    const answer = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as Answer['body']
    return answer.data.media_id
  }

  describe('a reaction', () => {
    test('is removed by an empty emoji, which Meta gets as such', async () => {
      const { message_id: id } = (await send('reaction', { ...thumb, emoji: '' })).body.data
      const arrived = (await arrivals()).find((one) => one.id === id)
      expect(arrived?.payload.reaction).toEqual({ message_id: asked, emoji: '' })
      expect((await record(id)).content).toEqual({ reaction: { message_id: asked, emoji: null } })
      const [row] = await world.service.rt.store.read(findMessage, { account_id: world.accountId, id })
      expect(row && [previewOf(row), (await requestOf(world.service.rt, row))?.body.emoji]).toEqual([
        'Removed a reaction',
        '',
      ])
    })

    test('to nothing, to a group, to a reaction or to old words never reaches Meta', async () => {
      const { rt } = world.service
      const group = { from: world.customer, text: 'Hi all', message_id: 'wamid.group', group_id: 'group-1' }
      await receive(group)
      await receive({ from: world.customer, text: 'Long ago', message_id: 'wamid.old' })
      const [old] = await rt.store.read(findMessage, { account_id: world.accountId, id: 'wamid.old' })
      if (!old) throw new Error('no message')
      await rt.store.write(
        unitOf(insertMessage, {
          ...old,
          customer_address: null,
          id: 'in_old',
          channel_message_id: 'wamid.older',
          created_at: old.created_at - 31 * dayMs,
        }),
      )
      const { message_id: reaction } = (await send('reaction', thumb)).body.data
      const before = (await arrivals()).length
      const unknown = await send('reaction', { ...thumb, message_id: 'wamid.nobody' })
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'message_not_found'])
      expect(unknown.body.error.message).toContain('message_id')
      for (const [message_id, sentence] of [
        ['wamid.group', 'written in a group'],
        [reaction, 'a reaction itself'],
        ['wamid.older', 'older than 30 days'],
      ]) {
        const refused = await send('reaction', { ...thumb, message_id })
        expect(detailsOf(refused)).toMatchObject([{ field: 'message_id', code: 'invalid_value' }])
        expect(detailsOf(refused)[0]?.message).toContain(sentence)
      }
      expect(await arrivals()).toHaveLength(before)
    })

    test('leaves from the number of its message, and from no other', async () => {
      const { rt } = world.service
      await connectSandboxChannel(rt, world.accountId, { url: world.sandboxUrl, openNumber: openSandboxNumber })
      const [first, second] = await rt.store.read(connectedNumbers, { account_id: world.accountId })
      const words = { message_id: 'wamid.second', emoji: '🎉' }
      await receive({ from: world.customer, to: second?.phone_number, text: 'Hi, second', message_id: 'wamid.second' })
      const sent = await send('reaction', words)
      expect((await record(sent.body.data.message_id)).from).toBe(second?.phone_number)
      const dry = await world.post('/v1/chat/messages/reaction?dry_run=true', { to: world.customer, ...words })
      expect(dry.body.data).toMatchObject({ would_send: true, window: { state: 'open' } })
      const refused = await send('reaction', { ...words, from: first?.phone_number })
      expect(detailsOf(refused)).toMatchObject([{ field: 'from', code: 'invalid_value' }])
    })
  })

  test('GET on a path that sends is no message of that name', async () => {
    for (const one of sendPaths) {
      const refused = await world.get(one)
      expect([refused.status, refused.body.error.code], one).toEqual([404, 'endpoint_not_found'])
      expect(refused.headers.get('allow'), one).toBe('POST')
    }
  })
})
