import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { SocketTarget } from './guarded-http-connector.ts'
import { blockedAddress, ExchangeError } from './guarded-http-failure.ts'
import { untilReady } from './guarded-http-ready.ts'

const HEAD_BYTES_MAX = 16_384

/**
 * Opens a connection through a proxy with CONNECT. The proxy is asked for a checked address, not for the name, so the
 * decision stays the one made here. What the proxy itself does wrong is our fault; what it says about the receiver is
 * the receiver's.
 */
export async function openTunnel(
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
