import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'

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
