import { minuteMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { countUnresolved } from '../../store/messages/messages.ts'

/** As long as the alert waits: what one crash leaves behind is older by then. */
const youngMs = 15 * minuteMs

/** For the operator's gauge: sends that nobody can say the end of. Young ones should be zero, and return to it. */
export async function measureUnresolved(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(countUnresolved, { since: rt.clock.now() - youngMs })
  const { young = 0, total = 0 } = row ?? {}
  rt.metrics.messagesUnresolved.set({ age: 'young' }, young)
  rt.metrics.messagesUnresolved.set({ age: 'old' }, total - young)
}
