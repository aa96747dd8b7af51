/**
 * The long versions of proofs that `npm test` runs small: `npm run proof [name part...]`. Figures go to docs/proof.md; the
 * rows of proofs that did not run this time are kept. PROOF_SCALE replaces the scale, where the time is short: figures say
 * how much was done.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { withSection } from './proof-page.ts'
import { root, show, tool } from './run-command.ts'

type Proof = { readonly name: string; readonly file: string; readonly scale: number }

/** `scale` multiplies the counts of the small version (see test/support/proof.ts). */
const proofs: readonly Proof[] = [
  { name: 'kill -9 of the store', file: 'test/store/store-kill.test.ts', scale: 20 / 3 },
  { name: 'disk faults', file: 'test/store/store-faults.test.ts', scale: 10 },
  { name: 'plans', file: 'test/store/plans-postgres.test.ts', scale: 20 },
  { name: 'API fuzz', file: 'test/house/fuzz-', scale: 10 },
  { name: 'callback fuzz', file: 'server/src/platform/cloud/callbacks/cloud-callbacks.fuzz.test.ts', scale: 100 },
  { name: 'callbacks to the end', file: 'test/channels/callbacks-fuzz.test.ts', scale: 30 },
  { name: 'sends with kills', file: 'test/messages/sends-with-kills-', scale: 800 },
  { name: 'broadcast with kills', file: 'test/broadcasts/broadcast-kills-', scale: 100 },
  { name: 'broadcast races', file: 'test/broadcasts/broadcast-races.test.ts', scale: 50 },
  { name: 'waiting with kills', file: 'test/messages/waiting-kills.proof.ts', scale: 50 },
  { name: 'broadcast restored', file: 'test/broadcasts/broadcast-restored.proof.ts', scale: 10 },
  { name: 'analytics recount', file: 'test/analytics/analytics-recount.test.ts', scale: 200 },
  { name: 'cost recount', file: 'test/costs/cost-recount.test.ts', scale: 417 },
  { name: 'budgets', file: 'test/costs/budgets.test.ts', scale: 100 },
  { name: 'webhook crash', file: 'test/webhooks/webhooks-crash-proof.test.ts', scale: 50 },
  { name: 'sends of tools with kills', file: 'test/graph/graph-sends-with-kills.test.ts', scale: 417 },
  { name: 'relay crash', file: 'test/graph/relay-crash-proof.test.ts', scale: 200 },
  // Not a count here: anything above 1 makes it wait as long as the product does.
  { name: 'webhook limits at full length', file: 'test/webhooks/webhooks-limits.test.ts', scale: 2 },
  { name: 'faults that an operator sees', file: 'test/cluster/installation-faults.test.ts', scale: 2 },
  { name: 'flooder', file: 'test/webhooks/webhooks-fairness.test.ts', scale: 60 },
  { name: 'a day away', file: 'test/webhooks/webhooks-day-away.test.ts', scale: 250 },
  { name: 'soak', file: 'test/webhooks/webhooks-soak.test.ts', scale: 600 },
  { name: 'copy to PostgreSQL', file: 'test/cli/copy.test.ts', scale: 100 },
  { name: 'slow number', file: 'test/messages/message-bulkhead.test.ts', scale: 30 },
  { name: 'erasure race', file: 'test/messages/erasure-race.test.ts', scale: 50 },
  { name: 'cluster', file: 'test/cluster/cluster', scale: 10 },
  // Seconds.
  { name: 'one node and three', file: 'test/cluster/one-and-three.proof.ts', scale: 60 },
  { name: 'database faults', file: 'test/cluster/database-faults.test.ts', scale: 3 },
  { name: 'fail-over', file: 'test/cluster/fail-over.test.ts', scale: 5 },
  { name: 'overload', file: 'test/cluster/overload.test.ts', scale: 20 },
  { name: 'one tenant floods', file: 'test/cluster/overload-fairness.proof.ts', scale: 6 },
  { name: 'process faults', file: 'test/cluster/process-faults.test.ts', scale: 5 },
  // Minutes.
  { name: 'soak of two nodes', file: 'test/cluster/soak.proof.ts', scale: 30 },
  { name: 'rolling upgrade', file: 'test/cluster/rolling-upgrade.proof.ts', scale: 1 },
  { name: 'pgbouncer', file: 'test/cluster/pgbouncer.proof.ts', scale: 1 },
  { name: 'media store', file: 'test/media/media-store.proof.ts', scale: 10 },
  { name: 'receivers', file: 'test/house/receivers.proof.ts', scale: 1 },
  { name: 'more clients', file: 'test/graph/more-clients.proof.ts', scale: 1 },
  { name: 'pywa', file: 'test/graph/pywa.proof.ts', scale: 1 },
  { name: 'Python SDK', file: 'test/house/python.proof.ts', scale: 1 },
  { name: 'nginx and systemd', file: 'test/house/proxy.proof.ts', scale: 1 },
  { name: 'idempotency', file: 'test/cluster/three-processes.test.ts', scale: 5 },
]

/** A whole name means that proof alone, though it is part of another name. */
function isMeant(name: string, words: string): boolean {
  return proofs.some((proof) => proof.name === words) ? name === words : name.includes(words)
}

type Figure = { proof: string; figure: string; value: number | string }

const page = join(root, 'docs', 'proof.md')
const asked = process.argv.slice(2)
const chosen = proofs.filter(({ name }) => asked.length === 0 || asked.some((words) => isMeant(name, words)))
for (const proof of chosen) await run(proof)

async function run({ name, file, scale: usual }: Proof): Promise<void> {
  const scale = Number(process.env.PROOF_SCALE ?? usual)
  const folder = mkdtempSync(join(tmpdir(), 'postern-proof-'))
  const figures = join(folder, 'figures')
  const startedAt = performance.now()
  note(`${name}: ${file} at scale ${scale.toFixed(1)}`)
  try {
    const env = { PROOF_SCALE: String(scale), PROOF_FIGURES: figures }
    // One file after the other: each has the machine to itself.
    const options = ['--no-file-parallelism', '--testTimeout', '7200000']
    await show({ ...tool('vitest/vitest.mjs', 'run', file, ...options), env })
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1)
    const rows = existsSync(figures) ? readFileSync(figures, 'utf8').trimEnd().split('\n') : []
    writeSection(name, [
      { proof: name, figure: 'minutes', value: minutes },
      ...rows.map((row) => JSON.parse(row) as Figure),
    ])
  } catch (error) {
    process.exitCode = 1
    note(`${name}: FAILED (${(error as Error).message})`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function writeSection(name: string, figures: readonly Figure[]): void {
  const today = new Date().toISOString().slice(0, 10)
  const rows = figures.map(({ figure, value }) => `| ${figure} | ${value} |`)
  const machine = `${today}, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
  const text = `${machine}\n\n| Figure | Value |\n|---|---|\n${rows.join('\n')}\n`
  const before = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const order = proofs.map((proof) => proof.name)
  writeFileSync(page, withSection(before, order, name, text))
}

function note(text: string): void {
  process.stderr.write(`${text}\n`)
}
