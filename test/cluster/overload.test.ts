import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster, type Tenant } from '../../scripts/cluster.ts'
import { processTimeoutMs } from '../support/child-process.ts'
import type { Reply } from '../support/cluster/cluster-client.ts'
import { type ClusterRun, clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'

const proof = 'overload'
const rounds = scaled(1)
/** SQLite in the proof alone: most of what is tried has nothing to do with the database. */
const tried = rounds > 1 ? engines : (['postgres'] as const)
/** More at a time than an overloaded process takes on. */
const floodSize = 300
/** More than a number may send in the three seconds that a send waits for its number. */
const sendsAtOnce = 300
const neighbourSize = 5
const patienceMs = 20_000
const refusals = ['500 service_unavailable', '429 channel_rate_limited']

describe.each(tried)(
  '%s: a node that gets far more than it can do',
  { timeout: processTimeoutMs * rounds },
  (engine) => {
    const cleanup = new AsyncDisposableStack()
    let cluster: Cluster
    let run: ClusterRun
    let flooder: Tenant
    let neighbour: Tenant

    beforeAll(async () => {
      const database = await freshDatabase(engine)
      cleanup.defer(() => database.remove())
      const databaseUrl = database.database.kind === 'postgres' ? database.database.url : null
      cluster = await startCluster({ databaseUrl, nodes: 1, env: clusterSettings, sandbox: clusterSandbox })
      cleanup.defer(() => cluster.close())
      run = cleanup.use(await startRun(cluster, { connections: floodSize + neighbourSize, repeatsMax: 0 }))
      ;[flooder, neighbour] = run.tenants as [Tenant, Tenant]
    }, processTimeoutMs)
    afterAll(() => cleanup.disposeAsync())

    test('refuses the rest of a flood at once, with a time to come back, and answers others as ever', async () => {
      const ask = (tenant: Tenant) => run.ask(0, tenant, '/v1/chat/messages?limit=50')
      const replies: Reply[] = []
      let over = false
      const asker = async () => {
        while (!over) replies.push(await ask(flooder))
      }
      const flood = Promise.all(Array.from({ length: floodSize }, asker))
      const refused = () => replies.filter(({ status }) => status !== 200)
      const others: Reply[] = []
      const isShown = () => refused().length > 0 && others.length >= neighbourSize
      for (const until = performance.now() + patienceMs; !isShown() && performance.now() < until; ) {
        others.push(await ask(neighbour))
      }
      over = true
      await flood
      const answers = refused().map(
        ({ status, code, headers }) => `${status} ${code} ${Number(headers['retry-after']) > 0}`,
      )
      expect(answers.length).toBeGreaterThan(0)
      expect(new Set(answers)).toEqual(new Set(['500 service_unavailable true']))
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 200))
      expect((await ask(flooder)).status).toBe(200)
    })

    test('sends what it has accepted, loses nothing, and keeps nothing in memory', async () => {
      const { pid } = cluster.nodes[0]?.process ?? { pid: 0 }
      const memory: number[] = []
      for (let round = 0; round < rounds; round++) {
        const flood = Promise.all(Array.from({ length: sendsAtOnce }, () => run.sendOne(flooder)))
        for (let nth = 0; nth < neighbourSize; nth++) await run.sendOne(neighbour)
        await flood
        memory.push(residentMegabytes(pid))
      }
      const startedAt = performance.now()
      await run.sendOne(flooder)
      const recoveryMs = performance.now() - startedAt
      const verdict = await run.verdict({ refusals })
      expect(verdict.findings).toEqual([])
      const answers = run.recorder.history.filter((entry) => entry.kind === 'answer')
      const ofNeighbour = answers.filter(({ tenant }) => tenant === neighbour.name)
      expect(ofNeighbour.map(({ status }) => status)).toEqual(ofNeighbour.map(() => 200))
      expect(answers.at(-1)?.status).toBe(200)
      const { counts } = verdict
      // The heap grows to its working size in the first floods.
      const [afterFirst = 0] = memory.slice(rounds >> 1)
      expect(memory.at(-1)).toBeLessThan(afterFirst * 1.25)
      const note = (figure: string, value: number | string) => recordFigure(proof, `${engine}: ${figure}`, value)
      note(`floods of ${sendsAtOnce} sends at once`, rounds)
      note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
      note('refused', JSON.stringify(counts.refused))
      note('slowest answer (ms)', counts.slowestAnswerMs)
      note('first send of the flooder after the last flood (ms)', Math.round(recoveryMs))
      note('memory after half of the floods, and at the end (MB)', `${afterFirst}, ${memory.at(-1)}`)
    })
  },
)

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
