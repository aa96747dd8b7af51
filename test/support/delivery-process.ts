import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { loadConfig } from '../../server/src/config/config.ts'
import { createRuntime } from '../../server/src/create-runtime.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import type { Runtime } from '../../server/src/runtime.ts'
import type { TestDatabase } from './postgres/databases.ts'
import { programFile } from './programs/program-file.ts'
import { waitFor } from './wait-for.ts'
import { localReceivers } from './webhook-world.ts'

export type DeliveryProcess = {
  readonly said: string[]
  kill(signal?: NodeJS.Signals): void
  readonly exited: Promise<number | null>
}

export type WorkerOrders = {
  /** Where to stand still. */
  stopAt?: 'claim' | 'request' | 'record'
  /** For which account to commit an event first. */
  publishFor?: string
  /** Applies callbacks too. */
  applies?: boolean
  /** With the limits of the product: for tests that wait for no lease, on however busy a machine. */
  patient?: boolean
}

export type SharedWorld = {
  rt: Runtime
  accountId: string
  /** Starts a process that delivers from the same database; see delivery-worker.ts for what it may be told. */
  startWorker(orders?: WorkerOrders): Promise<DeliveryProcess>
  close(): Promise<void>
}

/** Short, because tests wait for the lease; and a lease must outlast an attempt. */
const deadlines = {
  POSTERN_WEBHOOK_CONNECT_TIMEOUT_MS: '1000',
  POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS: '1000',
  POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS: '1200',
  POSTERN_JOB_LEASE_MS: '1500',
}

const patientDeadlines = {
  POSTERN_WEBHOOK_CONNECT_TIMEOUT_MS: '10000',
  POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS: '10000',
  POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS: '15000',
  POSTERN_JOB_LEASE_MS: '30000',
}

/** A runtime on a database that other processes share, by the real clock. It runs no engine itself. */
export async function shareDatabase(
  database: TestDatabase['database'],
  folder: string,
  extra: Record<string, string> = {},
): Promise<SharedWorld> {
  const env: Record<string, string> = {
    ...localReceivers,
    POSTERN_DATA_DIR: folder,
    POSTERN_MASTER_KEY: randomBytes(32).toString('base64'),
    POSTERN_WEBHOOK_VERIFICATION: 'off',
    ...deadlines,
    ...extra,
    ...(database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}),
  }
  const { config } = loadConfig({ env, terminal: false })
  const closers: (() => Promise<unknown>)[] = []
  const rt = await createRuntime(config, createLogger({ level: 'silent', format: 'json' }), closers)
  const workers: DeliveryProcess[] = []
  return {
    rt,
    accountId: rt.newId('acc'),
    async startWorker({ stopAt, publishFor = '', applies = false, patient = false } = {}) {
      const limits = patient ? patientDeadlines : {}
      const worker = launch({
        ...env,
        ...limits,
        STOP_AT: stopAt ?? '',
        PUBLISH_FOR: publishFor,
        APPLIES: applies ? 'yes' : '',
      })
      workers.push(worker)
      await waitFor(() => worker.said.includes('ready'), 30_000)
      return worker
    },
    async close() {
      for (const worker of workers) worker.kill('SIGKILL')
      await Promise.all(workers.map(({ exited }) => exited))
      for (const close of closers.reverse()) await close()
    },
  }
}

// Workers start several times a test; the second finds everything compiled.
const compileCache = path.join(os.tmpdir(), 'postern-test-compiled')

function launch(env: Record<string, string>): DeliveryProcess {
  const { PATH = '', TEST_PROGRAMS } = process.env
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', programFile('delivery-worker')], {
    // Its bundle finds its packages beside itself.
    env: { PATH, TEST_PROGRAMS, NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { said, kill: (signal = 'SIGKILL') => void child.kill(signal), exited }
}
