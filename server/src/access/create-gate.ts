import type { Runtime } from '../runtime.ts'
import type { Gate } from './gate.ts'
import { createMemoryGate } from './gate-memory.ts'
import { createSharedGate } from './gate-shared.ts'

/** One process on SQLite counts in memory; many on PostgreSQL share one statement per tick. Both are exact. */
export function createGate(rt: Runtime): Gate {
  return rt.store.engine === 'sqlite' ? createMemoryGate(rt) : createSharedGate(rt)
}
