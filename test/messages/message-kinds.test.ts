import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendPaths } from '../../server/src/contract/messages/send-requests.ts'
import { previewOf } from '../../server/src/messages/content/preview.ts'
import { requestOf } from '../../server/src/messages/send/request-of.ts'
import { listNotSent } from '../../server/src/store/messages/console-messages.ts'
import { findMessage } from '../../server/src/store/messages/messages.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Kind = {
  type: string
  body: object
  /** What reaches Meta under the name of the type, and what the record keeps. */
  wire: unknown
  content: object
  preview: string
}

const shop = { latitude: 38.7071, longitude: -9.1355, name: 'Our shop', address: 'Rua Augusta 100' }

const kinds: Kind[] = [
  {
    type: 'location',
    body: shop,
    wire: { ...shop, latitude: '38.7071', longitude: '-9.1355' },
    content: { location: shop },
    preview: 'Our shop',
  },
]

const refusals: [string, string, object, string, string][] = [
  ['a place without a longitude', 'location', { latitude: 1 }, 'longitude', 'required'],
  ['a latitude beyond the pole', 'location', { ...shop, latitude: 90.01 }, 'latitude', 'out_of_range'],
  ['a longitude beyond the date line', 'location', { ...shop, longitude: -180.5 }, 'longitude', 'out_of_range'],
  ['a latitude in words', 'location', { ...shop, latitude: '38.7' }, 'latitude', 'invalid_type'],
  ['an empty name of a place', 'location', { ...shop, name: '' }, 'name', 'too_short'],
  ['a latitude under another name', 'location', { lat: 1, longitude: 2 }, 'lat', 'unknown_field'],
]

describe.each(engines)('messages of every kind on %s', (engine) => {
  let world: World
  let quoted = ''
  beforeAll(async () => {
    world = await aWorld(engine)
    const { body } = await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Where are you?' })
    quoted = body.message_id
    await waitFor(async () => (await world.get(path(quoted))).status === 200, 10_000)
  })
  afterAll(() => world.stop())

  const path = (messageId: string) => `/v1/chat/messages/${encodeURIComponent(messageId)}`
  const record = async (messageId: string) => (await world.get(path(messageId))).body.data
  const send = (type: string, body: object, headers = {}) =>
    world.post(`/v1/chat/messages/${type}`, { to: world.customer, ...body }, headers)
  const arrivals = async (to = world.customer) =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}&limit=1000`)).body.data as {
      id: string
      payload: Record<string, unknown>
    }[]
  const detailsOf = ({ body }: Answer) => body.error.details as { field: string; code: string; message: string }[]

  describe.each(kinds)('a $type', ({ type, body, wire, content, preview }) => {
    test('reaches Meta as it was given, is kept, and is followed to read', async () => {
      const sent = await send(type, { ...body, reply_to: quoted, client_reference: `${engine}-${type}` })
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
      expect(arrived?.payload).toMatchObject({ type, [type]: wire, context: { message_id: quoted } })
      await waitFor(async () => (await record(id)).status === 'read', 10_000)
      expect(await record(id)).toMatchObject({
        type,
        content,
        to: world.customer,
        reply_to: quoted,
        client_reference: `${engine}-${type}`,
      })
      const { events } = (await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)).body.data
      expect(events.map((event: { type: string }) => event.type)).toEqual([
        'message.sent',
        'message.delivered',
        'message.read',
      ])
      const { series } = (await world.get('/v1/chat/analytics?group_by=type')).body.data
      const own = series.find((one: { group: { type: string } }) => one.group.type === type)
      expect(own).toBeDefined()
    })

    test('is refused while the window is closed, and listed among what was not sent', async () => {
      const stranger = '+12025550176'
      const refused = await send(type, { ...body, to: stranger })
      expect([refused.status, refused.body.error.code]).toEqual([400, 'customer_window_closed'])
      expect(await arrivals(stranger)).toEqual([])
      await waitFor(async () => (await notSent()).includes(`/v1/chat/messages/${type}`), 5_000)
      const dry = await world.post(`/v1/chat/messages/${type}?dry_run=true`, { ...body, to: stranger })
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
    const everything = { before_at: Number.MAX_SAFE_INTEGER, before_id: '', since: 0, until: Number.MAX_SAFE_INTEGER }
    const filters = { route: '', key_id: '', search: '', code: '', count: 100 }
    const query = { account_id: world.accountId, ...everything, ...filters }
    return (await world.service.rt.store.read(listNotSent, query)).map(({ route }) => route)
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

  test('GET on a path that sends is no message of that name', async () => {
    for (const one of sendPaths) {
      const refused = await world.get(one)
      expect([refused.status, refused.body.error.code], one).toEqual([404, 'endpoint_not_found'])
      expect(refused.headers.get('allow'), one).toBe('POST')
    }
  })
})
