import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { DeadlineWheel } from '../async/deadline-wheel.ts'
import { type AddressGuard, isLocalhost, normaliseHost } from './address-guard.ts'
import type { DnsCache, ResolvedAddress } from './dns-cache.ts'
import { NameError } from './dns-cache.ts'
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

export type OpenedSocket = { socket: Socket; remoteIp: string }

/** Opens a usable socket; with TLS that is one whose certificate was verified. Destroys it when the signal aborts. */
export type OpenSocket = (target: SocketTarget, signal: AbortSignal) => Promise<OpenedSocket>

export type ConnectorOptions = {
  guard: AddressGuard
  dns: DnsCache
  wheel: DeadlineWheel
  connectMs: number
  open: OpenSocket
}

/** The receiver's address; behind a proxy the socket itself would name the proxy. */
export function remoteIpOf(socket: Socket): string {
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
