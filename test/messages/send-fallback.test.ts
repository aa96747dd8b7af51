import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../server/src/contract/app-error.ts'
import { engines } from '../support/postgres/databases.ts'
import { aWorld, type World } from '../support/world.ts'

/** The gateway leaves the window to Meta, as it does during the first day of a number, and Meta refuses in its answer. */
describe.each(engines)('a text that Meta refuses outside the window, on %s', { timeout: 30_000 }, (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine, { POSTERN_WINDOW_POLICY: 'platform' })
    const never = 600_000
    const delays = { sent_ms: never, delivered_ms: never, read_ms: never }
    await world.control('PUT', '/_sandbox/scenario', { closed_window: 'answer', delays })
  }, 60_000)
  afterAll(() => world.stop())

  const hello = { template: 'hello_world', language: 'en_US' }
  const send = (to: string, fallback?: object) =>
    world.post(
      '/v1/chat/messages/send',
      { to, message: 'Hello?', client_reference: 'A-1', ...(fallback ? { fallback } : {}) },
      { 'idempotency-key': `fallback-${to}` },
    )
  const recordsOf = async (to: string) =>
    (await world.get(`/v1/chat/messages?phone_number=${encodeURIComponent(to)}`)).body.data.messages
  const takenOf = async (to: string): Promise<{ type: string }[]> =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}`)).body.data
  const eventsOf = async (id: string): Promise<string[]> => {
    const { events } = (await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)).body.data
    return events.map(({ type }: { type: string }) => type)
  }

  test('fails without a fallback', async () => {
    const to = '+12025550151'
    const { status, body } = await send(to)
    expect([status, body.error.code, body.error.upstream.code]).toEqual([400, 'customer_window_closed', 131_047])
    expect(await recordsOf(to)).toMatchObject([{ type: 'text', status: 'failed', used: null }])
  })

  test('goes out as its fallback, as one message that is told and answered once', async () => {
    const to = '+12025550152'
    const first = await send(to, hello)
    expect([first.status, first.body.data]).toEqual([
      200,
      { message_id: expect.stringMatching(/^wamid\./), status: 'sent', used: 'template' },
    ])
    const id = first.body.data.message_id
    const record = { message_id: id, type: 'template', status: 'sent', used: 'template', template: 'hello_world' }
    expect(await recordsOf(to)).toMatchObject([{ ...record, error: null, client_reference: 'A-1' }])
    expect(await eventsOf(id)).toEqual(['message.sent'])
    const { body } = await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)
    expect(body.data.content.text).not.toBe('Hello?')
    expect(body.data.history.map(({ status }: { status: string }) => status)).toEqual(['queued', 'sent'])

    const again = await send(to, hello)
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body])
    expect(await takenOf(to)).toMatchObject([{ type: 'template' }])
  })

  test('fails with what is wrong with its fallback, under its key too', async () => {
    const to = '+12025550153'
    const first = await send(to, { ...hello, template: 'nobody_knows' })
    expect([first.status, first.body.error.code]).toEqual([404, 'template_not_found'])
    const [record] = await recordsOf(to)
    expect(record).toMatchObject({
      type: 'text',
      status: 'failed',
      used: 'text',
      error: { upstream: { code: 131_047 } },
    })
    expect(first.body.error.message_id).toBe(record.message_id)
    expect(await eventsOf(record.message_id)).toEqual(['message.failed'])
    const again = await send(to, { ...hello, template: 'nobody_knows' })
    expect([again.headers.get('idempotent-replayed'), again.body.error.code]).toEqual(['true', 'template_not_found'])
    expect(await recordsOf(to)).toHaveLength(1)
  })

  test('releases its key where the fallback can be sent later', async () => {
    const to = '+12025550154'
    const { sendRate } = world.service.rt
    const { wait } = sendRate
    let waits = 0
    Object.assign(sendRate, {
      wait: async (...given: Parameters<typeof wait>) => {
        waits++
        if (waits === 2) throw new AppError('channel_rate_limited', 'Not now.', { retryAfterSeconds: 1 })
        return wait.apply(sendRate, given)
      },
    })
    const first = await send(to, hello)
    Object.assign(sendRate, { wait })
    expect([first.status, first.body.error.code, waits]).toEqual([429, 'channel_rate_limited', 2])
    expect(await recordsOf(to)).toMatchObject([{ type: 'text', status: 'failed' }])
    expect((await send(to, hello)).body.data).toMatchObject({ status: 'sent', used: 'template' })
    expect(await takenOf(to)).toHaveLength(1)
  })
})
