import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowestFiles } from './scripts/slowest-files.ts'

export default defineConfig({
  test: {
    include: ['{server,sandbox,sdk,cli}/src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // A process per file: tests open servers, threads and signal handlers, and none may see those of another.
    pool: 'forks',
    // Most tests wait for a disk, a socket or a browser; vitest's own choice would leave a core of two idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', new SlowestFiles()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
