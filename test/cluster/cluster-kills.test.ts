import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { ClusterNode } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import { aCluster, recordVerdict, sendDuring, waitForMore } from '../support/cluster/cluster-proof.ts'
import { leaseMs, shortLeases, startRun } from '../support/cluster/cluster-run.ts'
import { scaled } from '../support/proof.ts'

/** Each round kills or stops every node. */
const rounds = scaled(1)
const timeout = processTimeoutMs * rounds
/** The answer to a repeat while the first request with its key may still be under way, and when nobody knows its end. */
const unknownOutcomes = ['429 idempotency_in_progress', '500 send_outcome_unknown']
/** Meta accepts one message in so many and loses its answer. */
const lossEvery = 4

describe('three nodes on one PostgreSQL, with leases of seconds,', { timeout }, () => {
  // A second is enough for statuses that come: the others are not waited for.
  const nodes = aCluster({ ...shortLeases, POSTERN_SEND_SETTLE_WAIT_MS: '1000' })

  test('lose and double nothing while each of them is killed under load', async () => {
    const { cluster } = nodes
    await using run = await startRun(cluster, { lossEvery })
    const [one, ...others] = cluster.nodes as [ClusterNode, ...ClusterNode[]]
    const kill = async (node: ClusterNode) => {
      await node.kill()
      await node.start()
    }
    await sendDuring(run, async () => {
      for (let round = 0; round < rounds; round++) {
        await kill(one)
        await waitForMore(run)
        await Promise.all(others.map(kill))
      }
    })
    // A node has up to 16 deliveries of a webhook under way when it dies.
    const repeatsMax = rounds * cluster.nodes.length * run.tenants.length * 16
    const verdict = await run.verdict({ repeatsMax, refusals: unknownOutcomes })
    expect(verdict.findings).toEqual([])
    expect(verdict.counts.accepted).toBeGreaterThan(50)
    recordVerdict('kill -9', rounds * cluster.nodes.length, verdict)
  })

  test('take over from one that stops beyond its leases, and it harms nothing when it goes on', async () => {
    const { cluster } = nodes
    await using run = await startRun(cluster, { lossEvery })
    const stopped = cluster.nodes.slice(0, rounds > 1 ? 3 : 1)
    await sendDuring(run, async () => {
      for (let round = 0; round < rounds; round++) {
        for (const { process } of stopped) {
          process.signal('SIGSTOP')
          await delay(leaseMs + 500)
          process.signal('SIGCONT')
          await waitForMore(run)
        }
      }
    })
    const repeatsMax = rounds * stopped.length * run.tenants.length * 16
    // A send that stood still with its node may have too little of its time left to begin.
    const verdict = await run.verdict({ repeatsMax, refusals: [...unknownOutcomes, '500 service_unavailable'] })
    expect(verdict.findings).toEqual([])
    recordVerdict('stopped beyond the leases', rounds * stopped.length, verdict)
  })
})
