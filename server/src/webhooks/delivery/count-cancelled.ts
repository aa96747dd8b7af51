import type { EventType } from '../../contract/events.ts'
import type { Runtime } from '../../runtime.ts'

/** Deliveries that ended without an attempt, because there is nobody left to deliver to. */
export function countCancelled(rt: Pick<Runtime, 'metrics'>, ended: readonly { type: string }[]): void {
  for (const [type, rows] of Map.groupBy(ended, ({ type }) => type as EventType)) {
    rt.metrics.webhookDeliveries.inc({ event: type, result: 'cancelled' }, rows.length)
  }
}
