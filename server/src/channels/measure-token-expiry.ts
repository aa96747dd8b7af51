import type { Runtime } from '../runtime.ts'
import { nextTokenExpiry } from '../store/channels/channels.ts'

/** For the operator's gauge: a token that ends takes its channel with it. */
export async function measureTokenExpiry(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(nextTokenExpiry, {})
  rt.metrics.channelTokenExpiry.set({}, (row?.at ?? 0) / 1_000)
}
