import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { uncertainErrors } from '../lost-answers.ts'
import type { EngineName } from '../postgres/databases.ts'
import { importSampleRates, sampleBudget } from '../sample-rates.ts'
import { unhurried } from '../unhurried.ts'
import { waitFor } from '../wait-for.ts'
import { aWorld, type World } from '../world.ts'
import { createClient, type HttpAnswer } from './openapi-client.ts'
import type { Operation } from './openapi-operations.ts'
import type { ApiRequest } from './openapi-requests.ts'

/** Values of fields that mean something here, by the name of the field. */
export type Known = Readonly<Record<string, readonly unknown[]>>

export type FuzzWorld = World & {
  send(operation: Operation, request: ApiRequest): Promise<HttpAnswer>
  /** With these bytes as its JSON body. */
  sendBytes(operation: Operation, request: ApiRequest, body: string | Buffer): Promise<HttpAnswer>
  /** Things to look at, change and delete. Those that `usedUp` names, by the names of their ids, are made anew; all, if not given. */
  seed(upload: Operation, usedUp?: readonly string[]): Promise<Known>
  /** The address of a receiver that takes every delivery and returns challenges. */
  receiverUrl: string
  /** Sends templates to customers of their own, beside what the fuzzer sends. */
  sendTemplates(count: number): Promise<void>
  /** Our ids of all messages that the platform accepted, one for each time. */
  accepted(): Promise<string[]>
}

/** A gateway with a channel, templates, a receiver, and a customer who has just written. */
export async function aFuzzWorld(engine: EngineName): Promise<FuzzWorld> {
  const receiver = await anEchoServer()
  const world = await aWorld(engine, {
    POSTERN_WEBHOOK_DEV_ALLOW: '127.0.0.0/8',
    // The statuses of a lost answer come, however busy the machine is.
    POSTERN_SEND_SETTLE_WAIT_MS: '7000',
  })
  const rules = uncertainErrors.map((error, index) => ({
    when: { endpoint: 'messages', type: lossyTypes[index % lossyTypes.length], every: lossEvery },
    do: { error_after_accept: error },
  }))
  await world.control('PUT', '/_sandbox/scenario', { rules })
  unhurried(world.service.rt)
  await importSampleRates(world.service.rt)
  const client = createClient(world.service.urls.base.replace('localhost', '127.0.0.1'))
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await world.control('POST', '/_sandbox/inbound', { from: world.customer, text: 'Hello' })
  await waitFor(async () => (await world.get('/v1/chat/messages?direction=inbound')).body.data.messages.length > 0)
  let rounds = 0
  let known: Known = { file: [pdf], api_key: [world.apiKey], api_secret: [world.apiSecret] }

  const tokenFor = async ({ id }: Operation): Promise<string> => {
    // Refreshing and revoking use a token up.
    if (id !== 'refreshToken' && id !== 'revokeToken') return world.token
    const { body } = await world.post('/v1/auth/token', { api_key: world.apiKey, api_secret: world.apiSecret })
    return body.data.access_token
  }
  const send: FuzzWorld['send'] = async (operation, request) =>
    client.send(operation, request, await tokenFor(operation))
  const upload = async (operation: Operation): Promise<string> => {
    const { body } = await send(operation, { path: {}, query: {}, header: {}, body: { file: pdf } })
    return (body as { data: { media_id: string } }).data.media_id
  }
  return {
    ...world,
    send,
    sendBytes: async (operation, request, body) =>
      client.sendBytes(operation, request, await tokenFor(operation), body),
    receiverUrl,
    async sendTemplates(count) {
      for (let nth = 0; nth < count; nth++) await sendTemplate(world, rounds++)
    },
    async accepted() {
      const { body } = await world.control('GET', '/_sandbox/messages?direction=outbound&limit=10000')
      return body.data.map((message: Record<string, string>) => message.biz_opaque_callback_data)
    },
    async seed(operation, usedUp) {
      const round = rounds++
      const seeders: readonly [names: readonly string[], make: () => Promise<Known>][] = [
        [['webhook_id', 'delivery_id', 'message_id'], () => seedDeliveries(world, receiverUrl, round)],
        [['customer_id'], () => seedCustomer(world)],
        [['saved_reply_id'], async () => ({ saved_reply_id: [await seedSavedReply(world, round)] })],
        [['link_id'], () => seedLink(world)],
        [['budget_id'], () => seedBudget(world)],
        [['broadcast_id', 'upload_id'], () => seedBroadcasts(world, round)],
        [['template_id'], () => seedTemplates(world)],
        [['media_id'], async () => ({ media_id: [await upload(operation)] })],
        [['receipt'], async () => ({ receipt: [await seedReceipt(world)] })],
      ]
      for (const [names, make] of seeders) {
        if (!usedUp || names.some((name) => usedUp.includes(name))) known = { ...known, ...(await make()) }
      }
      return known
    },
    async stop() {
      client.close()
      await world.stop()
      receiver.close()
    },
  }
}

/** A webhook with a delivery, and messages in both directions. */
async function seedDeliveries(world: World, url: string, round: number): Promise<Known> {
  for (const { id } of (await world.get('/v1/webhooks')).body.data.webhooks) {
    await world.call('DELETE', `/v1/webhooks/${id}`)
  }
  const { id } = (await world.post('/v1/webhooks', { url, events: ['*'] })).body.data
  await world.post(`/v1/webhooks/${id}/verify`)
  const outbound = await sendTemplate(world, round)
  const deliveries = async () => (await world.get(`/v1/webhooks/${id}/deliveries`)).body.data.deliveries
  await waitFor(async () => (await deliveries()).length > 0)
  const { messages } = (await world.get('/v1/chat/messages?direction=inbound&limit=1')).body.data
  return {
    url: [url],
    webhook_id: [id],
    delivery_id: [(await deliveries())[0].id],
    message_id: [outbound, messages[0].message_id, await sendLater(world, round)],
    reply_to: [outbound],
    template: [sentTemplate],
  }
}

async function seedCustomer(world: World): Promise<Known> {
  const path = `/v1/chat/customers?address=${encodeURIComponent(world.customer)}`
  return { customer_id: [(await world.get(path)).body.data.customers[0].customer_id] }
}

async function seedLink(world: World): Promise<Known> {
  return { link_id: [(await world.post('/v1/chat/links', { message: 'Hello' })).body.data.link_id] }
}

/** Another one each time: an account may have only so many. */
async function seedBudget(world: World): Promise<Known> {
  const path = '/v1/chat/budgets'
  for (const { budget_id } of (await world.get(path)).body.data.budgets)
    await world.call('DELETE', `${path}/${budget_id}`)
  return { budget_id: [(await world.post(path, sampleBudget)).body.data.budget_id] }
}

/** Its word is free, however often this runs. */
async function seedSavedReply(world: World, round: number): Promise<string> {
  const path = '/v1/chat/saved-replies'
  const { saved_replies } = (await world.get(path)).body.data
  for (const { saved_reply_id } of saved_replies) await world.call('DELETE', `${path}/${saved_reply_id}`)
  return (await world.post(path, { shortcut: `word${round}`, text: 'From 9 to 6.' })).body.data.saved_reply_id
}

/** A draft with recipients; one that is paused before all had their turn, and can go on or end; and one that has ended. */
async function seedBroadcasts(world: World, round: number): Promise<Known> {
  const make = async (kind: number) => {
    const draft = { name: 'Sale', template: plainTemplate, language: 'en_US', max_per_second: 1 }
    const { id } = (await world.post('/v1/chat/broadcasts', draft)).body.data
    const recipients = ['1', '2', '3'].map((last) => ({ to: `+35193${kind}${String(round).padStart(5, '0')}${last}` }))
    const { upload_id } = (await world.post(`/v1/chat/broadcasts/${id}/recipients`, { recipients })).body.data
    return { id, upload_id }
  }
  const draft = await make(0)
  const paused = await make(1)
  await world.post(`/v1/chat/broadcasts/${paused.id}/start`)
  await world.post(`/v1/chat/broadcasts/${paused.id}/pause`)
  const ended = await make(2)
  await world.post(`/v1/chat/broadcasts/${ended.id}/start`)
  await world.post(`/v1/chat/broadcasts/${ended.id}/cancel`)
  return {
    broadcast_id: [draft.id, paused.id, ended.id],
    upload_id: [draft.upload_id, paused.upload_id],
    results: [['canceled']],
  }
}

/** What a client of `GET /v1/listen` got with an event. */
async function seedReceipt(world: World): Promise<string> {
  const base = world.service.urls.base.replace('localhost', '127.0.0.1')
  const stream = await fetch(`${base}/v1/listen`, { headers: { authorization: `Bearer ${world.token}` } })
  await world.post('/v1/events/trigger', { type: 'message.sent' })
  let heard = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += chunk
    const [, receipt] = /"receipt":"([^"]+)"/.exec(heard) ?? []
    if (receipt !== undefined) return receipt
  }
  throw new Error('The stream ended without a delivery.')
}

async function sendTemplate(world: World, round: number): Promise<string> {
  const values = ['Ana', 'A-1001', '42'].map((value) => ({ type: 'text', text: value }))
  const { body } = await world.post('/v1/chat/messages/template', {
    // Recipients of their own: the platform takes only so many messages for one customer.
    to: `+351910${String(round).padStart(6, '0')}`,
    template: sentTemplate,
    language: 'en_US',
    components: [{ type: 'body', parameters: values }],
  })
  return body.data.message_id
}

/** A message that waits and can be canceled. */
async function sendLater(world: World, round: number): Promise<string> {
  const send_at = new Date(Date.now() + 86_400_000).toISOString()
  const to = `+351920${String(round).padStart(6, '0')}`
  return (await world.post('/v1/chat/messages/template', { to, template: plainTemplate, language: 'en_US', send_at }))
    .body.data.message_id
}

/** Once the fuzzer has deleted all others, those that the seeds send are left to be looked at. */
async function seedTemplates(world: World): Promise<Known> {
  type Row = { id: string; name: string }
  const templates: Row[] = (await world.get('/v1/chat/templates?limit=100')).body.data.templates
  const others = templates.filter(({ name }) => name !== sentTemplate && name !== plainTemplate)
  return { template_id: (others.length > 0 ? others : templates).map(({ id }) => id) }
}

/** Of each of these types the platform accepts one message in so many and answers with an error. */
const lossyTypes = ['text', 'template', 'interactive']
const lossEvery = 3
const sentTemplate = 'order_confirmation'
/** Without variables. */
const plainTemplate = 'hello_world'
const pdf = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

async function anEchoServer(): Promise<Server> {
  const server = createServer(async (request, response) => response.end(await text(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}
