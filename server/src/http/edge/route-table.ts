import type { FastifyInstance } from 'fastify'

export type RouteTable = {
  /** Methods that exist for this path; empty when the path itself is unknown. */
  methodsFor(path: string): string[]
  entries(): { method: string; pattern: string }[]
}

/** Remembers every route, so that a wrong method can be told which ones there are. */
export function rememberRoutes(app: FastifyInstance): RouteTable {
  const routes: { method: string; pattern: string; matcher: RegExp }[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    const matcher = toMatcher(config?.documentedUrl?.replace(/\{\w+\}/g, '*') ?? url)
    for (const one of [method].flat()) routes.push({ method: one, pattern: url, matcher })
  })
  return {
    methodsFor(path) {
      const found = new Set(routes.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method))
      return methodOrder.filter((method) => found.has(method))
    },
    entries: () => routes.map(({ method, pattern }) => ({ method, pattern })),
  }
}

/** One order whatever was asked, as in `Allow`. */
const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

function toMatcher(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[A-Za-z_]+/g, '[^/]+').replace(/\*/g, '.+')}$`)
}
