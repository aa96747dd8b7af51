import { createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { type PostgresServer, startPostgres } from '../test/support/postgres/postgres.ts'
import { createDatabase } from '../test/support/postgres/postgres-databases.ts'
import { type GatewayProcess, startGateway } from './gateway.ts'
import { type Bench, type Contestant, compare, cpuSecondsOf, cpuSecondsOfFamily, type Running } from './harness.ts'
import { jsonHeaders, startServer } from './passthrough.ts'

const callers = 16
const perSecond = 500

/**
 * One status in each callback, from its arrival until the message has it. With BENCH_BESIDE another checkout of this
 * repository takes part in the same rounds.
 */
export const singleStatusesBench: Bench = {
  name: 'single-statuses',
  summary: 'callbacks of one status each, until they are applied, beside a service written by hand',
  async run() {
    const beside = process.env.BENCH_BESIDE
    const contestants = [
      byHand,
      gateway('gateway, SQLite', false),
      gateway('gateway, PostgreSQL', true),
      ...(beside
        ? [gateway('SQLite, beside', false, resolve(beside)), gateway('PostgreSQL, beside', true, resolve(beside))]
        : []),
    ]
    const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
    const rows = await compare({ contestants, rounds, seconds: 4, warmUpSeconds: 10 })
    return [{ title: `Statuses per second, one in each callback, ${callers} connections, applied`, rows }]
  },
}

const byHand: Contestant = {
  name: 'by hand, PostgreSQL',
  does: 'signature, update, insert of an event, each durable; no history, order, webhooks or counts',
  async start() {
    const postgres = await startPostgres({ durable: true })
    const service = await startServer('bench/by-hand-statuses.ts', (await createDatabase(postgres.url)).url)
    let serial = 0
    return reporting({
      ...service,
      path: '/callback',
      postgres,
      messages: async (count) => Array.from({ length: count }, () => `wamid.bench${++serial}`),
      applied: async () => {},
      stop: () => service.stop(),
    })
  },
}

/** On a PostgreSQL of its own, so that its CPU can be told apart. */
function gateway(name: string, onPostgres: boolean, checkout?: string): Contestant {
  return {
    name,
    does: 'signature, raw body, state, history, event, deliveries, counts, all durable',
    async start() {
      const postgres = onPostgres ? await startPostgres({ durable: true }) : undefined
      const server = await startGateway(postgres, { checkout })
      const client = new Pool(server.url, { connections: callers })
      return reporting({
        url: server.url,
        pid: server.pid,
        path: server.place.callback,
        postgres,
        messages: (count) => send(client, server, count),
        applied: (id) => untilDelivered(client, server, id),
        async stop() {
          await client.destroy()
          await server.stop()
        },
      })
    },
  }
}

type Target = {
  url: string
  pid: number
  path: string
  postgres: PostgresServer | undefined
  /** Ids of so many messages that were sent. */
  messages(count: number): Promise<string[]>
  /** Resolves when a message has its status. */
  applied(id: string): Promise<void>
  stop(): Promise<void>
}

/** The clock stops when the last statuses are applied: a stored callback is not an applied one. */
function reporting({ url, pid, path, postgres, messages, applied, stop }: Target): Running {
  const client = new Pool(url, { connections: callers })
  const cpu = () => [cpuSecondsOf(pid), postgres ? cpuSecondsOfFamily(postgres.pid) : 0] as const
  const post = async (id: string) => {
    const body = callbackOf(id)
    const signature = `sha256=${createHmac('sha256', 'bench').update(body).digest('hex')}`
    const headers = { ...jsonHeaders, 'x-hub-signature-256': signature }
    const answer = await client.request({ method: 'POST', path, headers, body })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`a callback was answered ${answer.statusCode}`)
  }
  return {
    async run(seconds) {
      const ids = await messages(perSecond * seconds)
      const last = ids.slice(-callers)
      const waiting = ids.values()
      const latencies: number[] = []
      const [ownBefore, databaseBefore] = cpu()
      const startedAt = performance.now()
      const caller = async () => {
        for (const id of waiting) {
          const at = performance.now()
          await post(id)
          latencies.push(performance.now() - at)
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
      await Promise.all(last.map(applied))
      const took = (performance.now() - startedAt) / 1_000
      const [own, database] = cpu()
      latencies.sort((a, b) => a - b)
      return {
        operations: ids.length,
        seconds: took,
        cpuSeconds: own - ownBefore,
        ...(postgres ? { databaseCpuSeconds: database - databaseBefore } : {}),
        p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
        p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
      }
    },
    async stop() {
      await client.destroy()
      await stop()
      await postgres?.stop()
    },
  }
}

async function send(client: Pool, { headers }: GatewayProcess, count: number): Promise<string[]> {
  const ids: string[] = []
  const caller = async () => {
    while (ids.length < count) {
      const to = `+1555${String(Math.floor(Math.random() * 50_000)).padStart(7, '0')}`
      const body = JSON.stringify({ to, message: 'Your order A-1001 has been shipped.' })
      const answer = await client.request({ method: 'POST', path: '/v1/chat/messages/send', headers, body })
      const { data } = (await answer.body.json()) as { data: { message_id: string } | null }
      if (data) ids.push(data.message_id)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return ids
}

async function untilDelivered(client: Pool, { headers }: GatewayProcess, id: string): Promise<void> {
  for (;;) {
    const answer = await client.request({ method: 'GET', path: `/v1/chat/messages/${id}`, headers })
    const { data } = (await answer.body.json()) as { data: { status: string } | null }
    if (data?.status === 'delivered') return
    await delay(20)
  }
}

function callbackOf(id: string): string {
  const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' }
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const statuses = [{ id, status: 'delivered', timestamp, recipient_id: '15550001111', pricing }]
  const metadata = { display_phone_number: '15550100001', phone_number_id: '1065' }
  const value = { messaging_product: 'whatsapp', metadata, statuses }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '9001', changes: [{ field: 'messages', value }] }],
  })
}
