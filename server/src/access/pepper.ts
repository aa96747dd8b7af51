import { randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { readFact } from '../store/accounts/installation.ts'
import type { Store } from '../store/engine/store.ts'
import { ensureFact } from './installation.ts'

const fact = 'pepper'
export const pepperPurpose = 'pepper'

type Tools = Pick<Runtime, 'store' | 'secrets'>

/**
 * The key behind every stored hash of an API secret: 256 bits made once per installation and sealed with the master key.
 * Not the master key itself, because hashes cannot be made again when that is rotated; the pepper is only sealed anew.
 */
export function createPepper(rt: Tools): () => Promise<Buffer> {
  let pepper: Promise<Buffer> | null = null
  return () => {
    // A database that was away for a moment must not be remembered as having none.
    pepper ??= loadPepper(rt).catch((error: unknown) => {
      pepper = null
      throw error
    })
    return pepper
  }
}

/** It is made at the first start: where there is one, a master key has sealed it. */
export async function hasPepper(store: Pick<Store, 'read'>): Promise<boolean> {
  return (await store.read(readFact, { name: fact })).length > 0
}

async function loadPepper(rt: Tools): Promise<Buffer> {
  const sealed = await ensureFact(rt, fact, () => rt.secrets.seal(pepperPurpose, fact, randomBytes(32)))
  return rt.secrets.open(pepperPurpose, fact, sealed)
}
