import { dayMs } from '../../lib/durations.ts'

/** `auto` refuses what is known to be closed, `strict` also what is unknown, `platform` nothing. */
export type WindowPolicy = 'auto' | 'strict' | 'platform'
export type WindowState = 'open' | 'closed' | 'unknown'
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
