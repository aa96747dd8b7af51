import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type ClusterNode, startCluster } from '../../scripts/cluster.ts'
import { clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { type Inspector, openInspector } from '../support/inspector.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure } from '../support/proof.ts'

// A proof and no test: below some minutes memory says nothing.
const proof = 'soak of two nodes'
const minutes = Number(process.env.PROOF_SCALE ?? 1)
const looks = 60
/** Of each of eight senders: half an hour stays below the 10,000 requests of the plan. Length finds leaks, not speed. */
const pauseMs = 1_000

const figures = ['heap', 'resident', 'descriptors'] as const
/** `heap` and `resident` in MB. */
type Look = Record<(typeof figures)[number], number>

test('two nodes under load keep memory and sockets flat', async () => {
  await using cleanup = new AsyncDisposableStack()
  const database = await freshDatabase('postgres')
  cleanup.defer(() => database.remove())
  const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
  const env = { ...clusterSettings, NODE_OPTIONS: '--inspect=127.0.0.1:0' }
  const cluster = await startCluster({ databaseUrl, nodes: 2, env, sandbox: clusterSandbox })
  cleanup.defer(() => cluster.close())
  const run = cleanup.use(await startRun(cluster, { pauseMs }))
  const inspectors = await Promise.all(cluster.nodes.map(({ process }) => openInspector(process.output.stderr)))
  cleanup.defer(() => {
    for (const one of inspectors) one.close()
  })
  const seen: Look[] = []
  const until = performance.now() + minutes * 60_000
  const load = run.load(() => performance.now() < until)
  while (performance.now() < until) {
    await delay((minutes * 60_000) / looks)
    const ofNodes = cluster.nodes.map((node, index) => lookAt(node, inspectors[index] as Inspector))
    seen.push(combine(await Promise.all(ofNodes), sum))
  }
  await load
  const { findings, counts } = await run.verdict()
  expect(findings).toEqual([])
  // In the first third code is compiled, pools and caches fill.
  const third = Math.floor(seen.length / 3)
  const middle = combine(seen.slice(third, 2 * third), median)
  const last = combine(seen.slice(-third), median)
  const note = (figure: string, value: number | string) => recordFigure(proof, figure, value)
  note('minutes of load', minutes)
  note('messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
  note('slowest answer (ms)', counts.slowestAnswerMs)
  note('heap of both after a garbage collection, second and last third (MB)', `${middle.heap}, ${last.heap}`)
  note('resident memory of both, likewise (MB)', `${middle.resident}, ${last.resident}`)
  note('open descriptors of both, likewise', `${middle.descriptors}, ${last.descriptors}`)
  expect(last.heap).toBeLessThan(middle.heap * 1.05)
  expect(last.resident).toBeLessThan(middle.resident * 1.1)
  expect(last.descriptors).toBeLessThanOrEqual(middle.descriptors + 4)
})

/** What is garbage is collected first: how much of it lies around says nothing about leaks. */
async function lookAt({ process: { pid } }: ClusterNode, inspector: Inspector): Promise<Look> {
  await inspector.call('HeapProfiler.collectGarbage')
  const { usedSize } = await inspector.call<{ usedSize: number }>('Runtime.getHeapUsage')
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  const descriptors = readdirSync(`/proc/${pid}/fd`).length
  return { heap: usedSize / 2 ** 20, resident: Number(kilobytes) / 1024, descriptors }
}

function combine(all: readonly Look[], by: (values: number[]) => number): Look {
  const [heap = 0, resident = 0, descriptors = 0] = figures.map((figure) => by(all.map((look) => look[figure])))
  return { heap: round(heap), resident: Math.round(resident), descriptors }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
const round = (value: number) => Math.round(value * 10) / 10
