import type { Runtime } from '../../runtime.ts'
import { measureWaitingSends } from '../../store/messages/waiting.ts'

/** For the operator's gauges: how many messages wait, and for how long the most overdue one has been due. */
export async function measureWaiting(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const rows = await rt.store.read(measureWaitingSends, { now })
  const count = (priority: 'code' | 'message' | 'held') =>
    rows
      .filter(({ rank, held }) => (held === 1 ? 'held' : rank === 0 ? 'code' : 'message') === priority)
      .reduce((sum, row) => sum + row.count, 0)
  for (const priority of ['code', 'message', 'held'] as const)
    rt.metrics.waitingSends.set({ priority }, count(priority))
  const due = rows.flatMap(({ held, first_due }) => (held === 0 && first_due !== null ? [first_due] : []))
  rt.metrics.waitingOverdue.set({}, due.length === 0 ? 0 : Math.max(0, now - Math.min(...due)) / 1_000)
}
