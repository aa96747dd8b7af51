import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { listAccounts } from '../store/accounts/accounts.ts'
import { expireAudit, moveAnchor, oldestAudit } from '../store/accounts/audit-log.ts'
import { Unit } from '../store/engine/unit.ts'

const batch = 1_000
const page = 100
export const anchorPurpose = 'audit anchor'

/**
 * Lines of the audit log go with the other metadata, oldest first. The number and hash of the last one that went stay as the
 * anchor of the chain, so that what is left can still be verified. The anchor is sealed: an intruder who can only write to
 * the database cannot cut the log and move the anchor to hide it.
 */
export async function expireOldAudit(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - rt.config.retentionMetadataDays * dayMs
  for (let after = ''; ; ) {
    const accounts = await rt.store.read(listAccounts, { after, count: page })
    for (const { id } of accounts) while (await expireBatch(rt, id, before)) {}
    if (accounts.length < page) return 'done'
    after = accounts.at(-1)?.id ?? ''
  }
}

/** True when there may be more. */
async function expireBatch(rt: Runtime, accountId: string, before: number): Promise<boolean> {
  const rows = await rt.store.read(oldestAudit, { account_id: accountId, count: batch })
  const kept = rows.findIndex(({ occurred_at }) => occurred_at >= before)
  const old = kept === -1 ? rows : rows.slice(0, kept)
  const last = old.at(-1)
  if (!last) return false
  const { seq, hash } = last
  const unit = new Unit()
  const sealed = rt.secrets.seal(anchorPurpose, accountId, anchorText(seq, hash))
  unit.add(moveAnchor, { account_id: accountId, seq, hash, sealed })
  unit.add(expireAudit, { account_id: accountId, seq })
  await rt.store.writeApart(unit)
  return old.length === batch
}

export function anchorText(seq: number, hash: string): string {
  return `${seq} ${hash}`
}
