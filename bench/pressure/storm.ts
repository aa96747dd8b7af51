import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type PostgresServer, startPostgres } from '../../test/support/postgres/postgres.ts'
import { type GatewayProcess, startGateway } from '../gateway.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, runLoad } from '../harness.ts'

const callers = 8
const batch = 100
const stormsPerSecond = [10, 30]

/** Whether the API stays quick while the platform reports: one send to four reads, beside a stream of status callbacks. */
export const stormBench: Bench = {
  name: 'storm',
  summary: 'latency of the API while status callbacks pour in',
  async run() {
    const postgres = await startPostgres({ durable: true })
    try {
      const contestants = [undefined, postgres].flatMap((database) =>
        [0, ...stormsPerSecond].map((rate) => apiUnder(rate, database)),
      )
      const rows = await compare({ contestants, rounds: 3, seconds: 4, warmUpSeconds: 2 })
      return [{ title: `API requests, ${callers} callers, callbacks of ${batch} statuses`, rows }]
    } finally {
      await postgres.stop()
    }
  },
}

function apiUnder(callbacksPerSecond: number, postgres?: PostgresServer): Contestant {
  const engine = postgres ? 'PostgreSQL' : 'SQLite'
  return {
    name: callbacksPerSecond === 0 ? `${engine}, quiet` : `${engine}, ${callbacksPerSecond * batch} statuses a second`,
    async start() {
      const gateway = await startGateway(postgres)
      const client = new Pool(gateway.url, { connections: callers + 4 })
      const sent: string[] = []
      let turn = 0
      const operation = async () => {
        const isSend = turn++ % 5 === 0 || sent.length === 0
        if (isSend) sent.push(await send(client, gateway, turn))
        else await read(client, gateway, sent[turn % sent.length] ?? '')
      }
      return {
        async run(seconds) {
          const storm = startStorm(client, gateway, sent, callbacksPerSecond)
          const cpuSeconds = () => cpuSecondsOf(gateway.pid)
          const sample = await runLoad({ concurrency: callers, seconds, operation, cpuSeconds })
          await storm.stop()
          return sample
        },
        async stop() {
          await client.destroy()
          await gateway.stop()
        },
      }
    },
  }
}

async function send(client: Pool, { headers }: GatewayProcess, turn: number): Promise<string> {
  const to = `+1555${String(turn % 10_000_000).padStart(7, '0')}`
  const body = JSON.stringify({ to, message: 'Your order A-1001 has been shipped.' })
  const answer = await client.request({ method: 'POST', path: '/v1/chat/messages/send', headers, body })
  const content = (await answer.body.json()) as { data?: { message_id?: string } }
  if (answer.statusCode !== 200 || !content.data?.message_id)
    throw new Error(`a send was answered ${answer.statusCode}`)
  return content.data.message_id
}

async function read(client: Pool, { headers }: GatewayProcess, id: string): Promise<void> {
  const path = `/v1/chat/messages/${encodeURIComponent(id)}`
  const answer = await client.request({ method: 'GET', path, headers })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`a read was answered ${answer.statusCode}`)
}

/** A steady stream, whatever the gateway takes; every message is reported delivered, then read, then again. */
function startStorm(client: Pool, gateway: GatewayProcess, sent: readonly string[], perSecond: number) {
  let isOver = false
  let serial = 0
  const pour = async () => {
    const startedAt = performance.now()
    for (let nth = 1; !isOver && perSecond > 0; nth++) {
      const ids = Array.from(
        { length: batch },
        () => sent[serial++ % Math.max(1, sent.length)] ?? `wamid.none${serial}`,
      )
      await report(client, gateway, ids, nth % 2 === 1 ? 'delivered' : 'read')
      await delay(Math.max(0, startedAt + (nth * 1000) / perSecond - performance.now()))
    }
  }
  const poured = pour()
  return {
    async stop() {
      isOver = true
      await poured
    },
  }
}

async function report(client: Pool, gateway: GatewayProcess, ids: readonly string[], status: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const statuses = ids.map((id) => ({ id, status, timestamp, recipient_id: '15550001111' }))
  const metadata = { display_phone_number: '15550100001', phone_number_id: gateway.place.phoneNumberId }
  const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, statuses } }]
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: gateway.place.wabaId, changes }] })
  const signature = `sha256=${createHmac('sha256', gateway.place.appSecret).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  const answer = await client.request({ method: 'POST', path: gateway.place.callback, headers, body })
  await answer.body.dump()
  if (answer.statusCode !== 200) throw new Error(`a callback was answered ${answer.statusCode}`)
}
