import path from 'node:path'
import { afterAll, afterEach, chai, expect, type TaskMeta } from 'vitest'
import { cpuMsSoFar } from '../cpu-time.ts'
import { takeLeaks } from '../leaks/leaks.ts'
import { resolveImports } from '../resolve-imports.ts'
import { holdExchanges } from './hold-exchanges.ts'
import { endDepartures, takeViolations, tellViolation } from './violations.ts'

/** Runs before every test file, so that no test can forget it; files of a worker share one subscription. */
const shared = globalThis as { postern_exchanges_are_held?: true }
if (!shared.postern_exchanges_are_held) {
  shared.postern_exchanges_are_held = true
  // They tell of misspelled assertions, as the compiler does, for a tenth of the time of a small test.
  chai.config.useProxy = false
  holdExchanges(tellViolation)
  if (process.env.VITEST_MODE === 'RUN') resolveImports()
  // Programs that tests start find themselves compiled. Workers come too late for it: at the end of a run each of them
  // would write every module it had imported, which took 11 s.
  process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../../node_modules/.cache/tests')
}

const cpuMsBefore = cpuMsSoFar()
let meta: TaskMeta = {}

const hold = () => {
  expect(takeViolations(), 'exchanges that are not as recorded in sandbox/contract').toEqual([])
  expect(takeLeaks(), 'secrets where none may be').toEqual([])
}
afterEach(({ task }) => {
  meta = task.file.meta
  endDepartures()
  hold()
})
afterAll(() => {
  meta.cpuMs = Math.round(cpuMsSoFar() - cpuMsBefore)
  hold()
})
