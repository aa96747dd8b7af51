import type { Socket } from 'node:net'
import net from 'node:net'
import tls from 'node:tls'
import { waitFor } from '../wait-for.ts'
import { type EchoForm, echoChallenge } from './hostile-receiver-echo.ts'
import { type Reaction, respond } from './hostile-receiver-reactions.ts'
import { type RequestSink, readRequests } from './hostile-receiver-wire.ts'

export type ReceivedRequest = {
  /** Milliseconds on the monotonic clock, for distances between requests. */
  atMs: number
  /** Number of the connection it came in on, from 1. */
  connection: number
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** The exact bytes received; empty while an early reaction runs. */
  body: Buffer
}

export type ReceiverOptions = {
  /** Serve TLS with these settings; plain http without. */
  tls?: tls.TlsOptions
  /** Accept connections and never say a word, not even a TLS handshake. */
  silent?: boolean
  /** How verification challenges are answered. `none` treats them like any other request. */
  echo?: EchoForm | 'none'
  /** Sees every request that arrived whole. */
  inspect?(request: ReceivedRequest): void
}

export type HostileReceiver = {
  /** `http(s)://127.0.0.1:port`, without a path. */
  url: string
  port: number
  requests: ReceivedRequest[]
  /** Connections accepted so far. */
  readonly connections: number
  readonly openConnections: number
  /** Reaction to every request on `path` that no `next` reaction claims. */
  on(path: string, reaction: Reaction): void
  /** Reactions for the coming requests, one each, in order, whatever their path. */
  next(...reactions: Reaction[]): void
  /** Changes how challenges are answered from now on. */
  echo(form: EchoForm | 'none'): void
  /** Closes open connections the way an idle time-out does (`end`) or a crash does (`reset`). */
  dropConnections(how: 'end' | 'reset'): void
  waitForRequests(count: number, deadlineMs?: number): Promise<void>
  close(): Promise<void>
}

/** A webhook receiver on a raw socket: polite by default, as hostile as a test asks. Answers 200 when not told else. */
export async function startHostileReceiver(options: ReceiverOptions = {}): Promise<HostileReceiver> {
  const state = { connections: 0, echo: options.echo ?? 'json' }
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const byPath = new Map<string, Reaction>()
  const queue: Reaction[] = []

  const sink: RequestSink = {
    choose: (request) => queue.shift() ?? byPath.get(request.path) ?? politely(state),
    record: (request) => void requests.push(request),
    complete: (request) => options.inspect?.(request),
  }
  const accept = (socket: Socket) => {
    state.connections += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    // Read all the same: a socket nobody reads never learns that its peer has gone.
    if (options.silent) socket.resume()
    else readRequests(socket, state.connections, sink)
  }
  const server = options.tls ? tls.createServer(options.tls, accept) : net.createServer(accept)
  // A peer that gives up during the handshake is part of the tests.
  server.on('tlsClientError', () => {})
  const port = await listen(server)
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return state.connections
    },
    get openConnections() {
      return sockets.size
    },
    on: (path, reaction) => void byPath.set(path, reaction),
    next: (...reactions) => void queue.push(...reactions),
    echo: (form) => {
      state.echo = form
    },
    dropConnections: (how) => {
      for (const socket of sockets) how === 'end' ? socket.end() : socket.resetAndDestroy()
    },
    waitForRequests: (count, deadlineMs) => waitFor(() => requests.length >= count, deadlineMs),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** 200 for everybody; challenges are echoed in the form asked for. */
function politely(state: { echo: EchoForm | 'none' }): Reaction {
  return {
    run: (exchange) => {
      const answer = state.echo === 'none' ? null : echoChallenge(exchange.request.body, state.echo)
      return respond(answer ?? {}).run(exchange)
    },
  }
}

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as net.AddressInfo).port
}
