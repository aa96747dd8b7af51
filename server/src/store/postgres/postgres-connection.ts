import pg, { type PoolClient } from 'pg'

// int8 and numeric arrive as text; all of ours are below 2^53.
const numberTypes = [20, 1700]

/**
 * Time limits of a connection's statements. Requests get a response within 10 s, so a locked table or a hanging statement
 * must fail before. `queryMs` is measured by our own clock, for a server that no longer responds.
 */
export const timeLimits = {
  /** Limits for requests. */
  short: { lockMs: 3_000, statementMs: 5_000, queryMs: 5_500 },
  /** Lists and reports that a client waits for. */
  list: { lockMs: 3_000, statementMs: 8_000, queryMs: 8_500 },
  /** Work that nobody waits for. */
  long: { lockMs: 30_000, statementMs: 30_000, queryMs: 35_000 },
}

/** `application_name` of connections. Every process has exactly one for signals. A name in the URL replaces both. */
export const connectionNames = { usual: 'postern', signals: 'postern signals' } as const

export type ConnectionOptions = {
  name?: (typeof connectionNames)[keyof typeof connectionNames]
  durable?: boolean
  limits?: (typeof timeLimits)[keyof typeof timeLimits]
  /** Named statements keep their plan until the owner of the connection discards it (`plansAreOld`). */
  keepsPlans?: boolean
}

/**
 * Settings of every connection. Without `keepsPlans` each call is planned anew: a named statement first planned on an empty
 * table would keep its sequential scan for ever, and a brand-new installation is exactly that case.
 */
export function connection({
  name = connectionNames.usual,
  durable = true,
  limits = timeLimits.long,
  keepsPlans = false,
}: ConnectionOptions = {}): pg.ClientConfig {
  const settings = {
    // A claim locks with one statement and reads with the next, which has to see what was committed meanwhile.
    default_transaction_isolation: 'read committed',
    // By default a server compiles what it thinks is dear, for every call anew; ours are short, and many at a time.
    jit: 'off',
    plan_cache_mode: keepsPlans ? 'force_generic_plan' : 'force_custom_plan',
    synchronous_commit: durable ? 'on' : 'off',
    lock_timeout: limits.lockMs,
    statement_timeout: limits.statementMs,
    timezone: 'UTC',
  }
  return {
    application_name: name,
    connectionTimeoutMillis: 4_000,
    // A host that vanishes says nothing: without a clock of our own every caller would wait for TCP, a quarter of an
    // hour.
    query_timeout: limits.queryMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${String(value).replaceAll(' ', '\\ ')}`)
      .join(' '),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        numberTypes.includes(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  }
}

const plansKeptMs = 5_000
const plannedAt = new WeakMap<PoolClient, number>()

export const discardPlans = 'discard plans'

/**
 * Whether a connection that keeps plans has to discard them first. They are kept for seconds, not for ever: one that was
 * made when a table was empty would read all of it when it has grown, and how large a table is now PostgreSQL sees
 * whenever it plans.
 */
export function plansAreOld(client: PoolClient): boolean {
  const now = performance.now()
  const at = plannedAt.get(client) ?? Number.NEGATIVE_INFINITY
  if (now - at < plansKeptMs) return false
  plannedAt.set(client, now)
  return true
}
