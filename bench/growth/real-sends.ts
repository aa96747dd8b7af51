import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import type { GatewayProcess } from '../gateway.ts'
import { jsonHeaders } from '../passthrough.ts'

const callers = 8
const statuses = ['sent', 'delivered', 'read'] as const

export type Traffic = {
  readonly client: Pool
  /** Sends so many messages; their ids at Meta. */
  send(count: number): Promise<string[]>
  /** Reports one status of each, one in each callback, and waits until the webhook has their events and is quiet. */
  report(ids: readonly string[], status: (typeof statuses)[number]): Promise<void>
  /** Messages as they are in the end: sent, delivered, read, and every event delivered. */
  messages(count: number): Promise<void>
  /** Resolves when nothing was delivered for a while. */
  quiet(): Promise<void>
  readonly webhookId: string
  stop(): Promise<void>
}

/** What an account with one webhook for everything does with a gateway that has so many `customers`. */
export async function startTraffic(
  gateway: GatewayProcess,
  { customers = 50_000, quietMs = 2_000 } = {},
): Promise<Traffic> {
  const client = new Pool(gateway.url, { connections: callers })
  const { headers, place } = gateway
  let delivered = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      delivered++
      response.end('ok')
    })
  })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  const hook = await call<{ id: string }>('POST', '/v1/webhooks', { url, events: ['*'] })
  let serial = 0

  async function call<Data>(method: 'POST' | 'GET', path: string, body?: object): Promise<Data> {
    const answer = await client.request({ method, path, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { data, error } = (await answer.body.json()) as { data: Data | null; error?: { message: string } }
    if (data === null) throw new Error(`${method} ${path}: ${answer.statusCode} ${error?.message}`)
    return data
  }

  async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
    const waiting = items.values()
    const caller = async () => {
      for (const item of waiting) await work(item)
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }

  async function quiet(): Promise<void> {
    for (let before = -1; before !== delivered; ) {
      before = delivered
      await delay(quietMs)
    }
  }

  async function send(count: number): Promise<string[]> {
    const ids: string[] = []
    await inTurns(Array.from({ length: count }), async () => {
      const to = `+1555${String(serial++ % customers).padStart(7, '0')}`
      const body = JSON.stringify({
        to,
        message: 'Your order A-1001 has been shipped.',
        client_reference: `order-${randomUUID()}`,
      })
      const own = { ...headers, 'idempotency-key': randomUUID() }
      const answer = await client.request({ method: 'POST', path: '/v1/chat/messages/send', headers: own, body })
      const { data } = (await answer.body.json()) as { data: { message_id: string } | null }
      if (!data) throw new Error(`a send was answered ${answer.statusCode}`)
      ids.push(data.message_id)
    })
    return ids
  }

  async function report(ids: readonly string[], status: (typeof statuses)[number]): Promise<void> {
    const before = delivered
    await inTurns(ids, async (id) => {
      const body = callbackOf(id, status)
      const signature = `sha256=${createHmac('sha256', 'bench').update(body).digest('hex')}`
      const own = { ...jsonHeaders, 'x-hub-signature-256': signature }
      const answer = await client.request({ method: 'POST', path: place.callback, headers: own, body })
      await answer.body.dump()
      if (answer.statusCode !== 200) throw new Error(`a callback was answered ${answer.statusCode}`)
    })
    // That a message was sent, its send said.
    const events = status === 'sent' ? 0 : ids.length
    while (delivered < before + events) await delay(10)
    await quiet()
  }

  return {
    client,
    webhookId: hook.id,
    send,
    report,
    quiet,
    async messages(count) {
      const ids = await send(count)
      for (const status of statuses) await report(ids, status)
    },
    async stop() {
      await client.destroy()
      receiver.closeAllConnections()
      receiver.close()
    },
  }
}

function callbackOf(id: string, status: string): string {
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const report = { id, status, timestamp, recipient_id: '15550001111', ...(status === 'read' ? {} : { pricing }) }
  const metadata = { display_phone_number: '15550100001', phone_number_id: '1065' }
  const value = { messaging_product: 'whatsapp', metadata, statuses: [report] }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '9001', changes: [{ field: 'messages', value }] }],
  })
}
