import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { waitFor } from '../wait-for.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

/**
 * A standby of `primary` that has every commit before its client hears of it. Made from a copy, for which the primary is
 * shut down for a moment: npm brings no pg_basebackup.
 */
export async function startStandby(primary: PostgresServer, port?: number): Promise<PostgresServer> {
  const { port: primaryPort } = new URL(primary.url)
  await primary.shutDown()
  const standby = await startPostgres({
    durable: true,
    ...(port === undefined ? {} : { port }),
    settings: ['wal_retrieve_retry_interval=100ms'],
    fill(folder) {
      cpSync(primary.data, folder, { recursive: true })
      rmSync(join(folder, 'postmaster.opts'), { force: true })
      writeFileSync(join(folder, 'standby.signal'), '')
      // What was set at the primary, such as its own standby, is not for this one once it is promoted.
      const source = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=standby`
      writeFileSync(join(folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
    },
  })
  await primary.restart()
  await ask(primary.url, `alter system set synchronous_standby_names = 'standby'`)
  await ask(primary.url, 'select pg_reload_conf()')
  await waitFor(async () => {
    const [row] = await ask(primary.url, 'select sync_state from pg_stat_replication')
    return row?.sync_state === 'sync'
  })
  return standby
}

/** Resolves when the standby takes writes. */
export async function promote({ url }: PostgresServer): Promise<void> {
  await ask(url, 'select pg_promote()')
}

async function ask(connectionString: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
