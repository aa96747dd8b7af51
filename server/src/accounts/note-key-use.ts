import type { Runtime } from '../runtime.ts'
import { noteKeyUse } from '../store/api-keys.ts'
import { Unit } from '../store/unit.ts'

const everyMs = 60_000

/** "Last used" is for people: once a minute per key is enough, and nobody waits for it. */
export function createUseNotes(rt: Runtime): (keyId: string, ip: string) => void {
  const lastNoted = new Map<string, number>()
  return (keyId, ip) => {
    const now = rt.clock.now()
    if (now - (lastNoted.get(keyId) ?? 0) < everyMs) return
    lastNoted.set(keyId, now)
    const unit = new Unit()
    unit.add(noteKeyUse, { id: keyId, last_used_at: now, last_used_ip: ip })
    rt.store.tally(unit).catch((error: unknown) => rt.log.warn({ err: error }, 'api_key.use_not_noted'))
  }
}
