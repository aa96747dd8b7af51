import { isThisMachine } from '../lib/guarded-http/address-guard.ts'
import type { Runtime } from '../runtime.ts'
import { hasSandboxChannel } from '../store/webhooks/webhooks.ts'

/**
 * May this webhook live on this machine, by https? Outside production, and of an account on a sandbox channel: others
 * have no reason to, and could use it to find out what else listens here.
 */
export async function loopbackAllowed(
  rt: Pick<Runtime, 'config' | 'store'>,
  { account_id, url }: { account_id: string; url: string },
): Promise<boolean> {
  if (rt.config.env === 'production' || !isThisMachine(URL.parse(url)?.hostname ?? '')) return false
  const [row] = await rt.store.read(hasSandboxChannel, { account_id })
  return (row?.found ?? 0) > 0
}
