import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { errors, Postern, webhooks } from '@postern/sdk'

const { values } = parseArgs({
  options: { port: { type: 'string', default: '4000' }, url: { type: 'string', default: 'http://localhost:4000/' } },
})
const secret = `whsec_${randomBytes(32).toString('base64')}`
// A real receiver keeps the ids for three days, in its database.
const seen = new Set<string>()

const server = createServer((request, response) => {
  receive(request).then(
    ({ status, body }) => response.writeHead(status, { 'content-type': 'text/plain' }).end(body),
    () => response.destroy(), // no answer: Postern will deliver again
  )
})

async function receive(request: IncomingMessage): Promise<{ status: number; body: string }> {
  try {
    const event = webhooks.verify({ body: await buffer(request), headers: request.headers, secret })
    if (event.type === 'webhook.verification') return { status: 200, body: event.challenge }
    if (!seen.has(event.id)) handle(event)
    seen.add(event.id)
    return { status: 200, body: 'ok' }
  } catch (error) {
    if (!(error instanceof errors.WebhookVerificationError)) throw error
    console.log(`refused: ${error.reason}`)
    return { status: 400, body: error.reason }
  }
}

type Event = Exclude<ReturnType<typeof webhooks.verify>, { type: 'webhook.verification' }>

function handle(event: Event): void {
  const about = 'messageId' in event.data ? event.data.messageId : ''
  console.log(`${event.timestamp} ${event.type} ${about}`)
}

const postern = new Postern()
server.listen(Number(values.port))
await once(server, 'listening')
const webhook = await postern.webhooks.create({ url: values.url, events: ['*'], secret })
console.log(`registered ${webhook.id} for ${values.url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(webhook.id))

async function stop(webhookId: string): Promise<void> {
  await postern.webhooks.delete(webhookId)
  console.log(`deleted ${webhookId}`)
  server.close()
  server.closeAllConnections()
}
