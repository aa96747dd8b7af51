import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestOf } from '../../server/src/messages/send/request-of.ts'
import { findMessage } from '../../server/src/store/messages/messages.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

describe.each(engines)('a direct send, on %s', (engine) => {
  let world: World
  let customers = 0
  beforeAll(async () => {
    world = await aWorld(engine)
    await eligible(true)
  })
  afterAll(() => world.stop())

  const eligible = async (direct_send: boolean) => {
    const { body } = await world.control('GET', '/_sandbox')
    await world.control('PATCH', `/_sandbox/numbers/${body.numbers[0].phone_number_id}`, { direct_send })
  }
  /** Nobody of them ever wrote. */
  const stranger = () => `+351913000${100 + customers++}`
  const text = (direct_send: object, over: object = {}) =>
    world.post('/v1/chat/messages/send', { to: stranger(), message: 'Your parcel is here.', direct_send, ...over })
  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const arrived = async (id: string) => {
    const { data } = (await world.control('GET', '/_sandbox/messages?limit=1000')).body
    return (data as { id: string; payload: Record<string, unknown> }[]).find((one) => one.id === id)?.payload
  }

  test('reaches a customer who never wrote, and is followed and repeated as what it is', async () => {
    const direct_send = { category: 'utility', ttl_seconds: 3_600, template_name: 'parcel_at_shop' }
    const sent = await text(direct_send)
    expect([sent.status, sent.body.error]).toEqual([200, undefined])
    const { message_id: id } = sent.body.data
    expect(await arrived(id)).toMatchObject({
      category: 'utility',
      ttl_seconds: 3_600,
      direct_send_config: { template_name: 'parcel_at_shop' },
    })
    await waitFor(async () => (await record(id)).status === 'read', 10_000)
    expect((await record(id)).content).toEqual({ text: 'Your parcel is here.', direct_send })
    const [row] = await world.service.rt.store.read(findMessage, { account_id: world.accountId, id })
    expect(row?.category).toBe('utility')
    const again = row && (await requestOf(world.service.rt, row))
    expect(again?.body).toMatchObject({ message: 'Your parcel is here.', direct_send })
  })

  test('may have buttons', async () => {
    const buttons = [{ id: 'ok', title: 'All right' }]
    const request = { to: stranger(), type: 'buttons', body: 'Tomorrow at ten?', buttons }
    const send = (over: object) => world.post('/v1/chat/messages/interactive', { ...request, ...over })
    expect((await send({})).body.error.code).toBe('customer_window_closed')
    const sent = await send({ direct_send: { category: 'utility' } })
    expect([sent.status, sent.body.error]).toEqual([200, undefined])
    expect((await record(sent.body.data.message_id)).content).toMatchObject({ direct_send: { category: 'utility' } })
  })

  test('that expires stays sent: nothing more is reported, and nothing is lost', async () => {
    const to = stranger()
    await world.control('POST', '/_sandbox/rules', { when: { to }, do: { no_callbacks: true }, count: 1 })
    const sent = await text({ category: 'utility', ttl_seconds: 30 }, { to })
    expect(sent.status).toBe(200)
    await world.control('POST', '/_sandbox/clock', { advance_ms: 60_000 })
    expect(await record(sent.body.data.message_id)).toMatchObject({ status: 'sent', error: null })
  })

  test('whose name is that of a template fails later', async () => {
    const sent = await text({ category: 'utility', template_name: 'hello_world' })
    const { message_id: id } = sent.body.data
    await waitFor(async () => (await record(id)).status === 'failed', 10_000)
    expect((await record(id)).error).toMatchObject({ code: 'template_already_exists', upstream: { code: 132_021 } })
  })

  test.each([
    ['a code with a long life', { category: 'authentication', ttl_seconds: 901 }, {}, 'direct_send.ttl_seconds'],
    ['a code with a name', { category: 'authentication', template_name: 'a' }, {}, 'direct_send.template_name'],
    ['a code to a user id', { category: 'authentication' }, { to: 'US.13491208655302741918' }, 'to'],
    ['a long text', { category: 'utility' }, { message: 'x'.repeat(1_025) }, 'message'],
    ['a link preview', { category: 'utility' }, { preview_url: true }, 'preview_url'],
    ['a fallback', { category: 'utility' }, { fallback: { template: 'hello_world', language: 'en_US' } }, 'fallback'],
    ['a list', { category: 'utility' }, { list: true }, 'direct_send'],
  ])('%s is rejected with its field', async (_, direct_send, over, field) => {
    const list = { type: 'list', body: 'Which?', button: 'Choose', sections: [{ rows: [{ id: 'a', title: 'A' }] }] }
    const refused =
      'list' in over
        ? await world.post('/v1/chat/messages/interactive', { to: stranger(), ...list, direct_send })
        : await text(direct_send, over)
    expect([refused.status, refused.body.error.details]).toEqual([400, [expect.objectContaining({ field })]])
  })

  test('of an account that is not eligible is rejected with the words of Meta', async () => {
    await eligible(false)
    const refused = await text({ category: 'utility' })
    await eligible(true)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'channel_rejected'])
    expect(refused.body.error.upstream.detail).toContain('requires Direct Send')
  })
})
