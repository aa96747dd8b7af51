/** State of one quota window after a call. */
export interface RateLimitWindow {
  /** Requests the plan allows in the window. */
  quota: number
  /** Requests that are left. */
  remaining: number
  /** Length of the window. */
  windowSeconds: number
  /** Seconds until the window starts anew. */
  resetsInSeconds: number
}

/** The quota windows by name, usually `hour` and `day`. */
export type RateLimit = Partial<Record<'hour' | 'day', RateLimitWindow>> & Record<string, RateLimitWindow | undefined>

/** Reads `RateLimit` and `RateLimit-Policy`; `undefined` when the plan is not counted or a proxy took them away. */
export function rateLimitFrom(headers: Headers): RateLimit | undefined {
  const policies = parseItems(headers.get('ratelimit-policy'))
  const states = parseItems(headers.get('ratelimit'))
  const windows: RateLimit = {}
  for (const [name, state] of states) {
    const policy = policies.get(name)
    windows[name] = {
      quota: policy?.get('q') ?? 0,
      remaining: state.get('r') ?? 0,
      windowSeconds: policy?.get('w') ?? 0,
      resetsInSeconds: state.get('t') ?? 0,
    }
  }
  return states.size === 0 ? undefined : windows
}

/** `"hour";q=100;w=3600, "day";q=1000;w=86400` becomes a map of maps; whatever has another form is left out. */
function parseItems(header: string | null): Map<string, Map<string, number>> {
  const items = new Map<string, Map<string, number>>()
  for (const [, name = '', parameters = ''] of (header ?? '').matchAll(/"(\w+)"((?:;\w+=\d+)*)/g)) {
    const pairs = [...parameters.matchAll(/;(\w+)=(\d+)/g)]
    items.set(name, new Map(pairs.map(([, key = '', value]) => [key, Number(value)])))
  }
  return items
}
