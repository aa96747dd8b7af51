import type { Runtime } from '../runtime.ts'
import type { Gate } from './gate.ts'
import { createMemoryGate } from './gate-memory.ts'
import { createSharedGate } from './gate-shared.ts'

/** A process that has the database to itself counts in memory; several share one statement per batch. Both are exact. */
export function createGate(rt: Runtime): Gate {
  return rt.store.shared ? createSharedGate(rt) : createMemoryGate(rt)
}
