/**
 * `npm run bench [name...]` measures and prints; it never judges, because a busy machine is not a defect. With `--json`
 * it prints one JSON object instead of tables.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { analyticsBench } from './analytics.ts'
import { callbacksBench } from './callbacks.ts'
import { coresBench } from './cores.ts'
import { growthBench } from './growth/growth.ts'
import type { Bench, Row, Section } from './harness.ts'
import { passthroughBench } from './passthrough.ts'
import { broadcastsBench } from './pressure/broadcasts.ts'
import { crowdBench } from './pressure/crowd.ts'
import { stormBench } from './pressure/storm.ts'
import { sandboxBench } from './sandbox.ts'
import { sendsBench } from './sends.ts'
import { singleStatusesBench } from './single-statuses.ts'
import { startBench } from './start.ts'
import { statusesBench } from './statuses.ts'
import { storeBench } from './store.ts'
import { tokenCheckBench } from './token-check.ts'
import { relaysBench } from './tools/relays.ts'
import { toolSendsBench } from './tools/tool-sends.ts'
import { webhooksBench } from './webhooks.ts'

const benches: readonly Bench[] = [
  storeBench,
  sandboxBench,
  passthroughBench,
  sendsBench,
  coresBench,
  tokenCheckBench,
  callbacksBench,
  statusesBench,
  singleStatusesBench,
  stormBench,
  crowdBench,
  webhooksBench,
  toolSendsBench,
  relaysBench,
  analyticsBench,
  broadcastsBench,
  growthBench,
  startBench,
]

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  const known = benches.map(({ name, summary }) => `  ${name.padEnd(12)} ${summary}`).join('\n')
  process.stderr.write(`There is no bench ${unknown.join(', ')}. Known are:\n${known}\n`)
  process.exitCode = 2
} else await runAll(benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))

async function runAll(chosen: readonly Bench[]): Promise<void> {
  const machine = { node: process.versions.node, cores: cpus().length, cpu: cpus()[0]?.model.trim() ?? 'unknown' }
  const results: Record<string, Section[]> = {}
  for (const { name, summary, run } of chosen) {
    process.stderr.write(`${name}: ${summary}\n`)
    results[name] = await run()
    if (!values.json) for (const section of results[name]) process.stdout.write(table(section))
  }
  if (values.json) process.stdout.write(`${JSON.stringify({ machine, results }, null, 2)}\n`)
}

/** As Markdown, so that a result can be pasted into a decision. */
function table({ title, rows }: Section): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`
  const cellsOf = (row: Row) => columns.map((column) => row[column] ?? '')
  return `\n${title}\n\n${line(columns)}${line(columns.map(() => '---'))}${rows.map((row) => line(cellsOf(row))).join('')}`
}
