/**
 * The same work as jobs of pg-boss on the same PostgreSQL, as a team would write it: the same HTTP client and signature, at
 * most 16 requests at once to an endpoint, and for each batch one statement that keeps the attempts and counts them for
 * their endpoints. It keeps no order, has no share for anybody, and a crash repeats all of its batches. Argument: jobs in a
 * batch; four are under way. Environment: POSTERN_DATABASE_URL, POSTERN_WEBHOOK_CA_FILE. Tells the count of finished jobs
 * whenever it is asked by a message.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { createGuardedHttp } from '../server/src/lib/guarded-http/guarded-http.ts'

type Job = { id: string; data: { url: string; body: string } }

const queue = 'deliveries'
const batchSize = Number(process.argv[2])
const fetchers = 4
const perEndpointMax = 16
const http = createGuardedHttp({
  allow: ['127.0.0.0/8', 'localhost'],
  allowLoopback: true,
  caFile: process.env.POSTERN_WEBHOOK_CA_FILE ?? null,
})
const key = createSecretKey(randomBytes(32))
const boss = new PgBoss({ connectionString: process.env.POSTERN_DATABASE_URL ?? '', supervise: false, schedule: false })
const pool = new pg.Pool({ connectionString: process.env.POSTERN_DATABASE_URL ?? '', max: fetchers })
const underWay = new Map<string, { count: number; waiting: (() => void)[] }>()
let finished = 0

boss.on('error', () => {})
await boss.start()
await boss.createQueue(queue)
await pool.query(`create table peer_attempts (id bigserial primary key, job_id uuid not null, url text not null,
  started_at bigint not null, duration_ms int not null, status_code int, error text, remote_ip text,
  response_headers text, response_body text)`)
await pool.query(`create index on peer_attempts (job_id)`)
await pool.query(`create table peer_endpoints (url text primary key, sent bigint not null, failed bigint not null,
  last_at bigint not null)`)
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

type Attempt = Awaited<ReturnType<typeof deliver>>

async function work(): Promise<void> {
  for (;;) {
    const jobs = (await boss.fetch(queue, { batchSize })) as Job[]
    if (jobs.length === 0) return
    await keep(await Promise.all(jobs.map(deliverInTurn)))
    await boss.complete(
      queue,
      jobs.map(({ id }) => id),
    )
    finished += jobs.length
  }
}

async function deliverInTurn(job: Job): Promise<Attempt> {
  const { url } = job.data
  const endpoint = underWay.get(url) ?? { count: 0, waiting: [] }
  underWay.set(url, endpoint)
  if (endpoint.count >= perEndpointMax) await new Promise<void>((resolve) => endpoint.waiting.push(resolve))
  else endpoint.count++
  try {
    return await deliver(job)
  } finally {
    const next = endpoint.waiting.shift()
    if (next) next()
    else endpoint.count--
  }
}

async function deliver({ id, data: { url, body } }: Job) {
  const startedAt = Date.now()
  const timestamp = Math.floor(startedAt / 1_000)
  const bytes = Buffer.from(body)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  const outcome = await http.post({ url, headers, body: bytes })
  return { id, url, startedAt, outcome }
}

const keepSql = `
  with done as (select * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::int[], $5::int[], $6::text[], $7::text[],
      $8::text[], $9::text[]) as done(job_id, url, started_at, duration_ms, status_code, error, remote_ip,
      response_headers, response_body)),
  kept as (insert into peer_attempts (job_id, url, started_at, duration_ms, status_code, error, remote_ip,
    response_headers, response_body) select * from done)
  insert into peer_endpoints select url, count(*), count(*) filter (where status_code not between 200 and 299),
    max(started_at) from done group by url order by url
  on conflict (url) do update set sent = peer_endpoints.sent + excluded.sent,
    failed = peer_endpoints.failed + excluded.failed, last_at = greatest(peer_endpoints.last_at, excluded.last_at)`

async function keep(attempts: readonly Attempt[]): Promise<void> {
  const answers = attempts.map(({ outcome }) => (outcome.kind === 'response' ? outcome : null))
  await pool.query(keepSql, [
    attempts.map(({ id }) => id),
    attempts.map(({ url }) => url),
    attempts.map(({ startedAt }) => startedAt),
    attempts.map(({ outcome }) => Math.round(outcome.durationMs)),
    answers.map((answer) => answer?.statusCode ?? null),
    attempts.map(({ outcome }) => (outcome.kind === 'response' ? null : outcome.kind)),
    answers.map((answer) => answer?.remoteIp ?? null),
    answers.map((answer) => answer && JSON.stringify(answer.headers)),
    answers.map((answer) => answer?.bodyExcerpt.toString('utf8') ?? null),
  ])
}
