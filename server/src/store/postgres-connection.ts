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
    keepAlive: true,
    options: `-c plan_cache_mode=force_custom_plan -c synchronous_commit=${durable ? 'on' : 'off'} -c statement_timeout=30000 -c timezone=UTC`,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        numberTypes.includes(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  }
}
