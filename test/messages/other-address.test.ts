import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { changeAccount } from '../../server/src/installation/account.ts'
import { eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { findIdentities } from '../../server/src/store/messages/customers.ts'
import { engines } from '../support/postgres/databases.ts'
import { notAtTheEndOfAnHour } from '../support/quota.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld, type World } from '../support/world.ts'

describe.each(engines)('a customer whom Meta refuses under one address, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  }, 60_000)
  afterAll(() => world.stop())

  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const userIdOf = async (from: string, userId?: string): Promise<string> => {
    const writer = userId ? { from, user_id: userId } : { from }
    const { body } = await world.control('POST', '/_sandbox/inbound', { ...writer, text: 'Hello' })
    await waitFor(async () => (await record(body.message_id)) !== null, 10_000)
    return (await record(body.message_id)).user_id
  }
  const refuse = (to: string, code: number, count = 10) =>
    world.control('POST', '/_sandbox/rules', { when: { endpoint: 'messages', to }, count, do: { error: { code } } })
  const send = (to: string, key = to) =>
    world.post('/v1/chat/messages/send', { to, message: 'Your parcel is here' }, { 'idempotency-key': `other-${key}` })
  const takenOf = async (to: string): Promise<unknown[]> =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}`)).body.data

  test('gets the message under the user id where the number is refused: one message, told once', async () => {
    const phone = '+12025550181'
    const userId = await userIdOf(phone)
    await refuse(phone, 131_026)
    const first = await send(phone)
    expect([first.status, first.body.data?.status]).toEqual([200, 'sent'])
    const id = first.body.data.message_id
    expect(await record(id)).toMatchObject({ to: phone, user_id: userId, error: null })
    expect(
      (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(phone)}`)).body.data.messages,
    ).toHaveLength(2)
    const again = await send(phone)
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(await takenOf(userId)).toHaveLength(1)
  })

  test('is refused where no other address is known, or where that one is refused too', async () => {
    const stranger = '+12025550182'
    await refuse(stranger, 131_026)
    const unknown = await world.post('/v1/chat/messages/template', {
      to: stranger,
      template: 'hello_world',
      language: 'en_US',
    })
    expect([unknown.status, unknown.body.error.code]).toEqual([400, 'recipient_unreachable'])

    const phone = '+12025550183'
    const userId = await userIdOf(phone)
    await refuse(phone, 131_026)
    await refuse(userId, 131_026)
    const { status, body } = await send(phone)
    expect([status, body.error.code]).toEqual([400, 'recipient_unreachable'])
    expect(await record(body.error.message_id)).toMatchObject({ to: phone, status: 'failed' })
  })

  test('gets the message under the user id also where Meta takes seconds to refuse the number', async () => {
    const phone = '+12025550187'
    const userId = await userIdOf(phone)
    const when = { endpoint: 'messages', to: phone }
    // A send waits for the limits of its number for 3 s.
    await world.control('POST', '/_sandbox/rules', { when, do: { delay_ms: 3_200, error: { code: 131_026 } } })
    const { status, body } = await send(phone)
    expect([status, body.data?.status ?? body.error]).toEqual([200, 'sent'])
    expect(await takenOf(userId)).toHaveLength(1)
  })

  test('is sent one message: it takes from the quota once, and from the rate of the number with each call', async () => {
    const phone = '+12025550188'
    const userId = await userIdOf(phone)
    await refuse(phone, 131_026)
    const { rt } = world.service
    await changeAccount(rt, world.accountId, { plan: 'starter' }, operator)
    await notAtTheEndOfAnHour()
    using again = vi.spyOn(rt.sendRate, 'waitAgain')
    const usedThisHour = async () => (await world.get('/v1/auth/me')).body.data.limits.hour.used
    const before = await usedThisHour()
    const first = await send(phone)
    expect([first.status, again.mock.calls.length]).toEqual([200, 1])
    // The send, and the look after it.
    expect((await usedThisHour()) - before).toBe(2)
    await changeAccount(rt, world.accountId, { plan: 'enterprise' }, operator)
    expect(await takenOf(userId)).toHaveLength(1)
    const { events } = (await world.get('/v1/events?limit=100')).body.data
    type Told = { type: string; data: { message_id?: string } }
    const told = events.filter(({ data }: Told) => data.message_id === first.body.data.message_id)
    expect(told.filter(({ type }: Told) => type === 'message.sent')).toHaveLength(1)
  })

  describe('who is erased between the two calls', () => {
    const erase = (phone: string) => eraseCustomer(world.service.rt, world.accountId, phone, { actor: operator })
    /** Who else the customer is, as far as anything tells. */
    const linksOf = (...addresses: string[]) =>
      world.service.rt.store.read(findIdentities, { account_id: world.accountId, addresses })

    test('after the look for the user id, gets the message, and nothing names them again', async () => {
      const phone = '+12025550189'
      const userId = await userIdOf(phone)
      await refuse(phone, 131_026)
      const { sendRate } = world.service.rt
      const wait = sendRate.waitAgain
      using _ = vi.spyOn(sendRate, 'waitAgain').mockImplementationOnce(async (...given) => {
        await erase(phone)
        return wait(...given)
      })
      const { status, body } = await send(phone)
      expect(status).toBe(200)
      expect(await takenOf(userId)).toHaveLength(1)
      expect(await record(body.data.message_id)).toMatchObject({ to: null, user_id: null, content: null })
      expect(await linksOf(phone, userId)).toEqual([])
      expect((await send(phone)).body).toEqual(body)
    })

    test('before that, is out of reach, and the failed message names nobody', async () => {
      const phone = '+12025550190'
      const userId = await userIdOf(phone)
      const { platform } = world.service.rt
      const call = platform.send
      await refuse(phone, 131_026)
      using _ = vi.spyOn(platform, 'send').mockImplementationOnce(async (...given) => {
        const outcome = call(...given)
        await outcome.catch(() => erase(phone))
        return outcome
      })
      const { error } = (await send(phone)).body
      expect(error.code).toBe('recipient_unreachable')
      expect(await record(error.message_id)).toMatchObject({ status: 'failed', to: null, user_id: null })
      expect([await takenOf(userId), await linksOf(phone, userId)]).toEqual([[], []])
    })
  })

  test('is who has the number now: who had it before gets nothing', async () => {
    const phone = '+12025550184'
    const hello = { to: phone, template: 'hello_world', language: 'en_US' }
    const { message_id: sent } = (await world.post('/v1/chat/messages/template', hello)).body.data
    await waitFor(async () => (await record(sent)).user_id !== null, 10_000)
    const before = (await record(sent)).user_id
    expect(await userIdOf(phone, 'US.70001')).toBe('US.70001')
    await refuse(phone, 131_026)
    const had = (await takenOf(before)).length
    expect((await send(phone)).status).toBe(200)
    expect(await takenOf('US.70001')).toHaveLength(1)
    expect(await takenOf(before)).toHaveLength(had)
  })

  describe('who is sent a login code', () => {
    const name = 'login_code'
    beforeAll(async () => {
      const draft = { name, language: 'en_US', category: 'authentication', components: codeParts }
      await world.post('/v1/chat/templates', draft)
      const status = async () => (await world.get(`/v1/chat/templates?name=${name}`)).body.data.templates[0]?.status
      await waitFor(async () => (await status()) === 'approved', 10_000)
    })
    const sendCode = (to: string) => {
      const components = [{ type: 'body', parameters: [{ type: 'text', text: '493021' }] }]
      return world.post('/v1/chat/messages/template', { to, template: name, language: 'en_US', components })
    }

    test('gets it under the number where it was asked for under the user id', async () => {
      const phone = '+12025550185'
      const { status, body } = await sendCode(await userIdOf(phone))
      expect([status, body.data?.status ?? body.error]).toEqual([200, 'sent'])
      expect(await takenOf(phone)).toMatchObject([{ type: 'template' }])
    })

    test('is out of reach under the number that was given: that the user id takes no codes is not the reason', async () => {
      const phone = '+12025550186'
      await userIdOf(phone)
      await refuse(phone, 131_026)
      const { error } = (await sendCode(phone)).body
      expect(error).toMatchObject({ code: 'recipient_unreachable', upstream: { code: 131_026 } })
      expect(await record(error.message_id)).toMatchObject({
        status: 'failed',
        error: { code: 'recipient_unreachable' },
      })
    })
  })
})

const codeParts = [
  { type: 'body', add_security_recommendation: true },
  { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code' }] },
]
