import type { Runtime } from '../../runtime.ts'
import { expireKeyCalls } from '../../store/accounts/key-calls.ts'
import { expireUsage } from '../../store/accounts/quotas.ts'
import { expireChains, expireSetupLinks } from '../../store/accounts/token-expiry.ts'
import { expireTokens } from '../../store/accounts/tokens.ts'
import { Unit } from '../../store/engine/unit.ts'

const hourMs = 3_600_000
const usageKeptMs = 40 * 24 * hourMs
const callsKeptMs = 2 * 24 * hourMs
const batch = 2_000

/** Forgets what can no longer be used: tokens past their refresh grace, empty chains, spent links, old usage counts. */
export async function expireOldTokens(rt: Runtime): Promise<'done'> {
  const now = rt.clock.now()
  // An hour more than the grace, so that a refresh that comes too late is still told so.
  const before = now - rt.config.tokenRefreshGraceSeconds * 1_000 - hourMs
  await inBatches(rt, (unit) => unit.add(expireTokens, { before, count: batch }))
  await inBatches(rt, (unit) => unit.add(expireChains, { before, count: batch }))
  const unit = new Unit()
  unit.add(expireSetupLinks, { before: now - 24 * hourMs })
  unit.add(expireUsage, { before: now - usageKeptMs })
  unit.add(expireKeyCalls, { before: now - callsKeptMs })
  await rt.store.writeApart(unit)
  return 'done'
}

type Slot = ReturnType<typeof Unit.prototype.add<Record<never, never>, { id: 'text' }>>

async function inBatches(rt: Runtime, add: (unit: Unit) => Slot): Promise<void> {
  for (;;) {
    const unit = new Unit()
    const slot = add(unit)
    if ((await rt.store.writeApart(unit)).rows(slot).length < batch) return
  }
}
