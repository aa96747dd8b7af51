import type { Runtime } from '../runtime.ts'
import { measureBroadcasts as measure } from '../store/broadcasts/broadcasts.ts'
import { isHold } from './broadcast.ts'

/** For the operator's gauges. */
export async function measureBroadcasts(rt: Runtime): Promise<void> {
  const rows = await rt.store.read(measure, {})
  const stateOf = ({ status, reason }: { status: string; reason: string }) =>
    status === 'paused' ? 'paused' : isHold(reason) ? 'held' : 'running'
  for (const state of ['running', 'held', 'paused'] as const) {
    const count = rows.filter((row) => stateOf(row) === state).reduce((sum, row) => sum + row.count, 0)
    rt.metrics.broadcasts.set({ state }, count)
  }
  const waiting = rows.filter(({ status }) => status === 'running').reduce((sum, row) => sum + row.waiting, 0)
  rt.metrics.broadcastsWaiting.set({}, waiting)
}
