import { randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { insertFact, readFact } from '../store/accounts/installation.ts'
import { Unit } from '../store/engine/unit.ts'

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

async function loadPepper(rt: Tools): Promise<Buffer> {
  const [row] = await rt.store.read(readFact, { name: fact })
  if (row) return rt.secrets.open(pepperPurpose, fact, row.value)
  const unit = new Unit()
  unit.add(insertFact, { name: fact, value: rt.secrets.seal(pepperPurpose, fact, randomBytes(32)) })
  await rt.store.write(unit)
  const [made] = await rt.store.read(readFact, { name: fact })
  if (!made) throw new Error('The installation has no pepper.')
  return rt.secrets.open(pepperPurpose, fact, made.value)
}
