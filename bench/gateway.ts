import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../test/support/child-process.ts'
import type { PostgresServer } from '../test/support/postgres/postgres.ts'
import { createDatabase } from '../test/support/postgres/postgres-databases.ts'
import { startServer } from './passthrough.ts'

type Place = { wabaId: string; phoneNumberId: string; appSecret: string; callback: string }

type Started = { port: number; token: string; toolToken: string; others: readonly string[]; numbers: readonly string[] }

export type GatewayProcess = {
  readonly url: string
  readonly pid: number
  /** Its data folder, and its database where it has one of its own. */
  readonly folder: string
  readonly databaseUrl: string | null
  /** Of a request with the token of its one account. */
  readonly headers: Record<string, string>
  /** The token of a tool that speaks Meta's dialect. */
  readonly toolToken: string
  /** Tokens of its other accounts. */
  readonly others: readonly string[]
  /** The phone numbers of its account. */
  readonly numbers: readonly string[]
  /** What the platform knows of it. */
  readonly place: Place
  stop(): Promise<void>
}

/**
 * The whole gateway in a process of its own, with a platform that takes everything, on SQLite or on a database of its own.
 * `checkout` is that of another version, to be measured in the same rounds; `customers` have just written.
 */
export async function startGateway(
  postgres?: Pick<PostgresServer, 'url'>,
  { checkout = '.', customers = 50_000, others = 0, plan = 'professional', numbers = 1 } = {},
): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
  const platform = await startServer('bench/processes/platform-server.ts')
  const database = postgres && (await openDatabase(postgres))
  const program = [join(checkout, 'bench/processes/gateway-server.ts'), folder, platform.url]
  const sizes = [customers, others, numbers].map(String)
  const server = startProcess(process.execPath, [...program, database?.url ?? '', plan, ...sizes])
  const line = await server.line((text) => text.startsWith('{'), 60_000)
  const { port, token, toolToken, others: tokens, numbers: phones, ...place } = JSON.parse(line) as Place & Started
  return {
    url: `http://127.0.0.1:${port}`,
    pid: server.pid,
    folder,
    databaseUrl: database?.url ?? null,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    place,
    toolToken,
    others: tokens,
    numbers: phones,
    async stop() {
      await server.destroy()
      await database?.stop()
      await platform.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** BENCH_DATABASE_AWAY=1: what a service writes reaches its database a millisecond later, as if it ran on another machine. */
const away = process.env.BENCH_DATABASE_AWAY

/** A new database, as a contestant reaches it. */
export async function openDatabase(
  postgres: Pick<PostgresServer, 'url'>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const { url } = await createDatabase(postgres.url)
  if (!away) return { url, stop: async () => {} }
  const relay = await startServer('bench/processes/database-relay.ts', url, away)
  const through = new URL(url)
  through.host = new URL(relay.url).host
  return { url: through.href, stop: () => relay.stop() }
}
