import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type ClusterNode, startCluster } from '../../scripts/cluster.ts'
import { buildGateway } from '../../scripts/release/build-gateway.ts'
import { type ClusterRun, clusterSandbox, clusterSettings, startRun } from '../support/cluster/cluster-run.ts'
import { freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure } from '../support/proof.ts'
import { waitFor } from '../support/wait-for.ts'

// A proof and no test: it builds what is published.
const proof = 'rolling upgrade'

test('a release and the next one run beside each other while nodes are replaced', async () => {
  await using cleanup = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'postern-releases-'))
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }))
  const [before, after] = await releases(folder)
  const database = await freshDatabase('postgres')
  cleanup.defer(() => database.remove())
  const databaseUrl = database.database.kind === 'postgres' ? database.database.url : ''
  const program = programOf(before)
  const cluster = await startCluster({ databaseUrl, nodes: 2, env: clusterSettings, sandbox: clusterSandbox, program })
  cleanup.defer(() => cluster.close())
  const run = cleanup.use(await startRun(cluster))
  const [first, second] = cluster.nodes as [ClusterNode, ClusterNode]
  const schemaBefore = await schemaOf(databaseUrl)
  let over = false
  const load = run.load(() => !over)
  cleanup.defer(() => {
    over = true
  })
  await waitForMore(run)
  await first.restart(programOf(after))
  expect(await versionOf(first)).toBe(releaseOf(after))
  expect(await versionOf(second)).toBe(releaseOf(before))
  const schemaAfter = await schemaOf(databaseUrl)
  const begunBeside = run.begun
  await waitForMore(run)
  const sentBeside = run.begun - begunBeside
  await second.restart(programOf(after))
  await waitForMore(run)
  over = true
  await load
  const { findings, counts } = await run.verdict()
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ accepted: run.begun, refused: {}, repeats: 0 })
  expect(schemaAfter).toBeGreaterThan(schemaBefore)
  const note = (figure: string, value: number | string) => recordFigure(proof, figure, value)
  note('releases', `${releaseOf(before)}, ${releaseOf(after)}`)
  note('newest migration before and after', `${schemaBefore}, ${schemaAfter}`)
  note('messages begun while both ran', sentBeside)
  note('messages accepted; lost 0, doubled 0, out of order 0, refused 0', counts.accepted)
  note('connections that broke before the answer', counts.broken)
  note('slowest answer (ms)', counts.slowestAnswerMs)
})

/**
 * Unpacked tarballs of two releases, `PROOF_RELEASES=<folder>:<folder>`; without them this tree, and this tree as if it were
 * a later release with one migration more.
 */
async function releases(folder: string): Promise<[before: string, after: string]> {
  const [one, other] = (process.env.PROOF_RELEASES ?? '').split(':')
  if (one && other) return [one, other]
  const [before, after] = [join(folder, 'before'), join(folder, 'after')] as const
  await buildGateway(before)
  cpSync(before, after, { recursive: true })
  const manifest = join(after, 'server', 'package.json')
  const fields = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  writeFileSync(manifest, JSON.stringify({ ...fields, version: `${fields.version}-next` }))
  const statements = ['alter table accounts add column of_the_next_release bigint']
  const migration = `{ id: migrations.at(-1).id + 1, name: 'next', statements: ${JSON.stringify(statements)} }`
  appendFileSync(join(after, 'server/src/store/migrations/all.js'), `\nmigrations.push(${migration})\n`)
  return [before, after]
}

const programOf = (release: string) => join(release, 'cli', 'bin', 'postern.js')

function releaseOf(release: string): string {
  return (JSON.parse(readFileSync(join(release, 'server', 'package.json'), 'utf8')) as { version: string }).version
}

async function versionOf({ url }: ClusterNode): Promise<string | null> {
  return (await fetch(`${url}/livez`)).headers.get('x-postern-version')
}

async function schemaOf(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query('select max(id)::int as newest from schema_migrations')
    return rows[0].newest
  } finally {
    await client.end()
  }
}

async function waitForMore(run: ClusterRun): Promise<void> {
  const enough = run.begun + 100
  await waitFor(() => run.begun >= enough, 120_000)
}
