import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startCluster } from '../../scripts/cluster.ts'
import { clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure } from '../support/proof.ts'

// A proof and no test: below some minutes memory says nothing.
const proof = 'soak of two nodes'
const minutes = Number(process.env.PROOF_SCALE ?? 1)
const lookEveryMs = 2_000

type Look = { megabytes: number; descriptors: number }

test('two nodes under load keep memory and sockets flat', async () => {
  await using cleanup = new AsyncDisposableStack()
  const database = await freshDatabase('postgres')
  cleanup.defer(() => database.remove())
  const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
  const cluster = await startCluster({ databaseUrl, nodes: 2, env: clusterSettings, sandbox: clusterSandbox })
  cleanup.defer(() => cluster.close())
  const run = cleanup.use(await startRun(cluster))
  const looks: Look[] = []
  const until = performance.now() + minutes * 60_000
  const load = run.load(() => performance.now() < until)
  while (performance.now() < until) {
    await delay(lookEveryMs)
    looks.push(addUp(cluster.nodes.map(({ process }) => lookAt(process.pid))))
  }
  await load
  const { findings, counts } = await run.verdict()
  expect(findings).toEqual([])
  const part = looks.length >> 2
  // The first quarter is for code that is compiled and pools that fill.
  const early = median(looks.slice(part, 2 * part))
  const late = median(looks.slice(-part))
  expect(late.megabytes).toBeLessThan(early.megabytes * 1.2)
  expect(late.descriptors).toBeLessThan(early.descriptors + 20)
  recordFigure(proof, 'minutes of load', minutes)
  recordFigure(proof, 'messages accepted; lost 0, doubled 0, out of order 0', counts.accepted)
  recordFigure(proof, 'slowest answer (ms)', counts.slowestAnswerMs)
  recordFigure(proof, 'memory of both in the second and the last quarter (MB)', `${early.megabytes}, ${late.megabytes}`)
  recordFigure(proof, 'open descriptors of both, likewise', `${early.descriptors}, ${late.descriptors}`)
})

function lookAt(pid: number): Look {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { megabytes: Math.round(Number(kilobytes) / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

function addUp(looks: readonly Look[]): Look {
  const sum = (of: (look: Look) => number) => looks.reduce((total, look) => total + of(look), 0)
  return { megabytes: sum((look) => look.megabytes), descriptors: sum((look) => look.descriptors) }
}

function median(looks: readonly Look[]): Look {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  return {
    megabytes: middle(looks.map((look) => look.megabytes)),
    descriptors: middle(looks.map((look) => look.descriptors)),
  }
}
