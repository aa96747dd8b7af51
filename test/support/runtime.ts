import { randomBytes } from 'node:crypto'
import { loadConfig } from '../../server/src/config/config.ts'
import { createProcessState, openMediaBucket } from '../../server/src/create-runtime.ts'
import { type ManualClock, manualClock } from '../../server/src/lib/clock.ts'
import { createGuardedHttp } from '../../server/src/lib/guarded-http/guarded-http.ts'
import { createIds } from '../../server/src/lib/ids.ts'
import { createSecrets } from '../../server/src/lib/secrets.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { createMetrics } from '../../server/src/observe/metrics.ts'
import { noTracing } from '../../server/src/observe/tracer.ts'
import { passwordCost } from '../../server/src/people/passwords.ts'
import { createCloudApi } from '../../server/src/platform/cloud/cloud-api.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import { createCursors } from '../../server/src/store/engine/cursor.ts'
import { searchLog } from './leaks/leaks.ts'
import { type EngineName, freshStore, type TestDatabase, type Through } from './postgres/databases.ts'

export type TestRuntime = {
  rt: Runtime
  clock: ManualClock
  logLines: string[]
  database: TestDatabase['database']
  setUrls(urls: Partial<Runtime['urls']>): void
  dispose(): Promise<void>
}

/**
 * Real tools on a fresh database: only time stands still. Deadlines of sockets are the product's, and real: a shorter one
 * cuts off browsers on a busy machine. `logLines` holds everything logged, so that a test can prove what was not.
 */
export async function aRuntime(
  engine: EngineName,
  env: Record<string, string> = {},
  through?: Through,
): Promise<TestRuntime> {
  const { store, test, dispose } = await freshStore(engine, through)
  const settings = { POSTERN_DATA_DIR: test.folder, POSTERN_LOG_LEVEL: 'debug', ...env }
  const { config } = loadConfig({ env: settings, terminal: false })
  const clock = manualClock()
  const logLines: string[] = []
  const write = (line: string) => {
    logLines.push(line)
    searchLog(line)
  }
  const secrets = createSecrets(randomBytes(32))
  const deliver = createGuardedHttp({ allow: ['127.0.0.0/8', 'localhost'], allowLoopback: true })
  const platform = createCloudApi(
    { connectMs: config.channelConnectTimeoutMs, totalMs: config.channelTimeoutMs, userAgent: 'Postern/test' },
    { hosts: config.channelMediaHosts, fetchStream: deliver.fetchStream },
  )
  const metrics = createMetrics({ version: 'test', commit: 'test' })
  const closers: (() => Promise<unknown>)[] = []
  const bucket = await openMediaBucket(config, { clock, metrics, closers })
  const urls = { base: 'http://gateway.test', console: 'http://console.test' }
  const rt: Runtime = {
    config,
    store,
    platform,
    deliver,
    deliverRelay: deliver,
    bucket,
    oidc: null,
    mailer: null,
    clock,
    newId: createIds(clock),
    secrets,
    cursors: createCursors(secrets, clock),
    log: createLogger({ level: 'debug', format: 'json', destination: { write } }),
    metrics,
    tracer: noTracing,
    ...createProcessState({ store, secrets, clock, metrics }),
    passwordCost,
    urls,
  }
  await rt.recipients.loadKey()
  return {
    rt,
    clock,
    logLines,
    database: test.database,
    setUrls: (given) => void Object.assign(urls, given),
    async dispose() {
      for (const close of closers) await close()
      await platform.close()
      await deliver.close()
      await dispose()
    },
  }
}
