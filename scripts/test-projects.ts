import { globSync } from 'node:fs'
import { importsOf, readSources } from '../test/support/import-graph.ts'

/** What a test needs: this process alone, databases and processes, or a browser too. */
export type Need = 'unit' | 'service' | 'browser'

const testFiles = [
  '{server,sandbox,sdk,cli,console}/src/**/*.test.ts',
  'test/**/*.test.ts',
  // What needs programs that npm does not bring runs as a proof only.
  ...(process.env.PROOF_SCALE === undefined ? [] : ['test/**/*.proof.ts']),
]

/** A test that imports one of these, directly or not, is more than a unit test. */
const needs: Readonly<Record<string, Need>> = {
  'test/support/browser/shared-browser.ts': 'browser',
  'test/support/postgres/databases.ts': 'service',
  'test/support/postgres/postgres.ts': 'service',
  'test/support/child-process.ts': 'service',
  'node:child_process': 'service',
}

/** Sorts the test files by what they need, seen from their imports, so that nobody keeps a list. */
export function sortTestFiles(root: string): Record<Need, string[]> {
  const imports = new Map(readSources(root).map((file) => [file.path, valuesImportedBy(file)]))
  const gone = Object.keys(needs).find((file) => file.startsWith('test/') && !imports.has(file))
  if (gone) throw new Error(`${gone} has moved: tell scripts/test-projects.ts where tests find it now.`)
  const sorted: Record<Need, string[]> = { unit: [], service: [], browser: [] }
  for (const file of globSync(testFiles, { cwd: root }).sort()) sorted[needOf(file, imports)].push(file)
  return sorted
}

function valuesImportedBy(file: Parameters<typeof importsOf>[0]): string[] {
  return importsOf(file).flatMap(({ to, kind }) => (kind === 'value' ? [to] : []))
}

function needOf(file: string, imports: ReadonlyMap<string, readonly string[]>): Need {
  const reached = new Set([file])
  // A set that grows while it is walked: each file is visited once.
  for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next)
  const found = new Set([...reached].map((one) => needs[one]))
  if (found.has('browser')) return 'browser'
  return found.has('service') ? 'service' : 'unit'
}
