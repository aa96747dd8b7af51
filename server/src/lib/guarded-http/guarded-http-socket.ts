import { readFileSync } from 'node:fs'
import net, { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import type { OpenSocket, SocketTarget } from './guarded-http-connector.ts'
import { untilReady } from './guarded-http-ready.ts'
import { openTunnel } from './guarded-http-tunnel.ts'

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
