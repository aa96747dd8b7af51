import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '../../server/src/lib/durations.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { recordCallbackItem } from '../../server/src/store/channels/callback-items.ts'
import { insertRelayItem } from '../../server/src/store/connections/relays.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { noteOwner, saveName } from '../../server/src/store/messages/threads.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import { engines } from '../support/postgres/databases.ts'
import { tablesNaming } from '../support/tables-naming.ts'
import { waitFor } from '../support/wait-for.ts'
import { localReceivers } from '../support/webhook-world.ts'
import { aWorld, type World } from '../support/world.ts'

const phone = '+13475550177'
const word = 'physalis'
const contentDays = 2
/** PostgreSQL drops whole days. */
const goneAfterMs = (contentDays + 1) * dayMs

describe.each(engines)('what customers wrote and were sent, on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  // Answers the challenge, and every event with what it was told: first with a failure, of which the answer is kept.
  const receiver = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.headers['x-postern-attempt'] === '1') response.statusCode = 503
    response.setHeader('content-type', 'application/json').end(body)
  })
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    world = await aWorld(engine, {
      ...localReceivers,
      POSTERN_REQUEST_LOG: 'all',
      POSTERN_WEBHOOK_RETRY_SCHEDULE: '0s,100ms',
      POSTERN_RETENTION_CONTENT_DAYS: String(contentDays),
    })
  }, 60_000)
  afterAll(async () => {
    await world.stop()
    receiver.closeAllConnections()
    receiver.close()
  })

  const naming = () => tablesNaming(world.database.database, word)

  async function retain(afterMs: number): Promise<void> {
    const { rt } = world.service
    const later: Runtime = { ...rt, clock: { now: () => rt.clock.now() + afterMs } }
    const job = { id: '', kind: '', subject: '', account_id: null, payload: '{}', attempts: 0, claim: '' }
    for (const { deletesByAge, run } of jobDefinitions) if (deletesByAge) await run(later, job as never)
  }

  test('goes from every table when contents do, and not before', async () => {
    const { port } = receiver.address() as AddressInfo
    const webhook = await world.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/hook`, events: ['*'] })
    const hook = `/v1/webhooks/${webhook.body.data.id}`
    await waitFor(async () => (await world.get(hook)).body.data.verification.status === 'verified', 10_000)

    const inbound = await world.control('POST', '/_sandbox/inbound', { from: phone, name: word, text: `${word} one` })
    const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
    await waitFor(async () => (await record(inbound.body.message_id)) !== null, 10_000)
    const sent = await world.post('/v1/chat/messages/send', { to: phone, message: `${word} two` })
    expect(sent.status).toBe(200)
    expect((await world.post('/v1/chat/messages/send', { to: phone, mesage: `${word} three` })).status).toBe(400)
    const broadcast = await world.post('/v1/chat/broadcasts', {
      name: 'Sale',
      template: 'order_confirmation',
      language: 'en_US',
      components: [{ type: 'body', parameters: ['{{name}}', 'A-1', '9 EUR'].map((text) => ({ type: 'text', text })) }],
    })
    const recipients = [{ to: phone, values: { name: word } }]
    const uploaded = await world.post(`/v1/chat/broadcasts/${broadcast.body.data.id}/recipients`, { recipients })
    expect(uploaded.status).toBe(201)
    const start_at = new Date(Date.now() + (contentDays + 1) * dayMs).toISOString()
    const planned = await world.post(`/v1/chat/broadcasts/${broadcast.body.data.id}/start`, { start_at })
    expect([planned.status, planned.body.error.details[0].field]).toEqual([400, 'start_at'])
    await leaveTheRest()
    await waitFor(async () => {
      const { deliveries } = (await world.get(`${hook}/deliveries?limit=100`)).body.data
      return deliveries.length > 0 && deliveries.every(({ status }: { status: string }) => status === 'delivered')
    }, 20_000)

    const holding = ['messages', 'customers', 'threads', 'events', 'attempts', 'callback_items']
    const all = [...holding, 'relay_items', 'request_log', 'broadcast_recipients']
    // Requests are logged after their response.
    await waitFor(async () => (await naming()).includes('request_log'))
    expect(await naming()).toEqual(expect.arrayContaining(all))
    await retain(contentDays * dayMs - 60_000)
    expect(await naming()).toEqual(expect.arrayContaining(all.filter((table) => table !== 'broadcast_recipients')))

    await retain(goneAfterMs)
    // What is to be deleted in two steps.
    await retain(goneAfterMs)
    expect(await naming()).toEqual([])
    expect(await record(inbound.body.message_id)).toMatchObject({ status: 'received', content: null })
    expect(await record(sent.body.data.message_id)).toMatchObject({ to: phone, content: null })
    expect((await world.get('/v1/events')).body.data.events).toEqual([])
  })

  /** A conversation that another responder handled, and what found no place or went on to tools. */
  async function leaveTheRest(): Promise<void> {
    const { rt } = world.service
    const now = rt.clock.now()
    const { accountId: account_id } = world
    const unit = new Unit()
    const thread = { number_id: 'num_test', address: phone, account_id, noted_at: now }
    unit.add(noteOwner, {
      ...{ ...thread, owner: 'other', role: null, summary: `${word} four`, changed_at: now, passed_at: null },
    })
    unit.add(saveName, { ...thread, saved_name: word })
    const item = { channel_id: 'chn_test', key_hash: 'hash', account_id }
    unit.add(recordCallbackItem, {
      ...{ ...item, callback_id: 'cbk_test', kind: 'user_preference', state: 'unhandled', reason: 'no_handler' },
      ...{ item: JSON.stringify({ value: word }), received_at: now, attempts: 0, due_at: now, expires_at: now },
      updated_at: now,
    })
    unit.add(insertRelayItem, { id: rt.newId('evt'), account_id, key_hash: 'hash', body: word, facts: '[]' })
    await rt.store.write(unit)
  }
})
