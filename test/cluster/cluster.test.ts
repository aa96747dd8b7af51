import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, type ClusterNode, startCluster, type Tenant } from '../../scripts/cluster.ts'
import type { Verdict } from '../support/checker/check-history.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import {
  type ClusterRun,
  clusterSandbox,
  clusterSettings,
  leaseMs,
  shortLeases,
  startRun,
} from '../support/cluster/cluster-run.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

/** Each round kills, stops or restarts every node. */
const rounds = scaled(1)
const timeout = processTimeoutMs * rounds
/** The answer to a repeat while the first request with its key may still be under way, and when nobody knows its end. */
const unknownOutcomes = ['400 idempotency_in_progress', '500 send_outcome_unknown']

describe('three nodes on one PostgreSQL, with leases of seconds,', { timeout }, () => {
  const nodes = aCluster(shortLeases)

  test('lose and double nothing while each of them is killed under load', async () => {
    const { cluster } = nodes
    await using run = await startRun(cluster)
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
    await using run = await startRun(cluster)
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

describe('three nodes on one PostgreSQL', { timeout }, () => {
  const nodes = aCluster(clusterSettings)

  test('restart one after the other, and clients that repeat what was refused or cut off notice nothing', async () => {
    const { cluster } = nodes
    await using run = await startRun(cluster)
    await sendDuring(run, async () => {
      for (let round = 0; round < rounds; round++) for (const node of cluster.nodes) await node.restart()
    })
    const verdict = await run.verdict()
    expect(verdict.findings).toEqual([])
    // A request may cross the close of its idle connection. No node has read it: its repeat is answered as the first.
    expect(verdict.counts).toMatchObject({ accepted: run.begun, refused: {}, repeats: 0 })
    recordVerdict('rolling restart', rounds * cluster.nodes.length, verdict)
  })

  test('follow a change made on another at the next request', async () => {
    await using run = await startRun(nodes.cluster)
    const [tenant] = run.tenants as [Tenant]
    const ask = (node: number, path: string, call = {}) => run.ask(node, tenant, path, call)
    const webhook = `/v1/webhooks/${(await ask(0, '/v1/webhooks')).data.webhooks[0].id}`
    for (let nth = 0; nth < 6; nth++) {
      const description = `changed by request ${nth}`
      expect((await ask(nth, webhook, { method: 'PUT', body: { description } })).status).toBe(200)
      expect((await ask(nth + 1, webhook)).data.description).toBe(description)
    }
    const text = { name: 'cluster_notice', category: 'utility', language: 'en' }
    const components = [{ type: 'body', text: 'Your order has left the warehouse.' }]
    const created = await ask(1, '/v1/chat/templates', { body: { ...text, components } })
    expect(created.status).toBe(201)
    const template = `/v1/chat/templates/${created.data.id}`
    for (let nth = 0; nth < 3; nth++) expect((await ask(nth, template)).data.name).toBe(text.name)
    expect((await ask(2, template, { method: 'DELETE' })).status).toBe(200)
    for (let nth = 0; nth < 3; nth++) expect((await ask(nth, template)).data.status).toBe('deleted')

    expect((await ask(0, webhook, { method: 'PUT', body: { events: ['message.delivered'] } })).status).toBe(200)
    for (let nth = 0; nth < 6; nth++) await run.sendOne(tenant)
    const { findings } = await run.verdict({ events: ['message.delivered'] })
    expect(findings).toEqual([])
    const arrived = run.recorder.history.flatMap((entry) => (entry.kind === 'webhook' ? [entry.event] : []))
    expect(new Set(arrived.map(({ type }) => type))).toEqual(new Set(['message.delivered']))
    // One reader of the feed, served by another node at every page.
    const feed: string[] = []
    let page = 0
    let cursor = ''
    await waitFor(async () => {
      const after = cursor && `&cursor=${encodeURIComponent(cursor)}`
      const { data } = await ask(page++, `/v1/events?limit=4${after}`)
      const events = data.events as { id: string; type: string }[]
      feed.push(...events.filter(({ type }) => type.startsWith('message.')).map(({ id }) => id))
      cursor = data.pagination.next_cursor
      return feed.length >= 18
    })
    expect(feed).toHaveLength(18)
    expect(new Set(feed).size).toBe(18)
    expect(feed).toEqual(expect.arrayContaining(arrived.map(({ id }) => id)))
  })
})

/** A cluster for the tests of a `describe`. */
function aCluster(env: Record<string, string>): { readonly cluster: Cluster } {
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
async function sendDuring(run: ClusterRun, faults: () => Promise<void>): Promise<void> {
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

async function waitForMore(run: ClusterRun): Promise<void> {
  const enough = run.begun + 20
  await waitFor(() => run.begun >= enough, 60_000)
}

function recordVerdict(scenario: string, faults: number, { counts }: Verdict): void {
  const note = (figure: string, value: number | string) => recordFigure('cluster', `${scenario}: ${figure}`, value)
  note('faults', faults)
  note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
  note('connections that broke before the answer', counts.broken)
  note('refused', JSON.stringify(counts.refused))
  note('events at webhooks', counts.events)
  note('events that arrived again', counts.repeats)
  note('slowest answer (ms)', counts.slowestAnswerMs)
}
