import type { Runtime } from '../runtime.ts'
import { findAnchor, readAudit } from '../store/accounts/audit-log.ts'
import { chainHash, firstHash } from './audit.ts'
import { anchorPurpose, anchorText } from './expire-audit.ts'

export type AuditVerdict = { ok: boolean; entries: number; brokenAt: number | null }

const page = 500

/**
 * Follows the chain from its beginning, or from its anchor where older lines have expired. `entries` counts the lines
 * there are; `brokenAt` is the first line that was changed, removed or put in, or the anchor's when that is not ours.
 */
export async function verifyAudit(rt: Runtime, accountId: string): Promise<AuditVerdict> {
  const [anchor] = await rt.store.read(findAnchor, { account_id: accountId })
  if (anchor && !isOurs(rt, accountId, anchor)) return { ok: false, entries: 0, brokenAt: anchor.seq }
  const start = anchor?.seq ?? 0
  let prevHash = anchor?.hash ?? firstHash
  let seq = start
  for (;;) {
    const rows = await rt.store.read(readAudit, { account_id: accountId, after: seq, count: page })
    for (const row of rows) {
      const sound = row.seq === seq + 1 && row.prev_hash === prevHash && row.hash === chainHash(prevHash, row.entry)
      if (!sound) return { ok: false, entries: seq - start, brokenAt: seq + 1 }
      prevHash = row.hash
      seq = row.seq
    }
    if (rows.length < page) return { ok: true, entries: seq - start, brokenAt: null }
  }
}

function isOurs(rt: Runtime, accountId: string, anchor: { seq: number; hash: string; sealed: string }): boolean {
  try {
    return rt.secrets.open(anchorPurpose, accountId, anchor.sealed).toString() === anchorText(anchor.seq, anchor.hash)
  } catch {
    return false
  }
}
