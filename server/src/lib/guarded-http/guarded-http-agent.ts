import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici'
import { remoteIpOf } from './guarded-http-connector.ts'

/** The connection a request travels on, as far as its handler needs to know it. */
export type Connection = { remoteIp: string; requests: number }

/** A handler that wants to know its connection; it is set before `onRequestStart`. */
export type ConnectionHandler = Dispatcher.DispatchHandler & { connection: Connection | null }

/**
 * An undici agent for receivers that cannot be trusted. There is no limit on connections per origin: the caller caps
 * what is in flight per webhook, and a pool smaller than the sum would let one webhook queue behind another of the same
 * origin. Deadlines are the caller's too: undici's are coarse, and its body time-out starts anew with every byte.
 */
export function createLineAgent(connect: buildConnector.connector, { keepAlive }: { keepAlive: boolean }): Agent {
  return new Agent({
    connect,
    // 1 keeps connections and never sends a second request before the first was answered; 0 closes after each.
    pipelining: keepAlive ? 1 : 0,
    // The default of 4 s is too short for quiet customers and for retries.
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    // A connection in constant use would never notice that its name leads elsewhere by now.
    clientTtl: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    allowH2: false,
    factory: (origin, options) => new Pool(origin, { ...options, factory: (to, inner) => new LineClient(to, inner) }),
  })
}

/** A client is one connection at a time; it tells each handler about it. */
class LineClient extends Client {
  readonly #connection: Connection

  constructor(origin: URL, options: object) {
    const { connect } = options as { connect: buildConnector.connector }
    const connection: Connection = { remoteIp: '', requests: 0 }
    const tracked: buildConnector.connector = (target, callback) => {
      connection.requests = 0
      connect(target, (...[error, socket]) => {
        if (error) return callback(error, null)
        connection.remoteIp = remoteIpOf(socket)
        callback(null, socket)
      })
    }
    super(origin, { ...options, connect: tracked })
    this.#connection = connection
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ('connection' in handler) handler.connection = this.#connection
    return super.dispatch(options, handler)
  }
}
