import pg from 'pg'

// int8 and numeric arrive as text; all of ours are below 2^53.
const numberTypes = [20, 1700]

/**
 * Settings of every connection. Plans are made anew for each call: a named statement first planned on an empty table
 * would keep its sequential scan for ever, and a brand-new installation is exactly that case.
 */
export function connection(url: string, { durable = true } = {}): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    // A host that vanishes says nothing: without a clock of our own every caller would wait for TCP, a quarter of an hour.
    query_timeout: 35_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `-c plan_cache_mode=force_custom_plan -c synchronous_commit=${durable ? 'on' : 'off'} -c statement_timeout=30000 -c timezone=UTC`,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        numberTypes.includes(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  }
}
