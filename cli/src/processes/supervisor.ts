import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { Check, Log, ServiceSandbox } from '@postern/server/gateway.ts'
import { timedOut, withTimeout } from '@postern/server/tools.ts'
import { type Ask, connectProcess, type ProcessCalls, type Started } from './process-calls.ts'

export type Supervisor = {
  /** The first process alone, because it migrates and makes the first account; then the others. */
  start(): Promise<Started>
  health(): Promise<Check[]>
  /** A page of metrics of each process that answers. */
  metricPages(): Promise<string[]>
  stop(): Promise<void>
}

/** A process that ended before it was ready has said why; its exit code is ours. */
export class EndedAtStart extends Error {
  override readonly name = 'EndedAtStart'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('A process exited before it was ready.')
    this.exitCode = exitCode
  }
}

type Options = {
  count: number
  sandbox: ServiceSandbox | null
  log: Log
  /** What has not ended by then is killed. */
  stopWithinMs: number
}
type Process = {
  readonly number: number
  readonly worker: Worker
  readonly ask: Ask<ProcessCalls>
  readonly forkedAt: number
  isReady: boolean
}

/** A process answers for its health within 2 s, also when the database does not. */
const answerMs = 3_000
const restartMs = { first: 100, max: 10_000 }
/** One that ran for so long has not failed at its start. */
const steadyMs = 60_000

/**
 * Runs this program again, `count` times, behind one port: connections are accepted here and handed to the processes in
 * turn (docs/decisions/0010). One that dies is started again, at once and then ever later while it keeps dying.
 */
export function createSupervisor({ count, sandbox, log, stopWithinMs }: Options): Supervisor {
  const processes = new Map<number, Process>()
  const failures = new Map<number, number>()
  const restarts = new Set<NodeJS.Timeout>()
  let stopping = false

  return {
    async start() {
      const facts = await startProcess(1)
      await Promise.all(Array.from({ length: count - 1 }, (_, index) => startProcess(index + 2)))
      return facts
    },
    health,
    async metricPages() {
      const pages = await Promise.all([...processes.values()].map(({ ask }) => ask('metrics', answerMs)))
      return pages.filter((page) => page !== null)
    },
    async stop() {
      stopping = true
      for (const restart of restarts) clearTimeout(restart)
      await Promise.all([...processes.values()].map(end))
    },
  }

  function startProcess(number: number): Promise<Started> {
    return new Promise((resolve, reject) => {
      const worker = cluster.fork()
      closeLostConnection(worker)
      // A connection handed to a process that has just died; its end is told by 'exit'.
      worker.on('error', (error) => log.debug({ process: number, err: error }, 'process.not_reached'))
      const ask = connectProcess<ProcessCalls>(worker, { join: () => ({ number, sandbox }), health, started })
      const process: Process = { number, worker, ask, forkedAt: performance.now(), isReady: false }
      processes.set(number, process)
      worker.once('exit', (code: number | null, signal: string | null) => {
        processes.delete(number)
        if (!process.isReady) reject(new EndedAtStart(code ?? 1))
        else if (!stopping) {
          if (performance.now() - process.forkedAt > steadyMs) failures.delete(number)
          restart(number, { pid: worker.process.pid, code, signal })
        }
      })

      function started(facts: Started): void {
        process.isReady = true
        log.info({ process: number, pid: worker.process.pid }, 'process.started')
        resolve(facts)
      }
    })
  }

  function restart(number: number, ended: object): void {
    const failed = failures.get(number) ?? 0
    failures.set(number, failed + 1)
    const inMs = Math.min(restartMs.max, restartMs.first * 2 ** failed)
    log.warn({ process: number, ...ended, restart_in_ms: inMs }, 'process.ended')
    const timer = setTimeout(() => {
      restarts.delete(timer)
      startProcess(number).catch((error: EndedAtStart) => {
        if (!stopping) restart(number, { code: error.exitCode })
      })
    }, inMs)
    restarts.add(timer)
  }

  async function health(): Promise<Check[]> {
    const ready = [...processes.values()].filter(({ isReady }) => isReady)
    const answers = await Promise.all(
      ready.map(async ({ number, ask }) => ({ number, checks: await ask('check', answerMs) })),
    )
    return joinChecks(answers, count)
  }

  async function end({ worker, ask }: Process): Promise<void> {
    const ended = once(worker, 'exit')
    void ask('stop', answerMs)
    if ((await withTimeout(ended, stopWithinMs)) === timedOut) worker.process.kill('SIGKILL')
  }
}

type Handle = { close(): void }

/**
 * node:cluster hands a process one connection at a time and keeps its own end of it until the process has taken it. Of a
 * process that dies before that it keeps it for ever: the client would wait for an answer until its patience ends.
 */
function closeLostConnection(worker: Worker): void {
  const { process } = worker
  const send = process.send.bind(process) as (...parts: unknown[]) => boolean
  let last: Handle | null = null
  process.send = (...parts: unknown[]) => {
    if (isHandle(parts[1])) last = parts[1]
    return send(...parts)
  }
  // Closing one that was taken, and so is closed, does nothing.
  worker.once('exit', () => last?.close())
}

function isHandle(part: unknown): part is Handle {
  return typeof part === 'object' && part !== null && 'close' in part
}

/** The checks of one process; null when it gave no answer. */
type ProcessChecks = { readonly number: number; readonly checks: readonly Check[] | null }

const severity = { ok: 0, warning: 1, failing: 2 } as const

/** One list for all processes: a check is failing when it fails in any of them, or when a process is missing. */
export function joinChecks(answers: readonly ProcessChecks[], count: number): Check[] {
  const answered = answers.filter(({ checks }) => checks !== null).length
  const joined = new Map<string, Check>([
    [
      'processes',
      answered === count
        ? { name: 'processes', status: 'ok', duration_ms: 0 }
        : {
            name: 'processes',
            status: 'failing',
            duration_ms: 0,
            detail: `${answered} of ${count} processes are running.`,
          },
    ],
  ])
  for (const { number, checks } of answers) {
    for (const check of checks ?? []) {
      const known = joined.get(check.name)
      const duration_ms = Math.max(check.duration_ms, known?.duration_ms ?? 0)
      const worse = known === undefined || severity[check.status] > severity[known.status] ? check : known
      const detail = worse === check && check.detail ? { detail: `Process ${number}: ${check.detail}` } : {}
      joined.set(check.name, { ...worse, duration_ms, ...detail })
    }
  }
  return [...joined.values()]
}
