import { globSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { importsOf, readSources } from '../test/support/import-graph.ts'

/** What a test needs: this process alone, databases and processes, the bundled programs, or a browser too. */
export type Need = 'unit' | 'service' | 'program' | 'browser'

/** Each needs what those before it need. */
const order: readonly Need[] = ['unit', 'service', 'program', 'browser']

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
  'test/support/programs/program-file.ts': 'program',
  'node:child_process': 'service',
}

/** The test files by what they need, seen from their imports, so that nobody keeps a list. */
export type TestFiles = Record<Need, string[]> & {
  /** Those that reach most of what tests share first: clusters, programs that are killed, pages in a browser. */
  longestFirst: string[]
}

export function sortTestFiles(root: string): TestFiles {
  const imports = new Map(readSources(root).map((file) => [file.path, valuesImportedBy(file)]))
  const gone = Object.keys(needs).find((file) => file.startsWith('test/') && !imports.has(file))
  if (gone) throw new Error(`${gone} has moved: tell scripts/test-projects.ts where tests find it now.`)
  const found = globSync(testFiles, { cwd: root })
    .sort()
    .map((file) => ({ file, ...lookAt(file, imports) }))
  const filesWith = (need: Need) => found.flatMap((one) => (one.need === need ? one.file : []))
  const longestFirst = spread(found.toSorted((one, other) => other.shared - one.shared)).map(({ file }) => file)
  const byNeed = Object.fromEntries(order.map((need) => [need, filesWith(need)])) as Record<Need, string[]>
  return { ...byNeed, longestFirst }
}

/** Files between two that start a cluster. */
const filesBetween = 5

/**
 * A cluster is several processes. With one in every worker, all of them start so slowly that the product's own time limits are
 * reached, so the files that start one are not next to each other.
 */
function spread<File extends { startsCluster: boolean }>(files: readonly File[]): File[] {
  const clusters = files.filter(({ startsCluster }) => startsCluster)
  const others = files.filter(({ startsCluster }) => !startsCluster)
  return others.flatMap((file, index) => {
    const cluster = index % filesBetween === 0 ? clusters[index / filesBetween] : undefined
    return cluster ? [cluster, file] : [file]
  })
}

/** Vitest starts with the largest files. Some of the longest have a few lines, and the run ended with one of them alone. */
export function startingWith(order: readonly string[]): typeof BaseSequencer {
  const placeOf = new Map(order.map((file, index) => [file, index]))
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ moduleId }: TestSpecification) => placeOf.get(relative(this.ctx.config.root, moduleId)) ?? 0
      const byProject = Object.values(Object.groupBy(files, ({ project }) => project.name))
      return byProject.flatMap((some = []) => some.toSorted((one, other) => place(one) - place(other)))
    }
  }
}

function valuesImportedBy(file: Parameters<typeof importsOf>[0]): string[] {
  return importsOf(file).flatMap(({ to, kind }) => (kind === 'value' ? [to] : []))
}

function lookAt(file: string, imports: ReadonlyMap<string, readonly string[]>) {
  const reached = new Set([file])
  // A set that grows while it is walked: each file is visited once.
  for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next)
  const shared = [...reached].filter((one) => one.startsWith('test/')).length
  const found = new Set([...reached].map((one) => needs[one]))
  const need: Need = order.findLast((need) => found.has(need)) ?? 'unit'
  return { need, shared, startsCluster: reached.has('scripts/cluster.ts') }
}
