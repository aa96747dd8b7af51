import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { addressKey, phoneForms } from '../lib/phone.ts'
import type { Runtime } from '../runtime.ts'
import { newestInbound } from '../store/messages/contacts.ts'
import { passedAt } from '../store/messages/threads.ts'
import { customerBy } from './customers/find-customer.ts'
import type { NumberFacts } from './number-facts.ts'

/** `auto` refuses what is known to be closed, `strict` also what is unknown, `platform` nothing. */
type WindowPolicy = 'auto' | 'strict' | 'platform'
type WindowState = 'open' | 'closed' | 'unknown'
/** `expiresAt` is the end of the last window, past or future; null when the customer was never seen. */
export type CustomerWindow = { state: WindowState; expiresAt: number | null }

export type WindowFacts = {
  policy: WindowPolicy
  channelKind: 'sandbox' | 'cloud'
  numberConnectedAt: number
  lastInboundAt: number | null
  /** A message came from a number that may be the customer's. */
  possibleInboundAt?: number | null
  now: number
}

/**
 * Whether the customer wrote to this number within the last 24 hours. In a number's first 24 hours that is unknown: the
 * customer may have written before we were listening. A sandbox number has no time before us. It is unknown too where
 * a message came from a number that may be another form of the customer's.
 */
export function windowState(facts: WindowFacts): CustomerWindow {
  const expiresAt = facts.lastInboundAt === null ? null : facts.lastInboundAt + windowMs
  if (expiresAt !== null && facts.now < expiresAt) return { state: 'open', expiresAt }
  const listening = facts.channelKind === 'sandbox' || facts.now - facts.numberConnectedAt >= windowMs
  const possiblyOpen = facts.possibleInboundAt != null && facts.now < facts.possibleInboundAt + windowMs
  return { state: (listening && !possiblyOpen) || facts.policy === 'strict' ? 'closed' : 'unknown', expiresAt }
}

/** Whether anything but a template may be sent. An unknown window is left to the platform to judge. */
export function mayFreeForm(window: CustomerWindow, policy: WindowPolicy): boolean {
  return policy === 'platform' || window.state !== 'closed'
}

export const windowMs = dayMs

type Inbound = { lastInboundAt: number | null; possibleInboundAt?: number | null }

export function describeWindow(rt: Runtime, number: NumberFacts | undefined, inbound: Inbound) {
  if (!number) return { state: 'unknown' as const, expires_at: null }
  const { state, expiresAt } = windowState({
    policy: rt.config.windowPolicy,
    channelKind: number.kind,
    numberConnectedAt: number.connectedAt,
    ...inbound,
    now: rt.clock.now(),
  })
  return { state, expires_at: formatInstant(expiresAt) }
}

/**
 * `possibleInboundAt`: a message came from a number that may be the customer's, or the conversation was passed to us, and
 * what they wrote before went to another responder alone.
 */
type LastInbound = { lastInboundAt: number | null; possibleInboundAt: number | null }

/**
 * Time of a customer's last message or call to a number, under any address. Who has a number that may be theirs is looked
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
