import { afterAll, beforeAll } from 'vitest'
import { type Cluster, startCluster } from '../../../scripts/cluster.ts'
import type { Verdict } from '../checker/check-history.ts'
import { processTimeoutMs } from '../child-process.ts'
import { freshDatabase } from '../postgres/databases.ts'
import { recordFigure } from '../proof.ts'
import { waitFor } from '../wait-for.ts'
import { type ClusterRun, clusterSandbox } from './cluster-run.ts'

/** A cluster for the tests of a `describe`. */
export function aCluster(env: Record<string, string>): { readonly cluster: Cluster } {
  const cleanup = new AsyncDisposableStack()
  let started: Cluster
  beforeAll(async () => {
    const database = await freshDatabase('postgres')
    cleanup.defer(() => database.remove())
    const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
    started = await startCluster({ databaseUrl, env, sandbox: clusterSandbox })
    cleanup.defer(() => started.close())
  }, processTimeoutMs)
  afterAll(() => cleanup.disposeAsync())
  return {
    get cluster() {
      return started
    },
  }
}

/** Both tenants send while `faults` happen, from a moment before until a moment after. */
export async function sendDuring(run: ClusterRun, faults: () => Promise<void>): Promise<void> {
  let over = false
  const load = run.load(() => !over)
  try {
    await waitForMore(run)
    await faults()
    await waitForMore(run)
  } finally {
    over = true
    await load
  }
}

export async function waitForMore(run: ClusterRun): Promise<void> {
  const enough = run.begun + 20
  await waitFor(() => run.begun >= enough, 60_000)
}

export function recordVerdict(scenario: string, faults: number, { counts }: Verdict): void {
  const note = (figure: string, value: number | string) => recordFigure('cluster', `${scenario}: ${figure}`, value)
  note('faults', faults)
  note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
  note('connections that broke before the answer', counts.broken)
  note('refused', JSON.stringify(counts.refused))
  note('events at webhooks', counts.events)
  note('events that arrived again', counts.repeats)
  note('slowest answer (ms)', counts.slowestAnswerMs)
}
