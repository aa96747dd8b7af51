import { randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { insertFact, readFact } from '../store/accounts/installation.ts'
import type { Store } from '../store/engine/store.ts'
import { unitOf } from '../store/engine/unit.ts'

const idName = 'id'

/** Made once per database; names this gateway in tokens, whatever its address is today. */
export function installationId(rt: Runtime): Promise<string> {
  return ensureFact(rt, idName, () => rt.newId('ins'))
}

/** For those who only look: null in a database that no gateway was started on. */
export async function findInstallationId({ store }: Pick<Runtime, 'store'>): Promise<string | null> {
  const [known] = await store.read(readFact, { name: idName })
  return known?.value ?? null
}

/** A fact that is made when it is first needed; of two made at the same moment, every node has the first. */
async function ensureFact({ store }: Pick<Runtime, 'store'>, name: string, make: () => string): Promise<string> {
  const [known] = await store.read(readFact, { name })
  if (known) return known.value
  await store.write(unitOf(insertFact, { name, value: make() }))
  const [made] = await store.read(readFact, { name })
  if (!made) throw new Error(`The installation has no ${name}.`)
  return made.value
}

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
