import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCluster } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'

// A proof and no test: what it measures says something on a quiet machine only.
const proof = 'one node and three'
const loadMs = scaled(1) * 1_000
/** Below what the two numbers may send a second, so that the nodes are measured and not the limit. */
const senders = 16
const pauseMs = 100

test.each([1, 3])('%i nodes answer the same load', { timeout: processTimeoutMs * 3 }, async (nodes) => {
  await using cleanup = new AsyncDisposableStack()
  const database = await freshDatabase('postgres')
  cleanup.defer(() => database.remove())
  const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
  const cluster = await startCluster({ databaseUrl, nodes, env: clusterSettings, sandbox: clusterSandbox })
  cleanup.defer(() => cluster.close())
  const run = cleanup.use(await startRun(cluster))
  const took: number[] = []
  const until = performance.now() + loadMs
  const sender = async (nth: number) => {
    const tenant = run.tenants[nth % run.tenants.length]
    while (tenant && performance.now() < until) {
      const startedAt = performance.now()
      await run.sendOne(tenant)
      took.push(performance.now() - startedAt)
      await delay(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, nth) => sender(nth)))
  // On a machine that does other things too a node may find the load too much for a moment.
  const { findings, counts } = await run.verdict({ refusals: ['500 service_unavailable'] })
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ broken: 0, repeats: 0 })
  const name = nodes === 1 ? 'one node' : `${nodes} nodes`
  const note = (figure: string, value: number | string) => recordFigure(proof, `${name}: ${figure}`, value)
  note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
  note('refused', JSON.stringify(counts.refused))
  note('messages a second', Math.round(counts.accepted / (loadMs / 1_000)))
  note('answers: p50, p99 (ms)', `${percentile(took, 50)}, ${percentile(took, 99)}`)
  note('from the answer to its first event: p50, p99 (ms)', eventDelays(run.recorder.history))
})

/** How long after the answer to a send its first event was at the webhook; negative where the event was faster. */
function eventDelays(history: Awaited<ReturnType<typeof startRun>>['recorder']['history']): string {
  const answeredAt = new Map(history.flatMap((one) => (one.kind === 'answer' ? [[one.id, one.at] as const] : [])))
  const first = history.filter((one) => one.kind === 'webhook' && one.event.sequence === 1)
  const waits = first.flatMap((one) => ('id' in one ? [one.at - (answeredAt.get(one.id) ?? one.at)] : []))
  return `${percentile(waits, 50)}, ${percentile(waits, 99)}`
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0)
}
