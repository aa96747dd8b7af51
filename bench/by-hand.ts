/**
 * What a team would write by hand in an afternoon, with express, pg (prepared statements) and undici: takes a request, stores
 * it, calls the platform, stores the result and an event, answers. No token, quota, window, rate limit, idempotency key,
 * counters or webhooks. Arguments: platform and database. Prints its port.
 */
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import express, { json } from 'express'
import pg from 'pg'
import { Pool } from 'undici'

const [platformUrl = '', databaseUrl = ''] = process.argv.slice(2)
const platform = new Pool(platformUrl, { connections: 64 })
const database = new pg.Pool({ connectionString: databaseUrl, max: 16 })
await database.query(`create table messages (id text primary key, recipient text not null, body text not null,
  status text not null, platform_id text, created_at timestamptz not null default now(), sent_at timestamptz)`)
await database.query(`create table events (seq bigint generated always as identity primary key, message_id text not null,
  type text not null, body jsonb not null, created_at timestamptz not null default now())`)
await database.query('create index messages_recipient on messages (recipient, created_at)')

type Send = { to: string; message: string }

async function send({ to, message }: Send): Promise<{ message_id: string; status: string }> {
  const id = randomUUID()
  await database.query({
    name: 'insert',
    text: `insert into messages (id, recipient, body, status) values ($1, $2, $3, 'queued')`,
    values: [id, to, message],
  })
  const { body } = await platform.request({
    method: 'POST',
    path: '/v23.0/1/messages',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: message } }),
  })
  const platformId = ((await body.json()) as { messages: { id: string }[] }).messages[0]?.id ?? ''
  await database.query({
    name: 'update',
    text: `update messages set status = 'sent', platform_id = $2, sent_at = now() where id = $1`,
    values: [id, platformId],
  })
  await database.query({
    name: 'event',
    text: `insert into events (message_id, type, body) values ($1, 'message.sent', $2)`,
    values: [id, JSON.stringify({ id, to, platform_id: platformId, status: 'sent' })],
  })
  return { message_id: platformId, status: 'sent' }
}

const app = express()
app.use(json())
app.post('/send', async (request, answer) => {
  answer.json({ success: true, data: await send(request.body as Send) })
})
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
