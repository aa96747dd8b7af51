import type { Runtime } from '../runtime.ts'
import { findAnchor, findHead, readAudit } from '../store/accounts/audit-log.ts'
import { chainOf, findStart, firstAction, headPurpose, isSame, type Link, openLink } from './audit-chain.ts'

export type AuditVerdict = { ok: boolean; entries: number; brokenAt: number | null }

const page = 500

/**
 * Follows the chain from its beginning, or from its anchor where older lines have expired, to its sealed head. `entries`
 * counts the sound lines; `brokenAt` is the first line that was changed, removed or put in, or the anchor's when that is
 * not ours.
 */
export async function verifyAudit(rt: Runtime, accountId: string): Promise<AuditVerdict> {
  // Read first: lines that are appended from now on are behind it.
  const [sealedHead] = await rt.store.read(findHead, { account_id: accountId })
  const head = openLink(rt, headPurpose, accountId, sealedHead?.sealed)
  const start = await findStart(rt, accountId)
  if (!start) return broken(0, (await rt.store.read(findAnchor, { account_id: accountId }))[0]?.seq ?? 1)
  const chain = await chainOf(rt, accountId)
  let end: Link = start
  let metHead = isSame(start, head)
  for (;;) {
    const rows = await rt.store.read(readAudit, { account_id: accountId, after: end.seq, count: page })
    for (const row of rows) {
      const begins = row.seq > 1 || row.action === firstAction
      if (!chain.follows(end, row) || !begins) return broken(end.seq - start.seq, end.seq + 1)
      end = row
      metHead ||= isSame(end, head)
    }
    if (rows.length < page) break
  }
  return metHead ? { ok: true, entries: end.seq - start.seq, brokenAt: null } : broken(end.seq - start.seq, end.seq + 1)
}

function broken(entries: number, brokenAt: number): AuditVerdict {
  return { ok: false, entries, brokenAt }
}
