import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { listAccounts } from '../store/accounts/accounts.ts'
import { expireAudit, moveAnchor, readAudit } from '../store/accounts/audit-log.ts'
import { Unit } from '../store/engine/unit.ts'
import { anchorPurpose, chainOf, findStart, type Link, sealLink } from './audit-chain.ts'

const batch = 1_000
const page = 100

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

/**
 * True when there may be more. A line that is not as it was written stays, with all after it: otherwise a changed date
 * would make the gateway itself delete the traces.
 */
async function expireBatch(rt: Runtime, accountId: string, before: number): Promise<boolean> {
  const start = await findStart(rt, accountId)
  if (!start) return false
  const rows = await rt.store.read(readAudit, { account_id: accountId, after: start.seq, count: batch })
  const chain = await chainOf(rt, accountId)
  let last: Link = start
  let expired = 0
  for (const row of rows) {
    if (row.occurred_at >= before) break
    if (!chain.follows(last, row)) {
      rt.log.error({ account_id: accountId, line: row.seq }, 'audit.line_not_sound')
      break
    }
    last = row
    expired++
  }
  if (expired === 0) return false
  const { seq, hash } = last
  const unit = new Unit()
  unit.add(moveAnchor, { account_id: accountId, seq, hash, sealed: sealLink(rt, anchorPurpose, accountId, last) })
  unit.add(expireAudit, { account_id: accountId, seq })
  await rt.store.writeApart(unit)
  return expired === batch
}
