import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { type ClusterRun, clusterSandbox, shortLeases, startRun } from '../support/cluster/cluster-run.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/postgres.ts'
import { promote, startStandby } from '../support/postgres/standby.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const rounds = scaled(1)

describe('two nodes on a primary with a synchronous standby', { timeout: processTimeoutMs * rounds }, () => {
  const cleanup = new AsyncDisposableStack()
  let primary: PostgresServer
  let standby: PostgresServer
  let cluster: Cluster
  let run: ClusterRun

  beforeAll(async () => {
    primary = await startPostgres({ durable: true })
    // Those of the last fail-over.
    cleanup.defer(() => primary.stop())
    standby = await startStandby(primary)
    cleanup.defer(() => standby.stop())
    const hosts = [standby, primary].map(({ url }) => new URL(url).host)
    // The standby first: nodes have to find the one that takes writes already when they start.
    const databaseUrl = `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
    cluster = await startCluster({ databaseUrl, nodes: 2, env: shortLeases, sandbox: clusterSandbox })
    cleanup.defer(() => cluster.close())
    run = cleanup.use(await startRun(cluster))
  }, processTimeoutMs)
  afterAll(() => cleanup.disposeAsync())

  test('find the standby after its promotion, and everything accepted before is there', async () => {
    let over = false
    let slowestMs = 0
    const load = run.load(() => !over)
    try {
      for (let round = 0; round < rounds; round++) {
        if (round > 0) await replaceStandby()
        await moreAccepted()
        const killedAt = performance.now()
        await primary.kill()
        await promote(standby)
        await moreAccepted()
        slowestMs = Math.max(slowestMs, performance.now() - killedAt)
      }
    } finally {
      over = true
      await load
    }
    const refusals = ['500 service_unavailable', '500 send_outcome_unknown', '429 idempotency_in_progress']
    const verdict = await run.verdict({
      refusals,
      repeatsMax: 2 * rounds * cluster.nodes.length * run.tenants.length * 16,
      requestsForgottenMax: rounds * 50,
    })
    expect(verdict.findings).toEqual([])
    const { counts } = verdict
    const note = (figure: string, value: number | string) => recordFigure('fail-over', figure, value)
    note('fail-overs', rounds)
    note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
    note('refused', JSON.stringify(counts.refused))
    note('slowest answer (ms)', counts.slowestAnswerMs)
    note('slowest fail-over: ms from the kill until 20 more messages were accepted', Math.round(slowestMs))
  })

  /** The promoted one is the primary now, and gets a standby where the killed one was. */
  async function replaceStandby(): Promise<void> {
    const port = Number(new URL(primary.url).port)
    await primary.stop()
    primary = standby
    standby = await startStandby(primary, port)
  }

  async function moreAccepted(): Promise<void> {
    const count = () => run.recorder.history.filter((one) => one.kind === 'answer' && one.status === 200).length
    const enough = count() + 20
    await waitFor(() => count() >= enough, 60_000)
  }
})
