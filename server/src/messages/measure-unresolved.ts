import type { Runtime } from '../runtime.ts'
import { countUnresolved } from '../store/messages/messages.ts'

/** For the operator's gauge: sends that nobody can say the end of. It should be zero, and return to it. */
export async function measureUnresolved(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(countUnresolved, {})
  rt.metrics.messagesUnresolved.set({}, row?.total ?? 0)
}
