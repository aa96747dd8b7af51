import { afterAll, afterEach, expect } from 'vitest'
import { resolveImports } from '../resolve-imports.ts'
import { holdExchanges } from './hold-exchanges.ts'
import { endDepartures, takeViolations, tellViolation } from './violations.ts'

/** Runs before every test file, so that no test can forget it; files of a worker share one subscription. */
const shared = globalThis as { postern_exchanges_are_held?: true }
if (!shared.postern_exchanges_are_held) {
  shared.postern_exchanges_are_held = true
  holdExchanges(tellViolation)
  if (process.env.VITEST_MODE === 'RUN') resolveImports()
}

const hold = () => expect(takeViolations(), 'exchanges that are not as recorded in sandbox/contract').toEqual([])
afterEach(() => {
  endDepartures()
  hold()
})
afterAll(hold)
