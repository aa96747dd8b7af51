import type { Runtime } from '../runtime.ts'
import { insertFact, readFact } from '../store/accounts/installation.ts'
import { Unit } from '../store/engine/unit.ts'

/** Made once per database; names this gateway in tokens, whatever its address is today. */
export async function installationId(rt: Runtime): Promise<string> {
  const [known] = await rt.store.read(readFact, { name: 'id' })
  if (known) return known.value
  const unit = new Unit()
  unit.add(insertFact, { name: 'id', value: rt.newId('ins') })
  await rt.store.write(unit)
  const [made] = await rt.store.read(readFact, { name: 'id' })
  if (!made) throw new Error('The installation has no id.')
  return made.value
}
