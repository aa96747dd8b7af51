import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askStatus } from '../../server/src/messages/ask-status.ts'
import { engines } from '../support/postgres/databases.ts'
import { aWorld, type World } from '../support/world.ts'

describe.each(engines)('a message whose statuses never arrived, on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
  })
  afterAll(() => world.stop())

  const send = async (effects: object) => {
    await world.control('PUT', '/_sandbox/scenario', { rules: [{ when: { endpoint: 'messages' }, do: effects }] })
    const { status, body } = await world.post('/v1/chat/messages/template', {
      to: '+351912000001',
      template: 'hello_world',
      language: 'en_US',
    })
    expect([status, body.error]).toEqual([200, undefined])
    return body.data.message_id as string
  }
  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const events = async (id: string) => {
    const { body } = await world.get(`/v1/events?message_id=${encodeURIComponent(id)}`)
    return body.data.events.map(({ type }: { type: string }) => type)
  }
  const ask = (id: string) => askStatus(world.service.rt, world.accountId, id)

  test('is read once Meta is asked, and what it says is told once', async () => {
    const id = await send({ no_callbacks: true })
    await world.control('POST', '/_sandbox/clock', { advance_ms: 60_000 })
    expect((await record(id)).status).toBe('sent')
    const { row, news } = await ask(id)
    expect([row.status, news]).toEqual(['read', 2])
    expect(await record(id)).toMatchObject({ status: 'read', delivered_at: expect.any(String) })
    expect((await ask(id)).news).toBe(0)
    expect(await events(id)).toEqual(['message.sent', 'message.delivered', 'message.read'])
  })

  test('is left as it is where Meta knows nothing, or has another word for it', async () => {
    const id = await send({ no_callbacks: true, delays: { sent_ms: 1e9, delivered_ms: 1e9, read_ms: 1e9 } })
    expect((await ask(id)).news).toBe(0)
    const { rt } = world.service
    const platform = { ...rt.platform, messageHistory: async () => [] }
    expect((await askStatus({ ...rt, platform }, world.accountId, id)).row.status).toBe('sent')
  })

  test('is not another account’s to ask about, and not one without an id', async () => {
    const id = await send({ no_callbacks: true })
    await expect(askStatus(world.service.rt, 'acc_other', id)).rejects.toMatchObject({ code: 'message_not_found' })
    await expect(ask('wamid.nobody')).rejects.toMatchObject({ code: 'message_not_found' })
  })
})
