import type { Socket } from 'node:net'
import type { ReceivedRequest } from './hostile-receiver.ts'
import type { Reaction } from './hostile-receiver-reactions.ts'

export type RequestSink = {
  choose(request: ReceivedRequest): Reaction
  /** Before the reaction runs. */
  record(request: ReceivedRequest): void
  /** When the last byte of its body has come, whenever the reaction ran. */
  complete(request: ReceivedRequest): void
}

/** Reads HTTP/1.1 requests with a content-length off a socket, one after the other, and runs a reaction for each. */
export function readRequests(socket: Socket, connection: number, sink: RequestSink): void {
  let pending = Buffer.alloc(0)
  let current: { request: ReceivedRequest; reaction: Reaction; bodyBytes: number } | null = null

  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (step());
  })

  /** True when something was consumed and there may be more. */
  function step(): boolean {
    if (!current) {
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return false
      const request = parseHead(pending.subarray(0, end).toString('latin1'), connection)
      pending = pending.subarray(end + 4)
      current = { request, reaction: sink.choose(request), bodyBytes: Number(request.headers['content-length'] ?? 0) }
      if (current.reaction.early) react(current.reaction, request)
    }
    if (pending.length < current.bodyBytes) return false
    const { request, reaction, bodyBytes } = current
    request.body = Buffer.from(pending.subarray(0, bodyBytes))
    pending = pending.subarray(bodyBytes)
    current = null
    sink.complete(request)
    if (!reaction.early) react(reaction, request)
    return true
  }

  function react(reaction: Reaction, request: ReceivedRequest): void {
    sink.record(request)
    void Promise.resolve(reaction.run({ request, socket })).catch((error: unknown) => socket.destroy(error as Error))
  }
}

function parseHead(head: string, connection: number): ReceivedRequest {
  const [requestLine = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = requestLine.split(' ')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim()
  }
  return { atMs: performance.now(), connection, method, path, headers, body: Buffer.alloc(0) }
}
