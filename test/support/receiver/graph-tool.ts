import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { searchCallback } from '../leaks/leaks.ts'

export type HandshakeForm = 'bare' | 'quoted' | 'number' | 'wrong' | 'forbidden' | 'redirect'

export type RelayedRequest = {
  /** As received. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what tests look into
  body: any
  headers: IncomingMessage['headers']
  isSigned: boolean
}

/** What a callback gets, at once or when the tool has thought about it. */
type Decide = (request: RelayedRequest) => number | Promise<number>

export type GraphTool = {
  url: string
  requests: RelayedRequest[]
  /** Verify tokens of the handshakes so far. */
  handshakes: string[]
  /** The one entry of each callback: a message, a status, an echo. */
  items(): { field: string; item: Record<string, unknown> }[]
  answerHandshake(form: HandshakeForm): void
  /** What the next requests get, one each; then 200. */
  next(...statuses: number[]): void
  decide(status: Decide): void
  close(): Promise<void>
}

/** A tool that was written for Meta: it knows its verify token and its app secret, and nothing of the gateway. */
export async function startGraphTool(secrets: { verifyToken: string; appSecret: () => string }): Promise<GraphTool> {
  const requests: RelayedRequest[] = []
  const handshakes: string[] = []
  const planned: number[] = []
  let form: HandshakeForm = 'bare'
  let decide: Decide | null = null
  const server = createServer((request, response) => {
    void (request.method === 'GET' ? shakeHands(request, response) : receive(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function shakeHands(request: IncomingMessage, response: ServerResponse): void {
    const query = new URL(request.url ?? '', 'http://tool.test').searchParams
    const token = query.get('hub.verify_token') ?? ''
    const challenge = query.get('hub.challenge') ?? ''
    handshakes.push(token)
    const isRight = query.get('hub.mode') === 'subscribe' && token === secrets.verifyToken && form !== 'forbidden'
    if (!isRight) return void response.writeHead(403).end()
    if (form === 'redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    const replies = {
      bare: challenge,
      quoted: `"${challenge}"`,
      number: JSON.stringify(Number(challenge)),
      wrong: 'ok',
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end(replies[form as keyof typeof replies])
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const expected = `sha256=${createHmac('sha256', secrets.appSecret()).update(raw).digest('hex')}`
    const text = raw.toString('utf8')
    searchCallback(text)
    searchCallback(JSON.stringify(request.headers))
    const received = {
      text,
      body: JSON.parse(text),
      headers: request.headers,
      isSigned: request.headers['x-hub-signature-256'] === expected,
    }
    requests.push(received)
    const status = (await decide?.(received)) ?? planned.shift() ?? 200
    response.writeHead(status).end('EVENT_RECEIVED')
  }

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/webhook`,
    requests,
    handshakes,
    items: () => requests.flatMap(({ body }) => itemsOf(body)),
    answerHandshake(next) {
      form = next
    },
    next: (...statuses) => void planned.push(...statuses),
    decide(status) {
      decide = status
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Body = { entry: { changes: { field: string; value: Record<string, unknown> }[] }[] }
const lists = ['messages', 'statuses', 'message_echoes']

function itemsOf(body: Body): { field: string; item: Record<string, unknown> }[] {
  return body.entry.flatMap(({ changes }) =>
    changes.flatMap(({ field, value }) => {
      const found = lists.flatMap((list) => (value[list] ?? []) as Record<string, unknown>[])
      return (found.length > 0 ? found : [value]).map((item) => ({ field, item }))
    }),
  )
}
