import { publishEvent } from '../server/src/events/publish-event.ts'
import type { Runtime } from '../server/src/runtime.ts'
import { Unit } from '../server/src/store/engine/unit.ts'

const filler = 'x'.repeat(300)
const atOnce = 1_000

/** Events of about 600 bytes, in turn to each account, in units of their own, as the gateway writes them. */
export async function publishMany(rt: Runtime, count: number, accounts: readonly string[]): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => {
      const accountId = accounts[(from + index) % accounts.length] ?? ''
      const unit = new Unit()
      const data = { message_id: `wamid.${from + index}`, status: 'delivered', filler }
      publishEvent(rt, unit, { accountId, type: 'message.delivered', subject: null, sequence: 1, data })
      return rt.store.write(unit)
    })
    await Promise.all(batch)
  }
}
