import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../scripts/cluster.ts'
import { type RunningProcess, startPostern, startProcess } from '../support/child-process.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/postgres.ts'
import { recordFigure } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

// A proof and no test: it needs Debian's pgbouncer. postgres-limits.test.ts checks the same sentence on every machine.
const pgbouncer = '/usr/sbin/pgbouncer'
if (!existsSync(pgbouncer)) throw new Error('This proof needs PgBouncer: apt-get install pgbouncer')

const folder = mkdtempSync(join(tmpdir(), 'postern-pgbouncer-'))
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** By default PgBouncer refuses our settings itself; told to ignore them, it lets us in and loses them. */
test.each([
  ['transaction', 'extra_float_digits'],
  ['transaction', 'options,extra_float_digits'],
  ['session', 'options,extra_float_digits'],
])('PgBouncer in %s mode that ignores %s is refused at the start with a sentence', async (mode, ignored) => {
  const port = await findFreePort()
  const pooler = await startPooler(port, mode, ignored)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const env = { POSTERN_DATABASE_URL: url, POSTERN_MASTER_KEY: '0'.repeat(64), POSTERN_DATA_DIR: join(folder, 'data') }
  const gateway = startPostern(['serve', '--port', '0', '--admin-port', '0', '--sandbox-port', '0'], { env })
  try {
    expect(await gateway.ended).toBe(1)
    expect(gateway.output.stderr).toContain('leads to a connection pooler such as PgBouncer')
    expect(gateway.output.stderr).not.toMatch(/^\s+at /m)
    recordFigure('pgbouncer', `${mode} mode, ignoring ${ignored}`, 'refused at the start')
  } finally {
    await gateway.destroy()
    await pooler.destroy()
  }
})

async function startPooler(port: number, mode: string, ignored: string): Promise<RunningProcess> {
  const file = join(folder, `${port}.ini`)
  const { port: serverPort } = new URL(server.url)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    ignore_startup_parameters: ignored,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const database = `postgres = host=127.0.0.1 port=${serverPort} user=postgres`
  writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'), { mode: 0o644 })
  // As root it asks to be told whom to become.
  const pooler = startProcess(pgbouncer, process.getuid?.() === 0 ? ['-u', 'nobody', file] : [file])
  await waitFor(async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
    const isUp = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end().catch(() => {})
    return isUp
  })
  return pooler
}
