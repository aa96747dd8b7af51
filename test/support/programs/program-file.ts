import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** What tests start as processes, each more than once, and what these load (contract/preload.cjs). */
export const programs = {
  postern: 'cli/bin/postern.js',
  serve: 'cli/bin/postern.js',
  'delivery-worker': 'test/support/delivery-worker.ts',
  'store-writer': 'test/support/store-writer.ts',
  'hold-exchanges': 'test/support/contract/hold-exchanges.ts',
} as const

/** What Node runs to start a program: in a test run its bundle (build-programs.ts), else its source. */
export function programFile(name: keyof typeof programs): string {
  const bundles = process.env.TEST_PROGRAMS
  return bundles ? join(bundles, `${name}.js`) : join(root, programs[name])
}
