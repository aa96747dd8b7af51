import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { type ClusterRun, clusterSandbox, shortLeases, startRun } from '../support/cluster/cluster-run.ts'
import { type DatabaseFault, databaseFaults, faultyServerSettings } from '../support/cluster/database-faults.ts'
import { type PostgresServer, startPostgres } from '../support/postgres/postgres.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

const proof = 'database faults'
const rounds = scaled(1)
/** In the proof every fault lasts longer than a request may take; in the test, until the nodes have noticed. */
const lastsMs = rounds > 1 ? 15_000 : 0
const refusals = ['500 service_unavailable', '500 send_outcome_unknown', '429 idempotency_in_progress']

describe('two nodes whose PostgreSQL', { timeout: processTimeoutMs * rounds }, () => {
  const cleanup = new AsyncDisposableStack()
  let server: PostgresServer
  let cluster: Cluster
  let run: ClusterRun
  let load: Promise<void>
  let over = false

  beforeAll(async () => {
    server = await startPostgres({ durable: true, settings: faultyServerSettings })
    cleanup.defer(() => server.stop())
    const env = { ...shortLeases, POSTERN_SEND_TIMEOUT_MS: '10000' }
    cluster = await startCluster({ databaseUrl: server.url, nodes: 2, env, sandbox: clusterSandbox })
    cleanup.defer(() => cluster.close())
    run = cleanup.use(await startRun(cluster))
    load = run.load(() => !over)
  }, processTimeoutMs)
  afterAll(async () => {
    over = true
    await load
    await cleanup.disposeAsync()
  })

  test.each(databaseFaults.filter(({ slow }) => !slow || rounds > 1))(
    '$name say so in time, and recover by themselves',
    async (fault) => {
      const before = run.recorder.history.length
      let recoveryMs = 0
      for (let round = 0; round < rounds; round++) {
        await moreAnswers(200, 20)
        const end = await fault.begin(server)
        try {
          await noticed(fault)
          await delay(lastsMs)
        } finally {
          await end()
        }
        const endedAt = performance.now()
        await moreAnswers(200, 20)
        if (fault.endsReadiness) await waitFor(async () => (await readiness()).every((status) => status === 200))
        recoveryMs = Math.max(recoveryMs, performance.now() - endedAt)
      }
      const answers = run.recorder.history.slice(before).filter((entry) => entry.kind === 'answer')
      const refused = answers.filter(({ status }) => status !== 200).map(({ status, code }) => `${status} ${code}`)
      expect(refused.filter((answer) => !refusals.includes(answer))).toEqual([])
      const note = (figure: string, value: number | string) => recordFigure(proof, `${fault.name}: ${figure}`, value)
      note('times', rounds)
      note('messages accepted around it', answers.length - refused.length)
      note('requests refused', refused.length)
      note('slowest recovery (ms)', Math.round(recoveryMs))
    },
  )

  test('failed in all these ways have lost, doubled and kept waiting nothing', async () => {
    over = true
    await load
    const faults = databaseFaults.length * rounds
    const verdict = await run.verdict({
      refusals,
      // A node has up to 16 deliveries of a webhook under way whose end it cannot record.
      repeatsMax: faults * cluster.nodes.length * run.tenants.length * 16,
      requestsForgottenMax: rounds * 50,
    })
    expect(verdict.findings).toEqual([])
    const { counts } = verdict
    const note = (figure: string, value: number | string) => recordFigure(proof, figure, value)
    note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
    note('refused', JSON.stringify(counts.refused))
    note('events at webhooks', counts.events)
    note('events that arrived again', counts.repeats)
    note('slowest answer (ms)', counts.slowestAnswerMs)
  })

  function readiness(): Promise<number[]> {
    return Promise.all(cluster.nodes.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
  }

  async function noticed({ endsReadiness }: DatabaseFault): Promise<void> {
    await moreAnswers(500, 1)
    if (endsReadiness) await waitFor(async () => (await readiness()).every((status) => status === 503))
  }

  async function moreAnswers(status: number, more: number): Promise<void> {
    const count = () => run.recorder.history.filter((one) => one.kind === 'answer' && one.status === status).length
    const enough = count() + more
    await waitFor(() => count() >= enough, 30_000)
  }
})
