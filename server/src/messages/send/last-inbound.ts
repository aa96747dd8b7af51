import { phoneForms } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { findContact, newestInbound } from '../../store/messages/contacts.ts'
import { passedAt } from '../../store/messages/threads.ts'
import { customerAddresses } from '../linked-addresses.ts'
import { windowMs } from './window.ts'

/**
 * `possibleInboundAt`: a message came from a number that may be the customer's, or the conversation was passed to us, and
 * what they wrote before went to another responder alone.
 */
export type LastInbound = { lastInboundAt: number | null; possibleInboundAt: number | null }

/**
 * When a customer last wrote to a number or called it. They may be known under another form of their number than the
 * one we send to, under one they had before, or by a user id; that is looked up only where our own form says that the
 * window is not open.
 */
export async function lastInbound(
  rt: Runtime,
  { id, accountId }: { id: string; accountId: string },
  address: string,
): Promise<LastInbound> {
  const [contact] = await rt.store.read(findContact, { number_id: id, address })
  const own = contact?.last_inbound_at ?? null
  if (own !== null && rt.clock.now() < own + windowMs) return { lastInboundAt: own, possibleInboundAt: null }
  const addresses = await customerAddresses(rt, accountId, address)
  const possible = addresses.flatMap((one) => phoneForms(one).possible).filter((one) => !addresses.includes(one))
  const [passed] = await rt.store.read(passedAt, { number_id: id, addresses })
  const heard = possible.length === 0 ? null : await newest(rt, id, possible)
  return {
    lastInboundAt: addresses.length === 1 ? own : await newest(rt, id, addresses),
    possibleInboundAt: latest(heard, passed?.at ?? null),
  }
}

async function newest(rt: Runtime, numberId: string, addresses: string[]): Promise<number | null> {
  const [row] = await rt.store.read(newestInbound, { number_id: numberId, addresses })
  return row?.last_inbound_at ?? null
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}
