import type { Runtime } from '../runtime.ts'
import { feedLag } from '../store/webhooks/events.ts'

/** For the operator's gauge: the feed shows nothing past a transaction that does not end, even one of another program. */
export async function measureFeed(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(feedLag, { now: rt.clock.now() })
  rt.metrics.feedLag.set({}, (row?.lag ?? 0) / 1_000)
}
