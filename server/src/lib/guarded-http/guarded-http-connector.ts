import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici'
import type { DeadlineWheel } from '../async/deadline-wheel.ts'
import { type AddressGuard, isLocalhost, normaliseHost } from './address-guard.ts'
import { type DnsCache, NameError, type ResolvedAddress } from './dns-cache.ts'
import { blockedAddress, ExchangeError } from './guarded-http-failure.ts'

/** A connection to open: every address in it was checked. */
export type SocketTarget = {
  secure: boolean
  hostname: string
  port: number
  addresses: ResolvedAddress[]
  /** Answers with `addresses`, so that opening the socket resolves nothing again. */
  lookup: LookupFunction
}

type OpenedSocket = { socket: Socket; remoteIp: string }

/** Opens a usable socket; with TLS that is one whose certificate was verified. Destroys it when the signal aborts. */
export type OpenSocket = (target: SocketTarget, signal: AbortSignal) => Promise<OpenedSocket>

type ConnectorOptions = {
  guard: AddressGuard
  dns: DnsCache
  wheel: DeadlineWheel
  connectMs: number
  open: OpenSocket
}

/** The receiver's address; behind a proxy the socket itself would name the proxy. */
function remoteIpOf(socket: Socket): string {
  return remoteIps.get(socket) ?? ''
}

const remoteIps = new WeakMap<Socket, string>()

/**
 * The connector given to undici. An address is judged three times: as a literal in the URL (undici asks no lookup for
 * those), as a result of name resolution, and as the peer of the finished connection.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  return (target, callback) => {
    connectInTime(target, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

/**
 * The deadline covers name resolution, TCP and TLS together. At its end the current step may say first what kept it:
 * a proxy that does not answer is not the receiver's failure.
 */
async function connectInTime(target: buildConnector.Options, options: ConnectorOptions): Promise<Socket> {
  const abort = new AbortController()
  const tooLate = Promise.withResolvers<never>()
  const timeout = new ExchangeError('timeout', 'No connection was made in time.')
  const deadline = options.wheel.start(options.connectMs, () => {
    abort.abort()
    setImmediate(() => tooLate.reject(timeout))
  })
  try {
    return await Promise.race([connect(target, options, abort.signal), tooLate.promise])
  } catch (error) {
    throw abort.signal.aborted && !(error instanceof ExchangeError) ? timeout : error
  } finally {
    deadline.cancel()
  }
}

async function connect(
  target: buildConnector.Options,
  options: ConnectorOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await permittedAddresses(target.hostname, options)
  signal.throwIfAborted()
  const opened = await options.open(socketTarget(target, addresses), signal)
  if (!options.guard.permits(opened.remoteIp, target.hostname)) {
    opened.socket.destroy()
    throw blockedAddress()
  }
  remoteIps.set(opened.socket, opened.remoteIp)
  return opened.socket
}

/** Every address of the host, or a failure if there is none or any of them is not permitted. */
async function permittedAddresses(hostname: string, options: ConnectorOptions): Promise<ResolvedAddress[]> {
  const host = normaliseHost(hostname)
  const addresses = await addressesOf(host, options)
  // A mixed answer, one public and one private address, is how rebinding attacks look: one bad address spoils all.
  if (!addresses.every(({ address }) => options.guard.permits(address, host))) throw blockedAddress()
  return addresses
}

async function addressesOf(host: string, { guard, dns }: ConnectorOptions): Promise<ResolvedAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }]
  if (isLocalhost(host)) return localAddresses(host, guard)
  return guard.listed(host) ? developmentAddresses(host) : dns.resolve(host)
}

/** No name server is asked about this machine. An allow list of 127.0.0.0/8 alone is enough for the name. */
function localAddresses(host: string, guard: AddressGuard): ResolvedAddress[] {
  const permitted = LOCALHOST.filter(({ address }) => guard.permits(address, host))
  return permitted.length > 0 ? permitted : LOCALHOST
}

const LOCALHOST: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Names on the allow list mostly live in /etc/hosts, which c-ares does not read. Few and trusted, so threads are fine. */
async function developmentAddresses(host: string): Promise<ResolvedAddress[]> {
  const found = await systemLookup(host, { all: true }).catch(() => {
    throw new NameError('The host name does not exist or has no address.')
  })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

function socketTarget(target: buildConnector.Options, addresses: ResolvedAddress[]): SocketTarget {
  const secure = target.protocol === 'https:'
  const lookup: LookupFunction = (_name, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
  const port = Number(target.port || (secure ? 443 : 80))
  return { secure, hostname: normaliseHost(target.hostname), port, addresses, lookup }
}

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
