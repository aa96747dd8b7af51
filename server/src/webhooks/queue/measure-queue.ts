import type { Runtime } from '../../runtime.ts'
import { queueDepth } from '../../store/webhooks/deliveries.ts'
import { countWebhooks } from '../../store/webhooks/webhooks.ts'

/** Depth and age of the queue and the state of webhooks: of every process, so that they show when no worker runs. */
export async function measureQueue(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const [depth] = await rt.store.read(queueDepth, { now })
  const [endpoints] = await rt.store.read(countWebhooks, {})
  if (!depth || !endpoints) return
  for (const state of ['ready', 'scheduled', 'leased'] as const)
    rt.metrics.webhookQueueDepth.set({ state }, depth[state])
  rt.metrics.webhookQueueOldestAge.set({}, depth.oldest === null ? 0 : (now - depth.oldest) / 1_000)
  for (const state of ['active', 'unverified', 'disabled'] as const) {
    rt.metrics.webhookEndpoints.set({ state }, endpoints[state])
  }
}
