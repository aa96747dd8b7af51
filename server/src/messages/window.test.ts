import { describe, expect, test } from 'vitest'
import { mayFreeForm, type WindowFacts, windowState } from './window.ts'

const day = 86_400_000
const now = 100 * day
const facts = (over: Partial<WindowFacts>): WindowFacts => ({
  policy: 'auto',
  channelKind: 'cloud',
  numberConnectedAt: 0,
  lastInboundAt: null,
  now,
  ...over,
})

describe('the window of a customer', () => {
  test('is open until exactly 24 hours after the last inbound message', () => {
    expect(windowState(facts({ lastInboundAt: now - day + 1 }))).toEqual({ state: 'open', expiresAt: now + 1 })
    expect(windowState(facts({ lastInboundAt: now - day }))).toEqual({ state: 'closed', expiresAt: now })
  })

  test('is closed for a customer who never wrote once the number has listened for 24 hours', () => {
    expect(windowState(facts({ numberConnectedAt: now - day }))).toEqual({ state: 'closed', expiresAt: null })
    expect(windowState(facts({ numberConnectedAt: now - day + 1 }))).toEqual({ state: 'unknown', expiresAt: null })
  })

  test('is unknown on a number reconnected today even if an old message is on record', () => {
    const reconnected = facts({ numberConnectedAt: now - 1, lastInboundAt: now - 2 * day })
    expect(windowState(reconnected)).toEqual({ state: 'unknown', expiresAt: now - day })
  })

  test('is never unknown on a sandbox number or under the strict policy', () => {
    expect(windowState(facts({ channelKind: 'sandbox', numberConnectedAt: now })).state).toBe('closed')
    expect(windowState(facts({ policy: 'strict', numberConnectedAt: now })).state).toBe('closed')
  })

  test('is unknown where a person wrote who may be the customer, until that window is over too', () => {
    const possible = (at: number, over: Partial<WindowFacts> = {}) =>
      windowState(facts({ possibleInboundAt: at, ...over })).state
    expect(possible(now - day + 1)).toBe('unknown')
    expect(possible(now - day + 1, { channelKind: 'sandbox' })).toBe('unknown')
    expect(possible(now - day + 1, { policy: 'strict' })).toBe('closed')
    expect(possible(now - day)).toBe('closed')
  })

  test('stays open when our clock is behind the platform', () => {
    expect(windowState(facts({ lastInboundAt: now + 5_000 })).state).toBe('open')
  })
})

describe('free text', () => {
  test('may go out unless the window is known to be closed', () => {
    expect(mayFreeForm({ state: 'open', expiresAt: now }, 'auto')).toBe(true)
    expect(mayFreeForm({ state: 'unknown', expiresAt: null }, 'auto')).toBe(true)
    expect(mayFreeForm({ state: 'closed', expiresAt: null }, 'auto')).toBe(false)
    expect(mayFreeForm({ state: 'closed', expiresAt: null }, 'strict')).toBe(false)
  })

  test('is never refused locally under the platform policy', () => {
    expect(mayFreeForm({ state: 'closed', expiresAt: null }, 'platform')).toBe(true)
  })
})
