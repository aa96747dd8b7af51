import type { Runtime } from '../runtime.ts'
import { noteTokenInAddress } from '../store/connections/connections.ts'
import { unitOf } from '../store/engine/unit.ts'

const notedMax = 1_000

/** Proxies log addresses: a person is told that a token stands in them, and since when. One write for each token. */
export function createAddressNotes(rt: Runtime): (connectionId: string, epoch: number | undefined) => void {
  const noted = new Map<string, number | undefined>()
  return (id, epoch) => {
    // The epoch is another one after a rotation.
    if (noted.has(id) && noted.get(id) === epoch) return
    if (noted.size >= notedMax) noted.clear()
    noted.set(id, epoch)
    const unit = unitOf(noteTokenInAddress, { id, token_in_address_at: rt.clock.now() })
    rt.store.write(unit).catch((error: unknown) => rt.log.warn({ err: error }, 'connection.token_place_not_noted'))
  }
}
