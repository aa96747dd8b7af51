import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClusterNode, startCluster } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { type ClusterRun, clusterSandbox, shortLeases, startRun } from '../support/cluster/cluster-run.ts'
import { openInspector } from '../support/inspector.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const proof = 'process faults'
const rounds = scaled(1)
/** SQLite in the proof alone: most of what is tried has nothing to do with the database. */
const tried = rounds > 1 ? engines : (['postgres'] as const)
/** In the proof longer than a statement may take (5.5 s): what was under way has timed out when the process goes on. */
const stalledMs = rounds > 1 ? 6_000 : 1_000
/** In the proof long enough for deliveries that need a new connection. */
const scarceMs = rounds > 1 ? 3_000 : 0
const refusals = [
  '500 service_unavailable',
  '500 send_outcome_unknown',
  '500 upstream_unavailable',
  '429 idempotency_in_progress',
]
const heapMegabytes = 160

describe.each(tried)('%s: a node whose process', { timeout: processTimeoutMs * rounds }, (engine) => {
  const cleanup = new AsyncDisposableStack()
  let run: ClusterRun
  let node: ClusterNode
  let over = false
  let load: Promise<void>

  beforeAll(async () => {
    const database = await freshDatabase(engine)
    cleanup.defer(() => database.remove())
    const databaseUrl = database.database.kind === 'postgres' ? database.database.url : null
    const env = { ...shortLeases, NODE_OPTIONS: `--max-old-space-size=${heapMegabytes} --inspect=127.0.0.1:0` }
    const cluster = await startCluster({ databaseUrl, nodes: 1, env, sandbox: clusterSandbox })
    cleanup.defer(() => cluster.close())
    node = cluster.nodes[0] as ClusterNode
    run = cleanup.use(await startRun(cluster))
    load = run.load(() => !over)
  }, processTimeoutMs)
  afterAll(async () => {
    over = true
    await load
    await cleanup.disposeAsync()
  })

  test('has no file descriptors left goes on once it has some again', async () => {
    const { pid } = node.process
    for (let round = 0; round < rounds; round++) {
      await moreAccepted()
      // Below what is open: also the place of one that is closed cannot be taken.
      await limitFiles(pid, descriptorsOf(pid) - 20)
      // Clients that come meanwhile find no place.
      const strangers = new Agent({ connections: 50, headersTimeout: 1_000, connectTimeout: 1_000 })
      const asked = Array.from({ length: 50 }, () => request(`${node.url}/livez`, { dispatcher: strangers }))
      const answers = await Promise.allSettled(asked)
      expect(answers.some(({ status }) => status === 'rejected')).toBe(true)
      await delay(scarceMs)
      await limitFiles(pid, 4_096)
      await strangers.destroy()
      await moreAccepted()
    }
    expect(node.process.pid).toBe(pid)
    recordFigure(proof, `${engine}: times without file descriptors`, rounds)
  })

  test('stands still for a while goes on by itself', async () => {
    for (let round = 0; round < rounds; round++) {
      await moreAccepted()
      node.process.signal('SIGSTOP')
      await delay(stalledMs)
      node.process.signal('SIGCONT')
      await moreAccepted()
    }
    recordFigure(proof, `${engine}: times stopped for ${stalledMs / 1_000} s`, rounds)
  })

  test('reaches its memory limit ends, and loses nothing when it is started again', async () => {
    for (let round = 0; round < rounds; round++) {
      await moreAccepted()
      const { ended, output } = node.process
      await leakMemory(output.stderr)
      expect(await ended).toBe('SIGABRT')
      expect(output.stderr).toContain('heap out of memory')
      await node.start()
      await moreAccepted()
    }
    recordFigure(proof, `${engine}: times a heap of ${heapMegabytes} MB was full`, rounds)
  })

  test('met all this has lost and doubled nothing', async () => {
    over = true
    await load
    const { findings, counts } = await run.verdict({
      refusals,
      repeatsMax: 3 * rounds * run.tenants.length * 16,
      // On SQLite a process that dies may forget the requests of its last 100 ms.
      requestsForgottenMax: engine === 'sqlite' ? rounds * 20 : 0,
      // Besides its own 10 s a request waits while the process stands still.
      deadlineMs: 10_000 + stalledMs,
    })
    expect(findings).toEqual([])
    recordFigure(proof, `${engine}: messages accepted; lost 0, doubled 0, out of order 0`, counts.accepted)
    recordFigure(proof, `${engine}: connections that broke before the answer`, counts.broken)
    recordFigure(proof, `${engine}: refused`, JSON.stringify(counts.refused))
  })

  async function moreAccepted(): Promise<void> {
    const count = () => run.recorder.history.filter((one) => one.kind === 'answer' && one.status === 200).length
    const enough = count() + 20
    await waitFor(() => count() >= enough, 60_000)
  }
})

/** Through the debugger, because nothing that clients send makes the gateway keep much. */
async function leakMemory(stderr: string): Promise<void> {
  const inspector = await openInspector(stderr)
  const expression = `globalThis.leak = []; setInterval(() => leak.push(new Array(1e6).fill(leak.length)), 5)`
  await inspector.call('Runtime.evaluate', { expression })
}

function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function limitFiles(pid: number, count: number): Promise<void> {
  await promisify(execFile)('prlimit', ['--pid', String(pid), `--nofile=${count}:`])
}
