import { addressKey, phoneForms } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { newestInbound } from '../../store/messages/contacts.ts'
import { passedAt } from '../../store/messages/threads.ts'
import { customerBy } from '../customers/find-customer.ts'
import { windowMs } from './window.ts'

/**
 * `possibleInboundAt`: a message came from a number that may be the customer's, or the conversation was passed to us, and
 * what they wrote before went to another responder alone.
 */
export type LastInbound = { lastInboundAt: number | null; possibleInboundAt: number | null }

/**
 * When a customer last wrote to a number or called it, under whichever address. Who has a number that may be theirs is looked
 * up only where the window is not open.
 */
export async function lastInbound(
  rt: Runtime,
  { id, accountId }: { id: string; accountId: string },
  address: string,
): Promise<LastInbound> {
  const newest = async (addresses: string[]) => {
    const wanted = { account_id: accountId, number_id: id, addresses: addresses.map(addressKey) }
    const [row] = await rt.store.read(newestInbound, wanted)
    return row?.last_inbound_at ?? null
  }
  const own = await newest([address])
  if (own !== null && rt.clock.now() < own + windowMs) return { lastInboundAt: own, possibleInboundAt: null }
  const known = (await customerBy(rt, accountId, address))?.addresses ?? []
  const theirs = new Set([addressKey(address), ...known.map((one) => one.address)])
  const possible = [...theirs].flatMap((one) => phoneForms(one).possible).filter((one) => !theirs.has(addressKey(one)))
  const addresses = [address, ...known.map(({ shown }) => shown)]
  const [passed] = await rt.store.read(passedAt, { number_id: id, addresses })
  const heard = possible.length === 0 ? null : await newest(possible)
  return { lastInboundAt: own, possibleInboundAt: latest(heard, passed?.at ?? null) }
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}
