/**
 * Statuses as a team would take them by hand, with express and pg (prepared statements): the signature is checked, the message
 * updated, an event inserted, each awaited; then the answer. No history, order of statuses, inference, webhooks or
 * counts. Argument: database. Prints its port.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { json } from 'express'
import pg from 'pg'

const [databaseUrl = ''] = process.argv.slice(2)
const database = new pg.Pool({ connectionString: databaseUrl, max: 16 })
await database.query(`create table messages (id text primary key, recipient text not null, body text not null,
  status text not null, platform_id text, created_at timestamptz not null default now(), status_at timestamptz)`)
await database.query(`create table events (seq bigint generated always as identity primary key, message_id text not null,
  type text not null, body jsonb not null, created_at timestamptz not null default now())`)
await database.query('create unique index messages_platform_id on messages (platform_id)')
await database.query(`insert into messages (id, recipient, body, status, platform_id)
  select gen_random_uuid(), '+15550001111', 'Your order A-1001 has been shipped.', 'sent', 'wamid.bench' || i
  from generate_series(1, 200000) as g(i)`)
await database.query('analyze')

type Status = { id: string; status: string; timestamp: string }
type Callback = { entry: { changes: { value: { statuses: Status[] } }[] }[] }

async function apply({ id, status, timestamp }: Status): Promise<void> {
  await database.query({
    name: 'update',
    text: 'update messages set status = $2, status_at = to_timestamp($3) where platform_id = $1',
    values: [id, status, timestamp],
  })
  await database.query({
    name: 'event',
    text: 'insert into events (message_id, type, body) values ($1, $2, $3)',
    values: [id, `message.${status}`, JSON.stringify({ id, status, timestamp })],
  })
}

const app = express()
app.use(json({ verify: checkSignature }))
app.post('/callback', async (request, answer) => {
  const { entry } = request.body as Callback
  for (const { changes } of entry) for (const { value } of changes) for (const one of value.statuses) await apply(one)
  answer.json({})
})
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))

type Incoming = { headers: Record<string, string | string[] | undefined> }

function checkSignature({ headers }: Incoming, _answer: unknown, body: Buffer): void {
  const expected = Buffer.from(`sha256=${createHmac('sha256', 'bench').update(body).digest('hex')}`)
  const given = Buffer.from(String(headers['x-hub-signature-256']))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new Error('The signature is wrong.')
}
