import { dayMs, hourMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { expireGuesses } from '../../store/accounts/guesses.ts'
import { expireKeyCalls } from '../../store/accounts/key-calls.ts'
import { expireUsage } from '../../store/accounts/quotas.ts'
import { deleteEmptyChain, expireTokens, listOldChains } from '../../store/accounts/tokens.ts'
import { expireSetupLinks } from '../../store/accounts/users.ts'
import { deleteInBatches } from '../../store/engine/delete-in-batches.ts'
import { Unit } from '../../store/engine/unit.ts'

const usageKeptMs = 40 * dayMs
const callsKeptMs = 2 * dayMs
const page = 1_000

/** Forgets what can no longer be used: tokens past their refresh grace, empty chains, spent links, old counts. */
export async function expireOldTokens(rt: Runtime): Promise<'done'> {
  const now = rt.clock.now()
  // An hour more than the grace, so that a refresh that comes too late is still told so.
  const before = now - rt.config.tokenRefreshGraceSeconds * 1_000 - hourMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireTokens, { before, count }))
  await deleteEmptyChains(rt, before)
  const links = { before: now - dayMs }
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireSetupLinks, { ...links, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireUsage, { before: now - usageKeptMs, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireKeyCalls, { before: now - callsKeptMs, count }))
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireGuesses, { before: now - hourMs, count }))
  return 'done'
}

/** Chains that are refreshed for weeks are looked at in every run, but by the reader, and none of them is written. */
async function deleteEmptyChains(rt: Runtime, before: number): Promise<void> {
  for (let after = { after_at: 0, after_id: '' }; ; ) {
    const chains = await rt.store.read(listOldChains, { before, ...after, count: page })
    const empty = chains.filter(({ tokens }) => tokens === 0)
    const unit = new Unit()
    if (empty.length > 0) unit.add(deleteEmptyChain, ...empty.map(({ id }) => ({ id })))
    if (empty.length > 0) await rt.store.writeApart(unit)
    const last = chains.at(-1)
    if (!last || chains.length < page) return
    after = { after_at: last.created_at, after_id: last.id }
  }
}
