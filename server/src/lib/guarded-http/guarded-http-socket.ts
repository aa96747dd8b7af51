import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import type { OpenSocket, SocketTarget } from './guarded-http-connector.ts'
import { blockedAddress, ExchangeError } from './guarded-http-failure.ts'

export type SocketOptions = {
  /** For name resolution, TCP and TLS together. */
  connectMs?: number
  /** PEM file with authorities to trust beside the usual ones. */
  caFile?: string | null
  /** http(s) URL of a proxy that understands CONNECT. */
  egressProxy?: string | null
}

export const connectMsDefault = 5_000

/** A full handshake costs 2 ms of CPU, a resumed one a fraction: sessions of this many receivers are remembered. */
const SESSIONS_MAX = 5_000

/** Opens real sockets: TCP with verified TLS 1.2 or newer on top, through the egress proxy if there is one. */
export function createSocketOpener({ caFile, egressProxy, connectMs }: SocketOptions): OpenSocket {
  const startTls = createTlsStarter(caFile ?? null)
  const proxy = egressProxy ? new URL(egressProxy) : null
  return async (target, signal) => {
    const { transport, remoteIp } = proxy
      ? await openTunnel(proxy, target, signal)
      : await openDirect(target, connectMs, signal)
    if (!target.secure) return { socket: transport, remoteIp }
    return { socket: await startTls(target, transport, signal), remoteIp }
  }
}

async function openDirect(target: SocketTarget, connectMs: number | undefined, signal: AbortSignal) {
  const transport = net.connect(directOptions(target, connectMs))
  transport.setNoDelay(true).setKeepAlive(true, 60_000)
  await untilReady(transport, 'connect', signal)
  return { transport, remoteIp: transport.remoteAddress ?? '' }
}

/** Addresses are tried one after the other. Node gives each 250 ms, too little for a receiver far away. */
export function directOptions({ hostname, port, lookup, addresses }: SocketTarget, connectMs = connectMsDefault) {
  const attemptMs = Math.max(250, Math.floor(connectMs / Math.max(1, addresses.length)))
  return { host: hostname, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: attemptMs }
}

type StartTls = (target: SocketTarget, transport: Socket, signal: AbortSignal) => Promise<tls.TLSSocket>

function createTlsStarter(caFile: string | null): StartTls {
  // One context for all connections: parsing 150 authorities for each would cost more than the handshake.
  const ca = caFile ? { ca: [...tls.getCACertificates('default'), readFileSync(caFile, 'utf8')] } : {}
  const secureContext = tls.createSecureContext({ minVersion: 'TLSv1.2', ...ca })
  const sessions = new Map<string, Buffer>()
  return async (target, transport, signal) => {
    const receiver = `${target.hostname}:${target.port}`
    const session = sessions.get(receiver)
    const socket = tls.connect({
      socket: transport,
      host: target.hostname,
      servername: isIP(target.hostname) ? '' : target.hostname,
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(session ? { session } : {}),
    })
    socket.on('session', (fresh) => remember(sessions, receiver, fresh))
    await untilReady(socket, 'secureConnect', signal)
    return socket
  }
}

function remember(sessions: Map<string, Buffer>, receiver: string, session: Buffer): void {
  sessions.delete(receiver)
  sessions.set(receiver, session)
  if (sessions.size > SESSIONS_MAX) sessions.delete(sessions.keys().next().value ?? '')
}

const HEAD_BYTES_MAX = 16_384

/**
 * Opens a connection through a proxy with CONNECT. The proxy is asked for a checked address, not for the name, so the
 * decision stays the one made here. What the proxy itself does wrong is our fault; what it says about the receiver is
 * the receiver's.
 */
async function openTunnel(
  proxy: URL,
  target: SocketTarget,
  signal: AbortSignal,
): Promise<{ transport: Socket; remoteIp: string }> {
  const remoteIp = target.addresses[0]?.address ?? ''
  const transport = await reachProxy(proxy, signal)
  transport.write(connectRequest(proxy, remoteIp, target.port))
  const status = await readStatus(transport, signal)
  if (status >= 200 && status <= 299) return { transport, remoteIp }
  transport.destroy()
  throw refusal(status)
}

async function reachProxy(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const secure = proxy.protocol === 'https:'
  const endpoint = { host: proxy.hostname, port: Number(proxy.port || (secure ? 443 : 80)) }
  const socket = secure ? tls.connect({ ...endpoint, servername: proxy.hostname }) : net.connect(endpoint)
  try {
    await untilReady(socket, secure ? 'secureConnect' : 'connect', signal)
  } catch {
    throw proxyFault('The egress proxy could not be reached.')
  }
  return socket.setNoDelay(true)
}

function connectRequest(proxy: URL, address: string, port: number): string {
  const authority = `${net.isIPv6(address) ? `[${address}]` : address}:${port}`
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization = proxy.username
    ? `proxy-authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`
    : ''
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`
}

/** Reads the proxy's answer up to its empty line; what follows belongs to the receiver and is put back. */
function readStatus(transport: Socket, signal: AbortSignal): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let head = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0 && head.length < HEAD_BYTES_MAX) return
    transport.off('data', onData).pause()
    if (end >= 0 && end + 4 < head.length) transport.unshift(head.subarray(end + 4))
    const status = end < 0 ? undefined : /^HTTP\/1\.[01] (\d{3})/.exec(head.toString('latin1'))?.[1]
    if (status) resolve(Number(status))
    else reject(proxyFault('The egress proxy did not return a valid response.'))
  }
  const onGone = () => {
    transport.destroy()
    reject(proxyFault('The egress proxy closed the connection.'))
  }
  transport.on('data', onData).once('close', onGone).once('end', onGone)
  signal.addEventListener('abort', onGone, { once: true })
  return promise.finally(() => {
    transport.off('close', onGone).off('end', onGone)
    signal.removeEventListener('abort', onGone)
  })
}

function refusal(status: number): ExchangeError {
  if (status === 403) return blockedAddress()
  if (status === 502 || status === 503) {
    return new ExchangeError('connection_refused', 'The egress proxy could not reach the receiver.')
  }
  if (status === 504) return new ExchangeError('timeout', 'The egress proxy did not reach the receiver in time.')
  return proxyFault(`The egress proxy refused the connection (status ${status}).`)
}

function proxyFault(message: string): ExchangeError {
  return new ExchangeError('our_fault', message)
}

/** Waits for `event`, an error or the signal; whatever the end, no later error of the socket goes unheard. */
async function untilReady(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
}
