import type { Runtime } from '../../runtime.ts'
import { findAliasInbound, findContact } from '../../store/messages/contacts.ts'
import { windowMs } from './window.ts'

/**
 * When a customer last wrote to a number. The channel may know them under another form of their number than the one we
 * send to; that is looked up only where our own form says that the window is not open.
 */
export async function lastInboundAt(rt: Runtime, numberId: string, address: string): Promise<number | null> {
  const place = { number_id: numberId, address }
  const [contact] = await rt.store.read(findContact, place)
  const own = contact?.last_inbound_at ?? null
  if (own !== null && rt.clock.now() < own + windowMs) return own
  const [alias] = await rt.store.read(findAliasInbound, place)
  const other = alias?.last_inbound_at ?? null
  return own === null || other === null ? (own ?? other) : Math.max(own, other)
}
