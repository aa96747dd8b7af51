import type { IncomingMessage, ServerResponse } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import type { KeyClaim } from '../../access/keys/create-key.ts'
import type { AuditContext } from '../../audit/audit.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'

/** Bodies, queries and answers get their static type from the schema of their route; an answer is only read. */
interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? DeepReadonly<Static<this['schema']>> : unknown
}

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxProvider>

/** Access rule of a route; read by the hooks that run before the body. */
type RouteAccess = 'public' | 'token' | { scope: Scope }

/** Deprecation and sunset of a route, as days such as `2027-01-31`, in UTC. */
export type DeprecatedRoute = { readonly since: string; readonly sunset: string }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes of /v1 must say it; everything else has its own rules. */
    access?: RouteAccess
    /** Basic credentials are not enough: the route is about the token itself. */
    bearerOnly?: boolean
    /** Where the route finds the connection token, which is then the only accepted credential. */
    connectionToken?: (request: FastifyRequest) => string | null
    /** An expired token may come in: refresh and revoke. */
    allowExpired?: boolean
    /** A revoked token may come in: repeating a revocation is safe. */
    allowRevoked?: boolean
    /** Instead of what all JSON bodies, or all public ones, may have. */
    bodyBytesMax?: number
    /** Counts against the plan; true unless the route says otherwise. */
    counted?: boolean
    /**
     * Honours the Idempotency-Key header; `in_unit` where the verb takes the key together with its effect, `in_handler`
     * where the handler reads it because the body is a stream.
     */
    idempotent?: boolean | 'in_unit' | 'in_handler'
    /** The body is a form, not JSON. */
    takesForm?: boolean
    /** The body may be CSV or NDJSON, which the handler reads as it comes. */
    takesLines?: boolean
    /** Key and quota may be decided by the route's first write; only sends know how, see access/caller.ts. */
    decidedByWrite?: boolean
    /** The response comes within POSTERN_SEND_TIMEOUT_MS, see finished.ts. */
    answersInTime?: boolean
    /** Announced in every answer; see docs/releasing.md. */
    deprecated?: DeprecatedRoute
    /** Path in the OpenAPI document, where the router needs a wildcard. */
    documentedUrl?: string
  }

  interface FastifyRequest {
    /** Our id of this request; the caller's own travels in X-Client-Request-Id beside it. */
    requestId: string
    startedAt: number
    /** The same moment by `performance.now()`, for deadlines: no clock of the domain moves it. */
    arrivedMs: number
    /** Code of the refusal, for the access line and metrics. */
    problemCode: ErrorCode | null
    /** Set on every route of /v1 whose access is not public. */
    caller: Caller | null
    /** The key that a token is asked for, proved or not. */
    claim: KeyClaim | null
  }
}

/** The caller of a route that demands a token; the hooks have made sure of it. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('This route has no access rule.')
  return request.caller
}

/** Origin of a request, for the audit log. */
export function contextOf(request: FastifyRequest): AuditContext {
  const agent = request.headers['user-agent']
  return { ip: request.ip, user_agent: agent ? agent.slice(0, 300) : null, request_id: request.requestId }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => unknown

/**
 * A hook that has nothing to wait for in most requests, and makes no promise for these: a request passes ten of them. What
 * it returns is waited for.
 */
export function step(run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> | undefined): Hook {
  return (request, reply, done) => run(request, reply) ?? done()
}

declare module 'fastify' {
  interface FastifyRequest {
    /** False behind a proxy that is not configured: everybody then seems to come from the proxy's address. */
    addressKnown: boolean
  }
}

/**
 * Notices a proxy nobody told us about: a peer that sends `X-Forwarded-For` while `POSTERN_TRUST_PROXY` is empty. Counting
 * attempts by its address would let anybody lock everybody else out, so those limits are off until it is configured.
 * With the setting given, such a peer is a client that makes the header up, and its own address counts.
 */
export function addForwardedPeerCheck(app: App, rt: Runtime): void {
  let warned = false
  app.decorateRequest('addressKnown', true)
  const check = (request: FastifyRequest): void => {
    if (request.headers['x-forwarded-for'] === undefined || (request.ips?.length ?? 1) > 1) return
    request.addressKnown = rt.config.trustProxy.length > 0
    if (warned) return
    warned = true
    rt.log.warn(
      { peer: request.ip, limits_by_address: request.addressKnown ? 'on' : 'off' },
      'proxy.not_trusted: a peer sends X-Forwarded-For and is not in POSTERN_TRUST_PROXY. If it is your proxy, add its address.',
    )
  }
  app.addHook('onRequest', (request, _reply, done) => {
    check(request)
    done()
  })
}

export type RouteTable = {
  /** Methods that exist for this path; empty when the path itself is unknown. */
  methodsFor(path: string): string[]
  /** Whether the router took a fixed part of another address for an id: GET .../messages/send is no message 'send'. */
  isTakenForId(request: FastifyRequest, path: string): boolean
  /** Paths of the API without a variable part, all or those that take this method: what a caller may have meant. */
  fixedPaths(method?: string): Set<string>
  /** The other paths of the API; `:` or `*` stands for each variable part. */
  variablePaths(): Set<string>
}

type Route = { method: string; pattern: string; address: string; matcher: RegExp; fixedChars: number }

/** Remembers every route, so that a wrong method can be told which ones there are. */
export function rememberRoutes(app: FastifyInstance): RouteTable {
  const routes: Route[] = []
  const narrower = new Map<string, Route[]>()
  app.addHook('onRoute', ({ method, url, config }) => {
    const address = (config?.documentedUrl?.replace(/\{\w+\}/g, '*') ?? url).replace(/:[A-Za-z_]+/g, ':')
    const fixedChars = address.replace(/[:*]/g, '').length
    const route = { pattern: url, address, matcher: toMatcher(address), fixedChars }
    for (const one of [method].flat()) routes.push({ ...route, method: one })
  })
  /** Addresses that this route would swallow. Almost always none, so a request costs one look-up. */
  const narrowerThan = (method: string, pattern: string): Route[] => {
    const key = `${method} ${pattern}`
    const known = narrower.get(key)
    if (known) return known
    const own = routes.find((route) => route.method === method && route.pattern === pattern)
    const found = own
      ? routes.filter(({ address, fixedChars }) => fixedChars > own.fixedChars && own.matcher.test(address))
      : []
    narrower.set(key, found)
    return found
  }
  return {
    methodsFor(path) {
      const matching = routes.filter(({ matcher }) => matcher.test(path))
      const fixedMost = Math.max(...matching.map(({ fixedChars }) => fixedChars))
      const found = new Set(matching.filter(({ fixedChars }) => fixedChars === fixedMost).map(({ method }) => method))
      return methodOrder.filter((method) => found.has(method))
    },
    isTakenForId({ method, routeOptions: { url: pattern } }, path) {
      if (pattern === undefined || !/[:*]/.test(pattern)) return false
      return narrowerThan(method, pattern).some(({ matcher }) => matcher.test(path))
    },
    fixedPaths: (wanted) =>
      new Set(
        routes
          .filter(({ address, method }) => /^\/v1\/[^:*]+$/.test(address) && (wanted ?? method) === method)
          .map(({ address }) => address),
      ),
    variablePaths: () =>
      new Set(routes.map(({ address }) => address).filter((address) => /^\/v1\/.*[:*]/.test(address))),
  }
}

/** One order whatever was asked, as in `Allow`. */
const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

function toMatcher(address: string): RegExp {
  const escaped = address.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:/g, '[^/]+').replace(/\*/g, '.+')}$`)
}

type Declaration = FastifySchema & {
  config: FastifyContextConfig
  operationId: string
  summary: string
  response: object
}

/** Declares the routes of one group in the API document: who may call each of them, and what it takes and answers. */
export function routesOf(tag: string) {
  return <const Route extends Declaration>({ config, ...schema }: Route) => ({
    config,
    schema: { ...schema, tags: [tag] },
  })
}
