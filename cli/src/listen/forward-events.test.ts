import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Postern } from '@postern/sdk'
import { afterEach, expect, test } from 'vitest'
import { startHostileReceiver } from '../../../test/support/receiver/hostile-receiver.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { type Delivery, forwardEvents, readMessages } from './forward-events.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Answer = (response: ServerResponse) => void

/** A gateway that hands out what a test says, one answer per connection, and notes what it is asked. */
async function aGateway(...answers: Answer[]) {
  const asked: string[] = []
  const reports: unknown[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://gateway.test')
    if (url.pathname === '/v1/listen') {
      asked.push(url.searchParams.get('cursor') ?? url.searchParams.get('since') ?? 'now')
      response.setHeader('content-type', 'text/event-stream')
      const answer = answers.shift() ?? ((quiet) => void quiet.write(': quiet\n\n'))
      return answer(response)
    }
    if (url.pathname === '/v1/listen/attempts') {
      asked.push('report')
      void json(request).then((report) => reports.push(report))
    }
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ success: true, data: { access_token: 'token', expires_in: 3_600 } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, reports }
}

async function forwarding(baseUrl: string) {
  const receiver = await startHostileReceiver()
  closers.push(receiver.close)
  const stopping = new AbortController()
  const notes: string[] = []
  const ended = forwardEvents({
    client: new Postern({ baseUrl, apiKey: 'ptk_1', apiSecret: 'pts_1' }),
    url: new URL(receiver.url),
    events: null,
    signal: stopping.signal,
    onListening: () => {},
    onForwarded: () => {},
    onNote: (text) => notes.push(text),
  })
  closers.push(() => {
    stopping.abort()
    return ended.catch(() => {})
  })
  return { receiver, notes, ended }
}

const begin =
  'id: c0\nevent: listening\ndata: {"webhook_id":"whk_1","secret":"whsec_1","at":"2026-11-15T10:00:00.000Z"}\n\n'

function delivery(name: string, ageMs = 0, recorded?: string): string {
  const timestamp = String(Math.floor((Date.now() - ageMs) / 1_000))
  const headers = { 'webhook-id': name, 'webhook-timestamp': timestamp }
  const body = JSON.stringify({ timestamp: recorded })
  const data: Delivery = { delivery_id: 'dlv', event_id: name, type: 'message.sent', receipt: 'r', headers, body }
  return `id: c-${name}\nevent: delivery\ndata: ${JSON.stringify(data)}\n\n`
}

test('goes on behind the last event that was posted, and asks anew for one whose signature grew old', async () => {
  const gateway = await aGateway(
    (response) => response.write(begin + delivery('a') + delivery('b', 200_000)),
    (response) => response.write(begin + delivery('b')),
  )
  const { receiver } = await forwarding(gateway.url)
  await waitFor(() => receiver.requests.length === 2)
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['a', 'b'])
  await waitFor(() => gateway.asked.length === 4)
  expect(gateway.asked).toEqual(['now', 'report', 'c-a', 'report'])
})

test('posts the last event once more when it is sent again by hand, and tells the headers of the answers', async () => {
  const gateway = await aGateway((response) => response.write(begin + delivery('a') + delivery('a')))
  const { receiver } = await forwarding(gateway.url)
  await waitFor(() => receiver.requests.length === 2)
  await waitFor(() => gateway.reports.length === 2)
  expect(gateway.reports[0]).toMatchObject({ status_code: 200, response_headers: { 'content-length': '0' } })
})

test('posts an old event that comes first: on a machine with a wrong clock every one is old', async () => {
  const gateway = await aGateway((response) => response.write(begin + delivery('a', 3_600_000)))
  const { receiver } = await forwarding(gateway.url)
  await waitFor(() => receiver.requests.length === 1)
  expect(receiver.requests).toHaveLength(1)
})

function refuse(response: ServerResponse): void {
  const error = {
    code: 'invalid_cursor',
    type: 'invalid_request',
    status: 400,
    message: 'Restored.',
    retryable: false,
  }
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: false, error }))
}

test('ends with the refusal of the gateway at the start, and does not ask again', async () => {
  const gateway = await aGateway(refuse)
  const { ended } = await forwarding(gateway.url)
  const askedAgain = waitFor(() => gateway.asked.length > 1).catch(() => {})
  await expect(Promise.race([ended, askedAgain])).rejects.toMatchObject({ code: 'invalid_cursor' })
  expect(gateway.asked).toEqual(['now'])
})

test('goes on with the events since the last one when the gateway refuses its cursor, and says so', async () => {
  const gateway = await aGateway(
    (response) => response.end(begin),
    refuse,
    (response) => response.end(begin + delivery('a', 0, '2026-11-15T10:00:05.000Z')),
    refuse,
    (response) => response.write(begin + delivery('a') + delivery('b')),
  )
  const { receiver, notes } = await forwarding(gateway.url)
  await waitFor(() => receiver.requests.length === 2)
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(['a', 'b'])
  expect(gateway.asked.filter((asked) => asked !== 'report')).toEqual([
    'now',
    'c0',
    '2026-11-15T10:00:00.000Z',
    'c-a',
    '2026-11-15T10:00:05.000Z',
  ])
  expect(notes).toEqual([
    'Restored. Continuing with the events since 2026-11-15T10:00:00.000Z.',
    'Restored. Continuing with the events since 2026-11-15T10:00:05.000Z.',
  ])
})

test('messages are read whole however they are cut, comments are passed over, and silence is an end', async () => {
  const bytes = new TextEncoder().encode(`: hello\n\n${delivery('é😀')}`)
  const parts = Array.from({ length: Math.ceil(bytes.length / 3) }, (_, index) => bytes.slice(index * 3, index * 3 + 3))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
    },
  })
  const read = readMessages(new Response(body), 100)
  expect((await read.next()).value).toMatchObject({ id: 'c-é😀', event: 'delivery' })
  await expect(read.next()).rejects.toThrow('silent')
})
