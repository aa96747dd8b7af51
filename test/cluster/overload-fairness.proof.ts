import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCluster, type Tenant } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { type ClusterRun, clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { type Flood, type FloodResult, startFlood } from '../support/cluster/flood.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'

// A proof and no test: it judges times. overload.test.ts asserts what holds on any machine.
const proof = 'one tenant floods'
const rounds = scaled(1)
const phaseMs = 5_000

describe('one tenant that asks for three times what a node can do', { timeout: processTimeoutMs * 10 }, () => {
  const cleanup = new AsyncDisposableStack()
  let run: ClusterRun
  let flood: Flood
  let neighbour: Tenant

  beforeAll(async () => {
    const database = await freshDatabase('postgres')
    cleanup.defer(() => database.remove())
    const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
    const cluster = await startCluster({ databaseUrl, nodes: 1, env: clusterSettings, sandbox: clusterSandbox })
    cleanup.defer(() => cluster.close())
    run = cleanup.use(await startRun(cluster))
    const [flooder, other] = run.tenants as [Tenant, Tenant]
    neighbour = other
    const { apiKey, apiSecret } = flooder
    flood = startFlood({
      url: `${cluster.nodes[0]?.url}/v1/chat/templates?limit=5`,
      authorization: `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`,
      connections: 2_000,
    })
    cleanup.defer(() => flood.close())
  }, processTimeoutMs)
  afterAll(() => cleanup.disposeAsync())

  test('moves the p99 of another by less than two times', async () => {
    await flood.saturate(2_000, 32)
    const closed = await flood.saturate(phaseMs, 32)
    const capacity = Math.round(closed.asked / (phaseMs / 1_000))
    const quiet: number[] = []
    const flooded: number[] = []
    const results: FloodResult[] = []
    for (let round = 0; round < rounds; round++) {
      quiet.push(...(await sendFor(phaseMs)))
      const pouring = flood.pour(phaseMs, 3 * capacity)
      flooded.push(...(await sendFor(phaseMs)))
      results.push(await pouring)
    }
    const note = (figure: string, value: number | string) => recordFigure(proof, figure, value)
    note('reads a second the node answers, 32 at a time', capacity)
    note(
      'reads poured over it, at three times that',
      results.reduce((sum, { asked }) => sum + asked, 0),
    )
    note('answers', JSON.stringify(results.map(({ answers }) => answers)))
    note('slowest answer of the flood (ms)', Math.max(...results.map(({ slowestMs }) => slowestMs)))
    note('sends of the other tenant: p50, p99 quiet (ms)', `${percentile(quiet, 50)}, ${percentile(quiet, 99)}`)
    note('sends of the other tenant: p50, p99 flooded (ms)', `${percentile(flooded, 50)}, ${percentile(flooded, 99)}`)
    expect(percentile(flooded, 99)).toBeLessThan(2 * percentile(quiet, 99))
  })

  /** One send after the other; how long each took. */
  async function sendFor(ms: number): Promise<number[]> {
    const took: number[] = []
    for (const until = performance.now() + ms; performance.now() < until; ) {
      const startedAt = performance.now()
      await run.sendOne(neighbour)
      took.push(performance.now() - startedAt)
    }
    return took
  }
})

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0)
}
