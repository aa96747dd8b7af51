import type { Runtime } from '../../runtime.ts'
import { oldestUnappliedCallback } from '../../store/channels/callbacks.ts'

/** For the operator's gauge: seconds when all is well. */
export async function measureCallbacks(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(oldestUnappliedCallback, {})
  const at = row?.at ?? null
  rt.metrics.callbackOldestAge.set({}, at === null ? 0 : Math.max(0, rt.clock.now() - at) / 1_000)
}
