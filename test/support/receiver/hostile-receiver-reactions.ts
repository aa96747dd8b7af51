import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReceivedRequest } from './hostile-receiver.ts'

export type Exchange = { request: ReceivedRequest; socket: Socket }

/** What to do with one request. An `early` reaction runs at the end of the request's headers, before its body is read. */
export type Reaction = { early?: boolean; run(exchange: Exchange): void | Promise<void> }

export type Answer = { status?: number; headers?: Record<string, string | string[]>; body?: string | Uint8Array }

/** A complete, correct answer. */
export function respond(answer: Answer = {}): Reaction {
  return { run: ({ socket }) => void socket.write(serialise(answer)) }
}

/** The answer comes before the request's body was read. */
export function respondEarly(answer: Answer): Reaction {
  return { ...respond(answer), early: true }
}

/** A complete answer without `connection: close`, after which the connection is closed all the same. */
export function respondThenClose(answer: Answer = {}): Reaction {
  return { run: ({ socket }) => void socket.end(serialise(answer)) }
}

/** Reads the request and says nothing. */
export function neverAnswer(): Reaction {
  return { run: () => {} }
}

export function answerAfter(delayMs: number, reaction: Reaction): Reaction {
  return {
    run: async (exchange) => {
      await delay(delayMs)
      await reaction.run(exchange)
    },
  }
}

/** One more header line every `everyMs`, for as long as the peer listens. */
export function dripHeaders(everyMs: number): Reaction {
  return { run: ({ socket }) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-drip: drop\r\n', everyMs) }
}

/** A status line and headers at once, then one byte of body every `everyMs`, for as long as the peer listens. */
export function dripBody(status: number, everyMs: number): Reaction {
  const head = `HTTP/1.1 ${status} Dripping\r\ncontent-length: 1000000000\r\n\r\n`
  return { run: ({ socket }) => drip(socket, head, '.', everyMs) }
}

/** Informational answers without end. */
export function floodInformational(everyMs: number): Reaction {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
  return { run: ({ socket }) => drip(socket, hints, hints, everyMs) }
}

/** `bytes` of body, written as fast as the peer takes them; `sent` tells how much it took. */
export function hugeBody(bytes: number, sent: { bytes: number } = { bytes: 0 }): Reaction {
  const chunk = Buffer.alloc(65_536, 'x')
  return {
    run: async ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`)
      while (sent.bytes < bytes && !socket.destroyed) {
        if (!socket.write(chunk)) await drained(socket)
        sent.bytes += chunk.length
      }
    },
  }
}

/** Any bytes at all in place of an answer; `close` ends the connection after them. */
export function sendRaw(bytes: string | Uint8Array, { close = false } = {}): Reaction {
  return { run: ({ socket }) => void (close ? socket.end(bytes) : socket.write(bytes)) }
}

/** TCP reset once the headers of the request have arrived (`early`) or once all of it has. */
export function resetConnection({ early = false } = {}): Reaction {
  return { early, run: ({ socket }) => void socket.resetAndDestroy() }
}

export function serialise({ status = 200, headers = {}, body = '' }: Answer): Buffer {
  const bytes = Buffer.from(body)
  const bodiless = status === 204 || status === 304 || status < 200
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}\r\n`))
  if (!bodiless) lines.push(`content-length: ${bytes.length}\r\n`)
  const head = Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`, 'latin1')
  return bodiless ? head : Buffer.concat([head, bytes])
}

function drip(socket: Socket, head: string, drop: string, everyMs: number): void {
  socket.write(head)
  const timer = setInterval(() => socket.write(drop), everyMs)
  socket.once('close', () => clearInterval(timer))
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.once('drain', done).once('close', done)
  })
}
