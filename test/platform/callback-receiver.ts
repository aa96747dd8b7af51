import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { CallbackItem } from '../../server/src/platform/callback-item.ts'
import { answerHandshake, isSigned, parseCallback } from '../../server/src/platform/cloud/callbacks/cloud-callbacks.ts'

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
    const signed = isSigned(request.headers, body, appSecret)
    if (signed) receiver.items.push(...parseCallback(body.toString('utf8')))
    else receiver.unsigned++
    response.writeHead(signed ? 200 : 401).end()
  }

  function greet(query: URLSearchParams, response: ServerResponse): void {
    const challenge = answerHandshake(Object.fromEntries(query), receiver.verifyToken)
    response.writeHead(challenge === null ? 403 : 200).end(challenge ?? '')
  }

  return receiver
}
