import { loadConfig } from '../../server/src/config/config.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { dayMs } from '../../server/src/lib/durations.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { jobDefinitions } from '../../server/src/workers/jobs.ts'
import type { PostgresServer } from '../../test/support/postgres/postgres.ts'
import type { GatewayProcess } from '../gateway.ts'
import { cpuSecondsOfFamily, type Row, round } from '../harness.ts'

/** Every job that deletes by age, as if 500 days had passed, until it has nothing left to do. */
export async function measureRetention(gateway: GatewayProcess, postgres: PostgresServer | undefined): Promise<Row> {
  const closers: (() => Promise<unknown>)[] = []
  const env = {
    POSTERN_DATA_DIR: gateway.folder,
    ...(gateway.databaseUrl ? { POSTERN_DATABASE_URL: gateway.databaseUrl } : {}),
  }
  const rt = await createRuntime(
    loadConfig({ env, terminal: false }).config,
    createLogger({ level: 'silent', format: 'json' }),
    closers,
  )
  const later: Runtime = { ...rt, clock: { now: () => rt.clock.now() + 500 * dayMs } }
  const databaseCpu = () => (postgres ? cpuSecondsOfFamily(postgres.pid) : 0)
  const [cpu, database, startedAt] = [process.cpuUsage(), databaseCpu(), performance.now()]
  try {
    const slowest: { kind: string; seconds: number }[] = []
    for (const { kind, run } of jobDefinitions.filter(({ deletesByAge }) => deletesByAge)) {
      const at = performance.now()
      for (let again = true; again; ) {
        const outcome = await run(later, noJob)
        again = outcome !== 'done' && outcome.againAt <= later.clock.now()
      }
      slowest.push({ kind, seconds: (performance.now() - at) / 1_000 })
    }
    slowest.sort((a, b) => b.seconds - a.seconds)
    const used = process.cpuUsage(cpu)
    return {
      's in all': round((performance.now() - startedAt) / 1_000, 1),
      'CPU s of the gateway': round((used.user + used.system) / 1e6, 1),
      'CPU s of PostgreSQL': postgres ? round(databaseCpu() - database, 1) : '',
      slowest: slowest
        .slice(0, 3)
        .map(({ kind, seconds }) => `${kind} ${round(seconds, 1)} s`)
        .join(', '),
    }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Regular jobs do not look at theirs. */
const noJob = {} as Parameters<(typeof jobDefinitions)[number]['run']>[1]
