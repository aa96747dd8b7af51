/** The least a gateway could do: take a request, pass it on, pass the answer back. No store, no checks. Prints its port. */
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { Pool } from 'undici'

const [platformUrl = ''] = process.argv.slice(2)
const platform = new Pool(platformUrl, { connections: 64 })
const app = Fastify({ logger: false })

app.post('/v1/chat/messages/text', async (request) => {
  const { to, message } = request.body as { to: string; message: string }
  const { body } = await platform.request({
    method: 'POST',
    path: '/v23.0/1/messages',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to, type: 'text', text: { body: message } }),
  })
  const answer = (await body.json()) as { messages: { id: string }[] }
  return { success: true, data: { message_id: answer.messages[0]?.id, status: 'sent' } }
})

await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`)
