import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SkippedStories } from './scripts/skipped-stories.ts'
import { SlowestFiles } from './scripts/slowest-files.ts'
import { sortTestFiles, startingWith } from './scripts/test-projects.ts'
import { findBrowser } from './test/support/browser/find-browser.ts'

const root = import.meta.dirname
const files = sortTestFiles(root)
const hasBrowser = findBrowser() !== null

const docs = 'test/support/programs/global-docs.ts'
const programs = 'test/support/programs/global-programs.ts'
const postgres = 'test/support/postgres/global-postgres.ts'
const browser = 'test/support/browser/global-browser.ts'

// More than two workers on two cores: threads that collect garbage beside a test take from the others more than they save it.
// Uploads of 100 MB take 12 s of processor time instead of 18.
const processes = { pool: 'forks' as const, execArgv: ['--single-threaded-gc'] }

// Alone they need none of what the others do: a bundle of the programs takes 8 s of processor time after each change. In a whole
// run all are one project, so that the same workers run them: each new one imports the whole server again.
const unit = { extends: true, test: { name: 'unit', include: files.unit, pool: 'threads' } } as const
const service = {
  extends: true as const,
  test: { name: 'service', include: files.service, ...processes, globalSetup: [docs, postgres] },
}
const isWholeRun = process.argv.slice(2).join(' ') === 'run'

export default defineConfig({
  test: {
    // Half the time of a test is waiting for a disk, a socket, a process or a browser: two more workers than cores keep these
    // busy. With more, sends take so long that what the product does within its own time limits is not reached.
    maxWorkers: Math.min(12, availableParallelism() + 2),
    // Files of a worker share its modules: importing the server again for each took a third of the run. What a test
    // opens it closes, so the next file finds nothing of it.
    isolate: false,
    sequence: { sequencer: startingWith(files.longestFirst) },
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['default', new SlowestFiles(), new SkippedStories(hasBrowser ? [] : files.browser)],
    setupFiles: ['test/support/contract/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      ...(isWholeRun ? [] : [unit, service]),
      {
        extends: true,
        test: {
          name: 'program',
          include: [
            ...(isWholeRun ? [...files.unit, ...files.service] : []),
            ...files.program,
            ...(hasBrowser ? files.browser : []),
          ],
          ...processes,
          globalSetup: [docs, programs, postgres, ...(hasBrowser ? [browser] : [])],
        },
      },
    ],
  },
})
