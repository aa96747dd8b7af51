import type { IncomingHttpHeaders } from 'node:http'
import { createDeadlineWheel } from '../async/deadline-wheel.ts'
import type { Clock } from '../clock.ts'
import { checkTargetUrl, createAddressGuard, type TargetPolicy } from './address-guard.ts'
import { createDnsCache, type NameResolver } from './dns-cache.ts'
import { createGuardedConnector, createLineAgent, type OpenSocket } from './guarded-http-connector.ts'
import { type ExchangeTarget, type Outlet, runExchange, targetOf } from './guarded-http-exchange.ts'
import { BLOCKED, type Failure } from './guarded-http-failure.ts'
import { type OpenOutcome, type OpenRequest, open } from './guarded-http-open.ts'
import { connectMsDefault, createSocketOpener, type SocketOptions } from './guarded-http-socket.ts'
import { excerptReader, fetchStream, type StreamOutcome, type StreamRequest } from './guarded-http-stream.ts'

export type GuardedHttpOptions = TargetPolicy &
  SocketOptions & {
    resolver?: NameResolver
    connector?: OpenSocket
    clock?: Clock
  }

export type HttpTimeouts = {
  /** From the sent request to the end of the response headers. */
  headersMs: number
  /** For everything. */
  totalMs: number
  /** For the body after the headers. */
  bodyMs: number
}

export type PostRequest = {
  url: string
  headers: Record<string, string>
  body: Uint8Array
  timeouts?: Partial<HttpTimeouts>
  responseBytesKept?: number
  /** This request may go to this machine, if the policy permits that at all. */
  allowLoopback?: boolean
}

export type HttpResponse = {
  kind: 'response'
  statusCode: number
  headers: IncomingHttpHeaders
  /** The first bytes of the body as received, never inflated. */
  bodyExcerpt: Buffer
  remoteIp: string
  /** It went over a connection that an earlier request had opened. */
  reused: boolean
  durationMs: number
}

export type HttpFailure = { kind: 'failure'; durationMs: number } & Failure

export type HttpOutcome = HttpResponse | HttpFailure

export type GuardedHttp = {
  /** Follows no redirect: a 3xx is a response like any other. */
  post(request: PostRequest): Promise<HttpOutcome>
  /** Follows up to three redirects, each checked like the first address. */
  fetchStream(request: StreamRequest): Promise<StreamOutcome>
  /** Follows no redirect. Resolves with the headers; the caller reads the body as fast as it wants, or lets go of it. */
  open(request: OpenRequest): Promise<OpenOutcome>
  /** Waits for what is in flight, which the deadlines bound, then closes every connection. */
  close(): Promise<void>
}

const POST_TIMEOUTS: HttpTimeouts = { headersMs: 10_000, totalMs: 15_000, bodyMs: 2_000 }

/**
 * The only way out to addresses that customers choose: webhook deliveries and media links. Whatever the receiver does,
 * the outcome is a value and arrives in bounded time and memory.
 */
export function createGuardedHttp(options: GuardedHttpOptions): GuardedHttp {
  const guard = createAddressGuard(options)
  const wheel = createDeadlineWheel()
  // Whether a request may go to this machine is decided for each; the connector only knows that some may.
  const guardOfRequests = createAddressGuard({ ...options, allowLoopback: false })
  const connectMs = options.connectMs ?? connectMsDefault
  // Less than connectMs, so that a dead name server is told from a dead receiver.
  const dns = createDnsCache({ ...options, timeoutMs: connectMs * 0.8 })
  const openSocket = options.connector ?? createSocketOpener(options)
  const connect = createGuardedConnector({ guard, wheel, connectMs, dns, open: openSocket })
  const agent = createLineAgent(connect, { keepAlive: true })
  const freshAgent = createLineAgent(connect, { keepAlive: false })
  const outlet: Outlet = {
    permitted(text, { allowLoopback = false, allowHttp = false } = {}) {
      const check = checkTargetUrl(text, options, allowLoopback ? guard : guardOfRequests, { allowHttp })
      return check.ok ? check.url : null
    },
    async exchange(request, reader) {
      const startedAt = performance.now()
      const first = await runExchange(agent, wheel, request, reader)
      if (first.kind === 'answer' || !first.resend) return first
      // A kept connection had been closed: once more, on a new one, within the same time.
      const totalMs = Math.max(0, request.totalMs - (performance.now() - startedAt))
      return runExchange(freshAgent, wheel, { ...request, totalMs }, reader)
    },
  }
  const targetIfPermitted = createTargets(outlet)
  return {
    post: (request) => post(outlet, targetIfPermitted(request), request),
    fetchStream: (request) => fetchStream(outlet, request),
    open: (request) => open(outlet, request),
    async close() {
      await Promise.all([agent.close(), freshAgent.close()])
      wheel.close()
    },
  }
}

const TARGETS_MAX = 10_000

/**
 * What was found about the text of an address is remembered: it depends on nothing else, a webhook gets thousands of requests,
 * and parsing and judging it takes as long as writing the request.
 */
function createTargets(outlet: Outlet): (request: PostRequest) => ExchangeTarget | null {
  const known = {
    everywhere: new Map<string, ExchangeTarget | null>(),
    public: new Map<string, ExchangeTarget | null>(),
  }
  return ({ url: text, allowLoopback = false }) => {
    const targets = allowLoopback ? known.everywhere : known.public
    const remembered = targets.get(text)
    if (remembered !== undefined) return remembered
    const url = outlet.permitted(text, { allowLoopback })
    const target = url && targetOf(url)
    if (targets.size >= TARGETS_MAX) targets.delete(targets.keys().next().value ?? '')
    targets.set(text, target)
    return target
  }
}

async function post(outlet: Outlet, target: ExchangeTarget | null, request: PostRequest): Promise<HttpOutcome> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  if (!target) return { kind: 'failure', ...BLOCKED, durationMs: durationMs() }
  const reader = excerptReader(request.responseBytesKept ?? 4_096)
  const { headers, body } = request
  const { headersMs, totalMs, bodyMs } = { ...POST_TIMEOUTS, ...request.timeouts }
  const result = await outlet.exchange({ method: 'POST', target, headers, body, headersMs, totalMs, bodyMs }, reader)
  if (result.kind === 'failure') return { kind: 'failure', ...result.failure, durationMs: durationMs() }
  const { statusCode, headers: received, remoteIp, reused } = result
  const bodyExcerpt = reader.excerpt()
  return { kind: 'response', statusCode, headers: received, bodyExcerpt, remoteIp, reused, durationMs: durationMs() }
}
