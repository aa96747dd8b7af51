import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Client } from '@great-detail/whatsapp'
import { WhatsAppClient } from '@kapso/whatsapp-cloud-api'
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WhatsAppAPI } from 'whatsapp-api-js'
import {
  ActionButtons,
  ActionList,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  Image,
  Interactive,
  ListSection,
  Row,
  Template,
  Text,
} from 'whatsapp-api-js/messages'
import type { PostData } from 'whatsapp-api-js/types'
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'

/**
 * Libraries that others wrote for the real platform, used as they are against the sandbox: what they send must be
 * accepted, and what the sandbox sends must be verified and understood by their code. All of it passes the recorded
 * contract.
 */

const customer = '12025550100'
const verifyToken = 'a verify token of ours'
// One pixel: sent, fetched back and compared byte by byte.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const orderReady = {
  name: 'order_ready',
  language: 'en_US',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Hi {{1}}, order {{2}} is ready.', example: { body_text: [['Ana', 'A-1']] } }],
}

type Delivery = { raw: string; signature: string }

let sandbox: Sandbox
let receiver: Server
let deliveries: Delivery[] = []
let number: Sandbox['numbers'][number]

const sentTo = (id: string | undefined) => sandbox.control.messages({ limit: 1_000 }).data.find((one) => one.id === id)

/** The first callback that the given reader makes something of. */
async function received<T>(read: (delivery: Delivery) => T | undefined): Promise<T> {
  let found: T | undefined
  await waitFor(() => {
    found = deliveries.map(read).find((value) => value !== undefined)
    return found !== undefined
  })
  return found as T
}

beforeAll(async () => {
  // One update per callback: one of the libraries reads only the first.
  sandbox = await startSandbox({ port: 0, development: true, scenario: { callbacks: { batch_max: 1 } } })
  const [first] = sandbox.numbers
  if (!first) throw new Error('The sandbox starts with one number.')
  number = first
  sandbox.control.addTemplates({ templates: [orderReady] })
  const handshake = new WhatsAppAPI({ token: 't', appSecret: 's', webhookVerifyToken: verifyToken, v: 'v23.0' })
  receiver = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const query = Object.fromEntries(new URL(request.url ?? '/', 'http://receiver.test').searchParams)
      response.end(handshake.get(query as never))
      return
    }
    const raw = (await buffer(request)).toString('utf8')
    deliveries.push({ raw, signature: String(request.headers['x-hub-signature-256']) })
    response.end()
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callback`
  const post = async (path: string, token: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${sandbox.url}/v23.0/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(await answer.json()).toEqual({ success: true })
  }
  const app = { object: 'whatsapp_business_account', callback_url: url, verify_token: verifyToken, fields: 'messages' }
  await post(`${number.app_id}/subscriptions`, `${number.app_id}|${number.app_secret}`, app)
  await post(`${number.waba_id}/subscribed_apps`, number.access_token, {})
  const override = { override_callback_uri: url, verify_token: verifyToken }
  await post(`${number.waba_id}/subscribed_apps`, number.access_token, override)
})
afterEach(() => {
  deliveries = []
})
afterAll(async () => {
  await sandbox.close()
  receiver.closeAllConnections()
  await new Promise((closed) => receiver.close(closed))
})

describe('whatsapp-api-js', () => {
  let client: WhatsAppAPI
  beforeAll(() => {
    client = new WhatsAppAPI({
      token: number.access_token,
      appSecret: number.app_secret,
      webhookVerifyToken: verifyToken,
      v: 'v23.0',
      ponyfill: {
        // Its host is fixed; the path, the headers and the body go out as the library made them.
        fetch: (target: string | URL | Request, options?: RequestInit) => {
          const url = new URL(String(target))
          if (url.protocol === 'http:') return fetch(url, options)
          expect(url.host).toBe('graph.facebook.com')
          return fetch(`${sandbox.url}${url.pathname}${url.search}`, options)
        },
      },
    })
  })
  const send = async (message: Parameters<WhatsAppAPI['sendMessage']>[2], correlation?: string) => {
    const answer = await client.sendMessage(number.phone_number_id, customer, message, undefined, correlation)
    if (!('messages' in answer)) throw new Error(JSON.stringify(answer))
    return answer.messages[0].id
  }

  test('sends text, a template, an image and both interactive kinds', async () => {
    expect(sentTo(await send(new Text('Olá, João')))).toMatchObject({ type: 'text', text: 'Olá, João' })
    const values = new BodyComponent(new BodyParameter('Ana'), new BodyParameter('A-1'))
    expect(sentTo(await send(new Template('order_ready', 'en_US', values)))).toMatchObject({ type: 'template' })
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'pixel.png')
    const upload = await client.uploadMedia(number.phone_number_id, form)
    if (!('id' in upload)) throw new Error(JSON.stringify(upload))
    expect(sentTo(await send(new Image(upload.id, true, 'a pixel')))).toMatchObject({ type: 'image' })
    const buttons = new Interactive(
      new ActionButtons(new Button('yes', 'Yes'), new Button('no', 'No')),
      new Body('Sure?'),
    )
    expect(sentTo(await send(buttons))).toMatchObject({ type: 'interactive' })
    const rows = new ListSection('Sizes', new Row('s', 'Small'), new Row('l', 'Large'))
    expect(sentTo(await send(new Interactive(new ActionList('Choose', rows), new Body('Which?'))))).toBeDefined()
  })

  test('is refused in the shape it knows', async () => {
    const answer = await client.sendMessage(number.phone_number_id, customer, new Template('no_such', 'en_US'))
    expect(answer).toMatchObject({ error: { code: 132001, type: 'OAuthException' } })
  })

  test('fetches back the bytes it uploaded, and deletes them', async () => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'pixel.png')
    const upload = await client.uploadMedia(number.phone_number_id, form)
    if (!('id' in upload)) throw new Error(JSON.stringify(upload))
    const media = await client.retrieveMedia(upload.id)
    if (!('url' in media)) throw new Error(JSON.stringify(media))
    expect(media).toMatchObject({ mime_type: 'image/png' })
    const bytes = Buffer.from(await (await client.fetchMedia(media.url)).arrayBuffer())
    expect(bytes.equals(png)).toBe(true)
    expect(await client.deleteMedia(upload.id)).toMatchObject({ success: true })
  })

  test('verifies and reads the statuses of what it sent', async () => {
    const id = await send(new Text('Track me'), 'our-id-7')
    const status = (wanted: string) =>
      received(({ raw, signature }) => {
        const value = (JSON.parse(raw) as PostData).entry[0]?.changes[0]?.value
        const isIt = value && 'statuses' in value && value.statuses[0].id === id && value.statuses[0].status === wanted
        return isIt ? { raw, signature } : undefined
      })
    for (const word of ['sent', 'delivered', 'read']) {
      const { raw, signature } = await status(word)
      let told: unknown
      client.on.status = (args) => {
        told = { status: args.status, id: args.id, phone: args.phone, ours: args.biz_opaque_callback_data }
      }
      await client.post(JSON.parse(raw) as PostData, raw, signature)
      expect(told).toEqual({ status: word, id, phone: customer, ours: 'our-id-7' })
    }
  })

  test('verifies and reads what a customer writes, and refuses a changed byte', async () => {
    const { message_id: id } = sandbox.control.inbound({ from: customer, text: 'Ça va? 💬' } as never)
    const { raw, signature } = await received((one) => (one.raw.includes(id) ? one : undefined))
    let told: unknown
    client.on.message = ({ from, phoneID, message }) => {
      told = { from, phoneID, text: message.type === 'text' ? message.text.body : null }
    }
    await client.post(JSON.parse(raw) as PostData, raw, signature)
    expect(told).toEqual({ from: customer, phoneID: number.phone_number_id, text: 'Ça va? 💬' })
    const forged = raw.replace('"text"', '"Text"')
    await expect(client.post(JSON.parse(forged) as PostData, forged, signature)).rejects.toThrow()
  })
})

describe('@kapso/whatsapp-cloud-api', () => {
  let client: WhatsAppClient
  let to: { phoneNumberId: string; to: string }
  beforeAll(() => {
    client = new WhatsAppClient({ accessToken: number.access_token, baseUrl: sandbox.url, graphVersion: 'v24.0' })
    to = { phoneNumberId: number.phone_number_id, to: customer }
  })
  const idOf = (answer: { messages: { id: string }[] }) => answer.messages[0]?.id

  test('sends text, a template, a document and both interactive kinds', async () => {
    const text = await client.messages.sendText({ ...to, body: 'Hello' })
    expect(sentTo(idOf(text))).toMatchObject({ type: 'text', text: 'Hello' })
    const parameters = [
      { type: 'text' as const, text: 'Ana' },
      { type: 'text' as const, text: 'A-1' },
    ]
    const template = {
      name: 'order_ready',
      language: { code: 'en_US' },
      components: [{ type: 'body' as const, parameters }],
    }
    expect(sentTo(idOf(await client.messages.sendTemplate({ ...to, template })))).toMatchObject({ type: 'template' })
    const file = new Blob([new Uint8Array(Buffer.from('%PDF-1.4\n%%EOF\n'))], { type: 'application/pdf' })
    const upload = { phoneNumberId: number.phone_number_id, type: 'application/pdf', file, fileName: 'bill.pdf' }
    const { id } = await client.media.upload(upload)
    const document = await client.messages.sendDocument({ ...to, document: { id, filename: 'bill.pdf' } })
    expect(sentTo(idOf(document))).toMatchObject({ type: 'document' })
    const buttons = [{ id: 'yes', title: 'Yes' }]
    const asked = await client.messages.sendInteractiveButtons({ ...to, bodyText: 'Sure?', buttons })
    expect(sentTo(idOf(asked))).toMatchObject({ type: 'interactive' })
    const sections = [{ title: 'Sizes', rows: [{ id: 's', title: 'Small' }] }]
    const list = await client.messages.sendInteractiveList({
      ...to,
      bodyText: 'Which?',
      buttonText: 'Choose',
      sections,
    })
    expect(sentTo(idOf(list))).toMatchObject({ type: 'interactive' })
  })

  test('gets an error its own classes understand', async () => {
    const expired = new WhatsAppClient({ accessToken: 'EAAnothing', baseUrl: sandbox.url, graphVersion: 'v24.0' })
    await expect(expired.messages.sendText({ ...to, body: 'Hello' })).rejects.toMatchObject({
      code: 190,
      httpStatus: 401,
    })
  })

  test('fetches back the bytes of a customer', async () => {
    const sent = {
      from: customer,
      type: 'image',
      media: { data_base64: png.toString('base64'), mime_type: 'image/png' },
    }
    const { message_id: id } = sandbox.control.inbound(sent as never)
    const inbound = await received(({ raw }) => (raw.includes(id) ? normalizeWebhook(JSON.parse(raw)) : undefined))
    const mediaId = inbound.messages[0]?.image?.id ?? ''
    const bytes = await client.media.download({ mediaId, auth: 'always' })
    expect(Buffer.from(bytes as ArrayBuffer).equals(png)).toBe(true)
  })

  test('lists the templates of the account', async () => {
    const { data } = await client.templates.list({ businessAccountId: number.waba_id })
    expect(data.map(({ name, status }) => [name, status])).toContainEqual(['order_ready', 'APPROVED'])
  })

  test('verifies and reads our statuses and inbound messages', async () => {
    const id =
      idOf(await client.messages.sendText({ ...to, body: 'Track me', bizOpaqueCallbackData: 'our-id-8' })) ?? ''
    const { raw, signature } = await received((one) => (one.raw.includes(id) ? one : undefined))
    const appSecret = number.app_secret
    expect(verifySignature({ appSecret, rawBody: raw, signatureHeader: signature })).toBe(true)
    expect(verifySignature({ appSecret, rawBody: `${raw} `, signatureHeader: signature })).toBe(false)
    const { statuses, phoneNumberId } = normalizeWebhook(JSON.parse(raw))
    expect(phoneNumberId).toBe(number.phone_number_id)
    expect(statuses).toMatchObject([{ id, recipientId: customer, bizOpaqueCallbackData: 'our-id-8' }])
    const { message_id: written } = sandbox.control.inbound({ from: customer, text: 'Zoë ✓' } as never)
    const inbound = await received((one) => (one.raw.includes(written) ? one : undefined))
    expect(verifySignature({ appSecret, rawBody: inbound.raw, signatureHeader: inbound.signature })).toBe(true)
    const [message] = normalizeWebhook(JSON.parse(inbound.raw)).messages
    expect(message).toMatchObject({ id: written, from: customer, type: 'text', text: { body: 'Zoë ✓' } })
  })
})

describe('@great-detail/whatsapp', () => {
  let client: Client
  beforeAll(() => {
    const headers = { authorization: `Bearer ${number.access_token}` }
    client = new Client({ prefixUrl: sandbox.url, graphVersion: 'v24.0', request: { headers } })
  })
  const phoneNumberID = () => number.phone_number_id

  test('sends text and a template, uploads and sends an image, and marks as read', async () => {
    const ids: string[] = []
    const send = async (content: object) => {
      const options = { phoneNumberID: phoneNumberID(), to: customer, ...content }
      const { messages } = await client.message.createMessage(options as never).json()
      const id = messages[0]?.id ?? ''
      ids.push(id)
      return sentTo(id)
    }
    expect(await send({ type: 'text', text: { body: 'Hello' } })).toMatchObject({ type: 'text', text: 'Hello' })
    const parameters = [
      { type: 'text', text: 'Ana' },
      { type: 'text', text: 'A-1' },
    ]
    const components = [{ type: 'body', parameters }]
    const template = { name: 'order_ready', language: { code: 'en_US' }, components }
    expect(await send({ type: 'template', template })).toMatchObject({ type: 'template' })
    const file = new Blob([new Uint8Array(png)], { type: 'image/png' })
    const upload = { phoneNumberID: phoneNumberID(), file, filename: 'dot.png', mimeType: 'image/png' }
    const { id } = await client.media.upload(upload as never).json()
    expect(await send({ type: 'image', image: { id } })).toMatchObject({ type: 'image' })
    const { message_id: written } = sandbox.control.inbound({ from: customer, text: 'Hi' } as never)
    const read = { phoneNumberID: phoneNumberID(), message_id: written, status: 'read' }
    expect(await client.message.createStatus(read as never).json()).toEqual({ success: true })
    expect(new Set(ids).size).toBe(3)
  })

  test('reads the number, the account, its apps, its templates and the library', async () => {
    const fields = ['display_phone_number', 'quality_rating', 'health_status'] as never
    const facts = await client.phoneNumbers.getPhoneNumber({ phoneNumberID: phoneNumberID(), fields }).json()
    expect(facts).toMatchObject({ id: number.phone_number_id, quality_rating: 'GREEN' })
    const { data: numbers } = await client.phoneNumbers.listPhoneNumbers({ businessAccountID: number.waba_id }).json()
    expect(numbers.map(({ id }) => id)).toEqual([number.phone_number_id])
    const apps = await client.subscribedApps.listSubscriptions({ businessAccountID: number.waba_id }).json()
    expect(JSON.stringify(apps)).toContain(number.app_id)
    const { data: templates } = await client.template.list(number.waba_id, {}).json()
    expect(templates.map(({ name }) => name)).toContain('order_ready')
    const library = await client.template.listLibrary({ topic: 'ORDER_MANAGEMENT' }).json()
    expect(library).toMatchObject({ data: [{ name: 'delivery_update_1', category: 'UTILITY' }] })
  })

  test('verifies our signature and refuses that of another secret', async () => {
    const { message_id: id } = sandbox.control.inbound({ from: customer, text: 'Olá ✓' } as never)
    const { raw, signature } = await received((one) => (one.raw.includes(id) ? one : undefined))
    const request = { method: 'POST', headers: { 'x-hub-signature-256': signature }, body: raw, query: {} }
    const event = await client.webhook.eventNotification(request as never)
    expect(await event.checkSignature(number.app_secret)).toBe(true)
    expect(await event.checkSignature('another')).toBe(false)
    expect(JSON.stringify(event.eventNotification)).toContain('Olá ✓')
  })
})
