/**
 * The same work as jobs of pg-boss on the same PostgreSQL, with the same HTTP client and the same signature: what a queue
 * that knows nothing of webhooks does with it. Environment: POSTERN_DATABASE_URL, POSTERN_WEBHOOK_CA_FILE. Prints the
 * count of finished jobs whenever it is asked by a message.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { createGuardedHttp } from '../server/src/lib/guarded-http/guarded-http.ts'

type Job = { id: string; data: { url: string; body: string } }

const queue = 'deliveries'
const batchSize = 100
const fetchers = 4
const http = createGuardedHttp({
  allow: ['127.0.0.0/8', 'localhost'],
  allowLoopback: true,
  caFile: process.env.POSTERN_WEBHOOK_CA_FILE ?? null,
})
const key = createSecretKey(randomBytes(32))
const boss = new PgBoss({ connectionString: process.env.POSTERN_DATABASE_URL ?? '', supervise: false, schedule: false })
let finished = 0

boss.on('error', () => {})
await boss.start()
await boss.createQueue(queue)
process.on('message', (message: { urls?: string[]; count?: number; run?: boolean }) => {
  if (message.urls) void fill(message.urls, message.count ?? 0).then(() => process.send?.('filled'))
  else if (message.run) for (let fetcher = 0; fetcher < fetchers; fetcher++) void work()
  else process.send?.({ finished })
})
process.send?.('ready')

async function fill(urls: readonly string[], count: number): Promise<void> {
  const body = JSON.stringify({
    id: 'evt_bench',
    type: 'message.delivered',
    timestamp: new Date(0).toISOString(),
    data: { filler: 'x'.repeat(450) },
  })
  for (let from = 0; from < count; from += 1_000) {
    await boss.insert(
      queue,
      Array.from({ length: Math.min(1_000, count - from) }, (_, index) => ({
        data: { url: urls[(from + index) % urls.length], body },
      })),
    )
  }
}

async function work(): Promise<void> {
  for (;;) {
    const jobs = (await boss.fetch(queue, { batchSize })) as Job[]
    await Promise.all(jobs.map(deliver))
    if (jobs.length > 0)
      await boss.complete(
        queue,
        jobs.map(({ id }) => id),
      )
    finished += jobs.length
    if (jobs.length === 0) return
  }
}

async function deliver({ id, data: { url, body } }: Job): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1_000)
  const bytes = Buffer.from(body)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  await http.post({ url, headers, body: bytes })
}
