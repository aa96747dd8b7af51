import { readdir, readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../server/src/audit/audit.ts'
import { type Erasure, eraseCustomer } from '../../server/src/messages/erase/erase-customer.ts'
import { insertRequests } from '../../server/src/store/accounts/request-log.ts'
import { recordCallbackItem } from '../../server/src/store/channels/callback-items.ts'
import { Unit } from '../../server/src/store/engine/unit.ts'
import { engines } from '../support/postgres/databases.ts'
import { countCallbacks } from '../support/store-queries.ts'
import { idWith, inBase64, tablesNaming } from '../support/tables-naming.ts'
import { waitFor } from '../support/wait-for.ts'
import { localReceivers } from '../support/webhook-world.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

const phone = '+13475550188'
const userId = 'US.13491208655302741918'
const name = 'Zebulon Quill'
/** Every word that was said, the references and the names of files have it. */
const word = 'kumquat'
const needles = [phone.slice(1), userId, name, word]
/** Meta's message ids contain them too. */
const inIds = [...inBase64(phone.slice(1)), ...inBase64(userId)]
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
const pdf = `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`

describe.each(engines)('erasing a person, on %s', { timeout: 60_000 }, (engine) => {
  let world: World
  let receiver: Server
  beforeAll(async () => {
    receiver = await echoingReceiver()
    const env = { POSTERN_REQUEST_LOG: 'all', POSTERN_WEBHOOK_RETRY_SCHEDULE: '0s,100ms,5s' }
    world = await aWorld(engine, { ...localReceivers, ...env })
  }, 60_000)
  afterAll(async () => {
    await world.stop()
    await new Promise((resolve) => receiver.close(resolve))
  })

  const messageIds: string[] = []
  const remember = (answer: Answer): void => {
    expect(answer.body.error ?? null).toBeNull()
    messageIds.push(answer.body.data.message_id)
  }
  const file = async (id: string) => (await world.get(`/v1/chat/media/${id}`)).status
  const record = async (id: string) => (await world.get(`/v1/chat/messages/${encodeURIComponent(id)}`)).body.data
  const naming = (needle: string) => tablesNaming(world.database.database, needle)
  /** Files of the embedded database that hold a text, in rows or in what is left of them. */
  const filesNaming = async (needle: string) => {
    const files = (await readdir(world.database.folder)).filter((file) => file.startsWith('postern.db'))
    const contents = await Promise.all(files.map((file) => readFile(path.join(world.database.folder, file))))
    return files.filter((_, index) => contents[index]?.includes(needle))
  }
  const purge = (address: string) => eraseCustomer(world.service.rt, world.accountId, address, { actor: operator })

  async function receive(inbound: object): Promise<string> {
    const { body } = await world.control('POST', '/_sandbox/inbound', { user_id: userId, name, ...inbound })
    await waitFor(async () => (await record(body.message_id)) !== null, 10_000)
    messageIds.push(body.message_id)
    return body.message_id
  }

  async function upload(filename: string, content: Buffer): Promise<string> {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(content)]), filename)
    const response = await fetch(`${world.service.urls.base.replace('localhost', '127.0.0.1')}/v1/chat/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'idempotency-key': `upload-${filename}` },
      body: form,
    })
    return ((await response.json()) as Answer['body']).data.media_id
  }

  test('takes them out of every table, under every address, and leaves what is of others', async () => {
    const { port } = receiver.address() as AddressInfo
    const webhook = await world.post('/v1/webhooks', { url: `http://127.0.0.1:${port}/hook`, events: ['*'] })
    const hook = `/v1/webhooks/${webhook.body.data.id}`
    await waitFor(async () => (await world.get(hook)).body.data.verification.status === 'verified', 10_000)

    const first = await receive({ from: phone, text: `${word} one` })
    const hidden = await receive({ from: phone, hide_phone: true, text: `${word} two` })
    expect((await record(hidden)).from).toBeNull()
    const pictured = await receive({
      from: phone,
      type: 'image',
      media: {
        data_base64: Buffer.from(`${Buffer.from(png, 'base64').toString('latin1')}${word}`, 'latin1').toString(
          'base64',
        ),
        caption: `${word} three`,
      },
    })
    const inboundFile = (await record(pictured)).content.media.media_id
    await waitFor(async () => (await record(pictured)).content.media.size !== null, 10_000)

    const brochure = await upload('brochure.pdf', Buffer.from(pdf))
    const invoice = await upload(`${word}.pdf`, Buffer.from(`${pdf}${word}`))
    const picture = await upload('header.png', Buffer.from(png, 'base64'))
    const banner = await upload('banner.png', Buffer.concat([Buffer.from(png, 'base64'), Buffer.from('banner')]))
    const send = (path: string, body: object, to = phone) =>
      world.post(`/v1/chat/messages/${path}`, { to, ...body }, { 'idempotency-key': `${path}-${Math.random()}` })
    remember(await send('send', { message: `${word} four`, client_reference: `${word}-ref` }))
    remember(await send('send', { message: `${word} five` }, userId))
    remember(await send('media', { type: 'document', media_id: brochure }))
    remember(await send('media', { type: 'document', media_id: invoice, filename: `${word}.pdf` }))
    const buttons = [{ id: 'a', title: 'A' }]
    const header = { type: 'image', media_id: picture }
    remember(await send('interactive', { type: 'buttons', body: `${word} six`, header, buttons }))
    const values = ['Ana', word, '42'].map((text) => ({ type: 'text', text }))
    const components = [
      { type: 'header', parameters: [{ type: 'image', image: { media_id: banner } }] },
      { type: 'body', parameters: values },
    ]
    remember(await send('template', { template: 'order_confirmation', language: 'en_US', components }))
    remember(await send('location', { latitude: 1, longitude: 2, name: `${word} seven` }))
    remember(await send('contacts', { contacts: [{ name: { formatted_name: `${word} nine` } }] }))
    remember(await send('reaction', { message_id: first, emoji: '👍', client_reference: `${word} eight` }))
    const other = await send('media', { type: 'document', media_id: brochure }, world.customer)

    await leaveOldTraces()
    expect((await send('send', { mesage: `${word} short`, name }, userId)).status).toBe(400)
    await everythingIsTold()
    const before = await naming(phone.slice(1))
    const expected = ['messages', 'customer_addresses', 'events', 'callback_items', 'attempts', 'idempotency_keys']
    expect(before).toEqual(expect.arrayContaining([...expected, ...(engine === 'postgres' ? ['pacing'] : [])]))
    expect(await naming(userId)).toEqual(
      expect.arrayContaining(['messages', 'customer_addresses', 'events', 'request_log']),
    )
    if (engine === 'sqlite') for (const needle of needles) expect(await filesNaming(needle), needle).not.toEqual([])

    const tables = ['messages', 'events', 'callback_items', 'idempotency_keys', 'request_log']
    const withIds = new Set((await Promise.all(inIds.map(naming))).flat())
    expect([...withIds]).toEqual(expect.arrayContaining([...tables, 'attempts']))

    const { rows } = await purge(userId)
    for (const needle of [...needles, ...inIds, ...messageIds]) {
      expect(await naming(needle), needle).toEqual([])
      expect(await filesNaming(needle), needle).toEqual([])
    }
    const again = await purge(phone)
    expect(Object.values(again.rows).every((count) => count === 0)).toBe(true)
    const held: (keyof Erasure['rows'])[] = ['messages', 'media', 'events', 'attempts', 'idempotency_keys']
    for (const table of [
      ...held,
      'callback_items',
      'request_log',
      'contacts',
      'customers',
      'customer_addresses',
    ] as const) {
      expect(rows[table], table).toBeGreaterThan(0)
    }
    expect(rows).toMatchObject({ messages: messageIds.length, media: 4, pacing: engine === 'postgres' ? 2 : 0 })

    expect(await Promise.all([invoice, inboundFile, picture, banner].map(file))).toEqual([404, 404, 404, 404])
    expect(await file(brochure)).toBe(200)
    expect((await record(other.body.data.message_id)).content.media.media_id).toBe(brochure)
    for (const id of messageIds) {
      const left = await record(id)
      expect(left).toMatchObject({ content: null, content_purged_at: expect.any(String), user_id: null })
      expect(await record(left.message_id)).toEqual(left)
    }
    const { message_id: erasedId } = await record(hidden)
    const told = (await world.get(`/v1/events?message_id=${encodeURIComponent(hidden)}`)).body.data.events
    expect(told).toMatchObject([
      { type: 'message.received', data: { message_id: erasedId, from: null, content: null, erased: true } },
    ])
    const log = (await world.get(`${hook}/deliveries?message_id=${encodeURIComponent(hidden)}`)).body.data.deliveries
    expect(log).toMatchObject([{ type: 'message.received', message_id: erasedId }])
  })

  /** What older versions of the gateway wrote, and what found no place. */
  async function leaveOldTraces(): Promise<void> {
    const unit = new Unit()
    const ids = ([0, 1, 2] as const).map((bytesBefore) => idWith(phone.slice(1), bytesBefore, 'old'))
    for (const [index, body] of [{ to: userId, mesage: word }, ...ids.map((id) => ({ reply_to: id }))].entries()) {
      unit.add(insertRequests, {
        id: `req_old_${index}`,
        account_id: world.accountId,
        key_id: null,
        at: world.service.rt.clock.now(),
        method: 'POST',
        route: '/v1/chat/messages/send',
        status: 400,
        code: 'validation_failed',
        duration_ms: 1,
        body: JSON.stringify(body),
        path: null,
        answer: null,
      })
    }
    const items = [{ customer: { phone, userId }, value: word }, ...ids.map((id) => ({ channelMessageId: id }))]
    for (const [index, item] of items.entries()) {
      unit.add(recordCallbackItem, {
        channel_id: 'chn_test',
        key_hash: `hash_${index}`,
        account_id: world.accountId,
        callback_id: 'cbk_test',
        kind: 'user_preference',
        state: 'unhandled',
        reason: 'no_handler',
        item: JSON.stringify(item),
        received_at: 0,
        attempts: 0,
        due_at: 0,
        expires_at: 0,
        updated_at: world.service.rt.clock.now(),
      })
    }
    await world.service.rt.store.write(unit)
  }

  /** Statuses applied, events delivered: nothing comes after that. */
  async function everythingIsTold(): Promise<void> {
    for (const id of messageIds) {
      // Of a reaction Meta reports that it was sent, and no more.
      const last = (await record(id)).type === 'reaction' ? ['sent'] : ['read', 'received']
      await waitFor(async () => last.includes((await record(id)).status), 20_000)
    }
    await waitFor(async () => {
      const [counted] = await world.service.rt.store.read(countCallbacks, {})
      return counted?.stored === counted?.applied
    }, 10_000)
    await waitFor(async () => {
      const deliveries = await world.get(
        `/v1/webhooks/${(await world.get('/v1/webhooks')).body.data.webhooks[0].id}/deliveries?limit=100`,
      )
      return deliveries.body.data.deliveries.every(({ status }: { status: string }) => status === 'delivered')
    }, 20_000)
  }
})

/** Answers the challenge, and everything else with what it was told. */
async function echoingReceiver(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { type, challenge } = JSON.parse(body.toString()) as { type?: string; challenge?: string }
    response.setHeader('content-type', 'application/json')
    // What is answered to a first attempt that succeeds is not kept.
    if (request.headers['x-postern-attempt'] === '1') response.statusCode = 503
    response.end(type === 'webhook.verification' ? JSON.stringify({ challenge }) : body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
