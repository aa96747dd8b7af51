import type { Runtime } from '../runtime.ts'
import { readAudit } from '../store/accounts/audit-log.ts'
import { chainHash, firstHash } from './audit.ts'

export type AuditVerdict = { ok: boolean; entries: number; brokenAt: number | null }

const page = 500

/** Follows the chain from its beginning; `brokenAt` is the first line that was changed, removed or put in. */
export async function verifyAudit(rt: Runtime, accountId: string): Promise<AuditVerdict> {
  let prevHash = firstHash
  let seq = 0
  for (;;) {
    const rows = await rt.store.read(readAudit, { account_id: accountId, after: seq, count: page })
    for (const row of rows) {
      const sound = row.seq === seq + 1 && row.prev_hash === prevHash && row.hash === chainHash(prevHash, row.entry)
      if (!sound) return { ok: false, entries: seq, brokenAt: seq + 1 }
      prevHash = row.hash
      seq = row.seq
    }
    if (rows.length < page) return { ok: true, entries: seq, brokenAt: null }
  }
}
