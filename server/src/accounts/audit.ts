import { createHash } from 'node:crypto'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type AuditRow, appendAudit, lastAudit } from '../store/audit-log.ts'
import { UniqueViolation } from '../store/store-error.ts'
import { Unit, type UnitResult } from '../store/unit.ts'

export type Actor = { type: 'user' | 'api_key' | 'operator' | 'gateway'; id: string | null; name: string }
export type AuditContext = { ip: string | null; user_agent: string | null; request_id: string | null }
export type AuditEntry = {
  accountId: string
  action: string
  actor: Actor
  targets: { type: string; id: string; name: string }[]
  context?: AuditContext
  metadata?: Record<string, unknown>
}

/** Somebody at the machine itself, through the command line. */
export const operator: Actor = { type: 'operator', id: null, name: 'Operator' }
/** The gateway by itself. */
export const gateway: Actor = { type: 'gateway', id: null, name: 'Postern' }
/** What the first entry of an account stands on. */
export const firstHash = '0'.repeat(64)

const triesMax = 10

/**
 * Writes a change together with its lines in the audit log, all of one account. Lines of an account are chained by hash,
 * so the end is read first; when somebody else appended in between, the unit is built again on the new end.
 */
export async function writeAudited(
  rt: Runtime,
  entries: AuditEntry | readonly [AuditEntry, ...AuditEntry[]],
  build: (unit: Unit) => void,
): Promise<UnitResult> {
  const lines = [entries].flat() as AuditEntry[]
  for (let tries = 1; ; tries++) {
    const unit = new Unit()
    build(unit)
    let [end] = await rt.store.read(lastAudit, { account_id: lines[0]?.accountId ?? '' })
    for (const line of lines) {
      const row = nextRow(rt, line, end)
      unit.add(appendAudit, row)
      end = row
    }
    try {
      return await rt.store.write(unit)
    } catch (error) {
      if (!(error instanceof UniqueViolation && error.table === 'audit_log') || tries >= triesMax) throw error
    }
  }
}

function nextRow(rt: Runtime, entry: AuditEntry, last: { seq: number; hash: string } | undefined): AuditRow {
  const now = rt.clock.now()
  const id = rt.newId('aud')
  const prevHash = last?.hash ?? firstHash
  const text = JSON.stringify({
    id,
    action: entry.action,
    occurred_at: formatInstant(now),
    account_id: entry.accountId,
    actor: entry.actor,
    targets: entry.targets,
    context: entry.context ?? { ip: null, user_agent: null, request_id: null },
    metadata: entry.metadata ?? {},
  })
  return {
    account_id: entry.accountId,
    seq: (last?.seq ?? 0) + 1,
    id,
    action: entry.action,
    occurred_at: now,
    entry: text,
    prev_hash: prevHash,
    hash: chainHash(prevHash, text),
  }
}

export function chainHash(prevHash: string, entry: string): string {
  return createHash('sha256').update(prevHash).update('\n').update(entry).digest('hex')
}
