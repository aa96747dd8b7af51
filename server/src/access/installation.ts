import type { Runtime } from '../runtime.ts'
import { insertFact, readFact } from '../store/accounts/installation.ts'
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
export async function ensureFact({ store }: Pick<Runtime, 'store'>, name: string, make: () => string): Promise<string> {
  const [known] = await store.read(readFact, { name })
  if (known) return known.value
  await store.write(unitOf(insertFact, { name, value: make() }))
  const [made] = await store.read(readFact, { name })
  if (!made) throw new Error(`The installation has no ${name}.`)
  return made.value
}
