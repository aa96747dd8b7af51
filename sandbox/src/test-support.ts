import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SandboxNumber } from './accounts/sandbox-numbers.ts'
import { WEBHOOK_FIELDS } from './callbacks/webhook-fields.ts'
import { type Json, list, record } from './http/json.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts'

export type Received = { raw: Buffer; headers: IncomingHttpHeaders; body: Json }

/** A business that listens: it records every callback and can be told to misbehave. */
export type Receiver = {
  url: string
  received: Received[]
  /** Status to answer with, per request counted from 1; 200 by default. 0 = never answer. */
  answer: (nth: number) => number
  challengeAnswer: (challenge: string) => { status: number; body: string }
  handshakes: URLSearchParams[]
  statuses(): Json[]
  messages(): Json[]
  values(field: string): Json[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: () => 200,
    challengeAnswer: (challenge) => ({ status: 200, body: challenge }),
    handshakes: [],
    statuses: () => receiver.values('messages').flatMap((value) => list(value.statuses).map(record)),
    messages: () => receiver.values('messages').flatMap((value) => list(value.messages).map(record)),
    values: (field) =>
      receiver.received.flatMap(({ body }) =>
        list(body.entry)
          .flatMap((entry) => list(record(entry).changes).map(record))
          .filter((change) => change.field === field)
          .map((change) => record(change.value)),
      ),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  let requests = 0
  const server = createServer((req, res) => {
    const query = new URL(req.url ?? '/', 'http://receiver.test').searchParams
    if (req.method === 'GET') {
      receiver.handshakes.push(query)
      const { status, body } = receiver.challengeAnswer(query.get('hub.challenge') ?? '')
      res.writeHead(status).end(body)
      return
    }
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const raw = Buffer.concat(chunks)
      const status = receiver.answer(++requests)
      receiver.received.push({ raw, headers: req.headers, body: record(JSON.parse(raw.toString('utf8'))) })
      if (status !== 0) res.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`
  return receiver
}

export type Answer = { status: number; body: Json; headers: Headers; text: string }

/** A sandbox with one number, a subscribed receiver, and a client that holds the number's token. */
export type Bench = {
  sandbox: Sandbox
  number: SandboxNumber
  receiver: Receiver
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  control(method: string, path: string, body?: unknown): Promise<Answer>
  send(body: Json): Promise<Answer>
  text(to: string, extra?: Json): Promise<Answer>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startBench(options: SandboxOptions = {}): Promise<Bench> {
  const scenario = { delays: { sent_ms: 0, delivered_ms: 5, read_ms: 10 }, ...options.scenario }
  const sandbox = await startSandbox({ approved: true, development: true, ...options, scenario })
  const receiver = await startReceiver()
  const [number] = sandbox.numbers
  if (number === undefined) throw new Error('the sandbox starts with a number')
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const auth = { authorization: `Bearer ${number.access_token}`, 'content-type': 'application/json' }
    return exchange(`${sandbox.url}/v26.0/${path}`, method, body, { ...auth, ...headers })
  }
  const send = (body: Json) =>
    call('POST', `${number.phone_number_id}/messages`, { messaging_product: 'whatsapp', ...body })
  const bench: Bench = {
    sandbox,
    number,
    receiver,
    call,
    send,
    control: (method, path, body) => exchange(`${sandbox.url}/_sandbox${path}`, method, body, {}),
    text: (to, extra = {}) => send({ to, type: 'text', text: { body: 'Hello' }, ...extra }),
    [Symbol.asyncDispose]: async () => {
      await sandbox.close()
      await receiver.close()
    },
  }
  await subscribe(bench, number, receiver.url)
  return bench
}

/** As the platform demands: the app's own address and fields, the account, then the override. */
export async function subscribe(
  { call, number: { waba_id: waba } }: Pick<Bench, 'call' | 'number'>,
  app: { app_id: string; app_secret: string; access_token: string },
  url: string,
): Promise<void> {
  const asApp = { authorization: `Bearer ${app.app_id}|${app.app_secret}` }
  const address = { object: 'whatsapp_business_account', callback_url: url, verify_token: 'v', fields: WEBHOOK_FIELDS }
  await call('POST', `${app.app_id}/subscriptions`, address, asApp)
  const asUser = { authorization: `Bearer ${app.access_token}` }
  await call('POST', `${waba}/subscribed_apps`, undefined, asUser)
  await call('POST', `${waba}/subscribed_apps`, { override_callback_uri: url, verify_token: 'v' }, asUser)
}

async function exchange(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
  const content = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(url, { method, headers, ...content })
  const text = await response.text()
  const isJson = text.startsWith('{')
  return { status: response.status, body: isJson ? record(JSON.parse(text)) : {}, headers: response.headers, text }
}

/** The id of the message an answer speaks of. */
export function idIn(answer: Answer): string {
  return String(record(list(answer.body.messages)[0]).id)
}

export function errorIn(answer: Answer): Json {
  return record(answer.body.error)
}

export function signatureOf(secret: string, raw: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
}

/** Waits for a condition, looking every few milliseconds, and says what it waited for when it gives up. */
export async function until(what: string, holds: () => boolean, deadlineMs = 8000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
