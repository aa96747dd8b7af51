import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { CallbackItem } from './callback-item.ts'
import { parseCallback, verifySignature } from './cloud/callbacks/cloud-callbacks.ts'

/** A callback address for the conformance suite: answers the handshake, keeps only what is signed. */
export type CallbackReceiver = {
  url: string
  verifyToken: string
  items: CallbackItem[]
  unsigned: number
  close(): Promise<void>
}

export async function startCallbackReceiver(appSecret: string): Promise<CallbackReceiver> {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: CallbackReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    verifyToken: 'conformance-verify-token',
    items: [],
    unsigned: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return greet(new URL(request.url ?? '/', receiver.url).searchParams, response)
    const body = await buffer(request)
    const header = request.headers['x-hub-signature-256']
    const signed = typeof header === 'string' && verifySignature(body, header, appSecret)
    if (signed) receiver.items.push(...parseCallback(body.toString('utf8')))
    else receiver.unsigned++
    response.writeHead(signed ? 200 : 401).end()
  }

  function greet(query: URLSearchParams, response: ServerResponse): void {
    const known = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === receiver.verifyToken
    response.writeHead(known ? 200 : 403).end(known ? query.get('hub.challenge') : '')
  }

  return receiver
}
