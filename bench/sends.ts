import { basename, resolve } from 'node:path'
import { type PostgresServer, startPostgres } from '../test/support/postgres/postgres.ts'
import { openDatabase, startGateway } from './gateway.ts'
import { type Bench, type Contestant, compareAt, cpuSecondsOfFamily } from './harness.ts'
import { jsonHeaders, passthrough, sendTo, startServer } from './passthrough.ts'

/** BENCH_ENGINES leaves one out, and with PostgreSQL the service by hand. */
const engines = process.env.BENCH_ENGINES ?? 'postgres,sqlite'
/**
 * Until the code is compiled: three seconds left a lone caller with code that was still interpreted, at a third more CPU. After
 * ten, a gateway with 64 callers still compiles for an eighth of its CPU, and after forty for a hundredth.
 */
const warmUpSeconds = Number(process.env.BENCH_WARM_UP ?? 10)
/** Callers at once. BENCH_CALLERS=1,16 leaves out what a busy machine cannot take: an overloaded gateway refuses. */
const levels = (process.env.BENCH_CALLERS ?? '1,16,64').split(',').map(Number)
const duties = 'token, quota, window, rates, two durable commits, event, deliveries, counts and their folds, logs'

/**
 * Sends with all duties, beside the least a gateway can do and what a team would write by hand. With BENCH_BESIDE other
 * checkouts of this repository take part in the same rounds, separated by commas.
 */
export const sendsBench: Bench = {
  name: 'sends',
  summary: 'text sends with all duties, beside a bare pass-through and a service written by hand',
  async run() {
    const beside = (process.env.BENCH_BESIDE ?? '').split(',').filter(Boolean)
    const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
    const [onSqlite, onPostgres] = [engines.includes('sqlite'), engines.includes('postgres')]
    const contestants = [
      passthrough,
      ...(onSqlite ? [gateway('gateway, SQLite', false)] : []),
      ...(onPostgres ? [byHand, gateway('gateway, PostgreSQL', true)] : []),
      ...beside.flatMap((checkout) => [
        ...(onSqlite ? [gateway(`SQLite, ${basename(checkout)}`, false, resolve(checkout))] : []),
        ...(onPostgres ? [gateway(`PostgreSQL, ${basename(checkout)}`, true, resolve(checkout))] : []),
      ]),
    ]
    const rows = await compareAt(levels, { contestants, rounds, seconds: 2, warmUpSeconds })
    return levels.map((level) => ({ title: `Sends, callers: ${level}`, rows: rows.get(level) ?? [] }))
  },
}

const byHand: Contestant = {
  name: 'by hand, PostgreSQL',
  does: 'insert, call, update, insert of an event, each durable; no token, no checks, no webhooks',
  async start() {
    const postgres = await startPostgres({ durable: true })
    const platform = await startServer('bench/processes/platform-server.ts')
    const database = await openDatabase(postgres)
    const service = await startServer('bench/by-hand.ts', platform.url, database.url)
    const databaseCpuSeconds = () => cpuSecondsOfFamily(postgres.pid)
    return sendTo({ ...service, headers: jsonHeaders, path: '/send', databaseCpuSeconds }, async () => {
      await database.stop()
      await platform.stop()
      await postgres.stop()
    })
  },
}

/** On a PostgreSQL of its own, so that its CPU can be told apart. */
function gateway(name: string, onPostgres: boolean, checkout?: string): Contestant {
  return {
    name,
    does: duties,
    async start() {
      const postgres: PostgresServer | undefined = onPostgres ? await startPostgres({ durable: true }) : undefined
      const server = await startGateway(postgres, { checkout })
      const measured = postgres ? { databaseCpuSeconds: () => cpuSecondsOfFamily(postgres.pid) } : {}
      return sendTo({ ...server, path: '/v1/chat/messages/send', ...measured }, async () => postgres?.stop())
    },
  }
}
