import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostern, startProcess } from '../test/support/child-process.ts'
import { startPostgres } from '../test/support/postgres/postgres.ts'
import { createDatabase } from '../test/support/postgres/postgres-databases.ts'
import {
  type Bench,
  type Contestant,
  childrenOf,
  compareAt,
  cpuSecondsOf,
  cpuSecondsOfFamily,
  type Row,
  type Running,
} from './harness.ts'
import { sendTo, startServer } from './passthrough.ts'

const callers = 64

/** `postern serve --processes N` on PostgreSQL, as an operator starts it, and where its CPU goes. */
export const coresBench: Bench = {
  name: 'cores',
  summary: 'sends through one, two and three processes behind one port, on PostgreSQL',
  async run() {
    const splits: Row[] = []
    const contestants = [1, 2, 3].map((count) => processes(count, splits))
    const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
    const rows = (await compareAt([callers], { contestants, rounds, seconds: 3, warmUpSeconds: 3 })).get(callers) ?? []
    return [
      { title: `Sends by number of processes, ${callers} callers, ${availableParallelism()} cores`, rows },
      { title: 'CPU of these runs', rows: splits },
    ]
  },
}

function processes(count: number, splits: Row[]): Contestant {
  return {
    name: `processes: ${count}`,
    does: 'all duties of a send',
    async start() {
      const folder = await mkdtemp(join(tmpdir(), 'postern-bench-'))
      const postgres = await startPostgres({ durable: true })
      const platform = await startServer('bench/processes/platform-server.ts')
      const database = (await createDatabase(postgres.url)).url
      const token = await makeAccount(folder, platform.url, database)
      const gateway = startPostern(['serve', '--processes', String(count), '--json'], {
        env: settings(folder, database),
      })
      const ready = await gateway.line((line) => line.includes('"event":"ready"'))
      const { base_url } = JSON.parse(ready) as { base_url: string }
      const target = sendTo({
        url: base_url.replace('localhost', '127.0.0.1'),
        pid: gateway.pid,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        path: '/v1/chat/messages/send',
        cpuSeconds: () => cpuSecondsOfFamily(gateway.pid),
        databaseCpuSeconds: () => cpuSecondsOfFamily(postgres.pid),
        stop: async () => {},
      })
      const split = measureSplit(gateway.pid, postgres.pid, platform.pid)
      return {
        run: (seconds, concurrency) => split.during(() => target.run(seconds, concurrency)),
        async stop() {
          splits.push({ number: count, ...split.shares() })
          await target.stop()
          await gateway.destroy()
          await platform.stop()
          await postgres.stop()
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
  }
}

/** On the plan without limits: those of the others end a bench within seconds. */
async function makeAccount(folder: string, platformUrl: string, database: string): Promise<string> {
  const program = ['bench/processes/gateway-server.ts', folder, platformUrl, database, 'enterprise']
  const server = startProcess(process.execPath, program)
  const line = await server.line((text) => text.startsWith('{'))
  await server.destroy()
  return (JSON.parse(line) as { token: string }).token
}

function settings(folder: string, database: string): Record<string, string> {
  return {
    POSTERN_DATA_DIR: folder,
    POSTERN_DATABASE_URL: database,
    POSTERN_LISTEN: '127.0.0.1:0',
    POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
    POSTERN_SANDBOX_LISTEN: 'off',
    POSTERN_WINDOW_POLICY: 'strict',
    POSTERN_LOG_LEVEL: 'error',
  }
}

/** Seconds of CPU while the contestant was measured, in per cent of one core. */
function measureSplit(gateway: number, postgres: number, platform: number) {
  const used: Record<string, number> = {}
  let seconds = 0
  const look = (): [string, number][] => [
    ['accepting', cpuSecondsOf(gateway)],
    ...childrenOf(gateway).map((pid, index): [string, number] => [`process ${index + 1}`, cpuSecondsOf(pid)]),
    ['PostgreSQL', cpuSecondsOfFamily(postgres)],
    ['platform', cpuSecondsOf(platform)],
    ['load', process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6],
  ]
  return {
    async during(run: () => ReturnType<Running['run']>) {
      const before = new Map(look())
      const sample = await run()
      for (const [name, now] of look()) used[name] = (used[name] ?? 0) + now - (before.get(name) ?? 0)
      seconds += sample.seconds
      return sample
    },
    shares(): Row {
      const { accepting = 0, PostgreSQL = 0, platform: answering = 0, load = 0, ...answered } = used
      const percent = (value: number) => `${Math.round((value / seconds) * 100)} %`
      const processes = Object.values(answered).map(percent).join(' + ')
      return {
        accepting: processes === '' ? '' : percent(accepting),
        processes: processes || percent(accepting),
        PostgreSQL: percent(PostgreSQL),
        platform: percent(answering),
        load: percent(load),
      }
    },
  }
}
