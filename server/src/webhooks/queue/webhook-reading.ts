import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveryTarget } from '../../store/webhooks/webhooks.ts'

/** A webhook as it was read to start a delivery, and when that began, by the process's own stopwatch. */
export type WebhookReading = { readonly target: DeliveryTarget; readonly atMs: number }

/** For so long a reading serves what starts after it: a busy webhook would be read for nearly every delivery. */
const freshMs = 10

export function isFresh({ atMs }: WebhookReading): boolean {
  return performance.now() - atMs < freshMs
}

/** A change of a webhook is answered after this: by now no process uses what it read before the change. */
export function outliveReadings(): Promise<void> {
  // Timers may come a millisecond early.
  return delay(freshMs + 2)
}
