import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type AuditRow, appendAudit, lastAudit } from '../store/accounts/audit-log.ts'
import { UniqueViolation } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'

export type Actor = { type: 'user' | 'api_key' | 'operator' | 'gateway'; id: string | null; name: string }
export type AuditContext = { ip: string | null; user_agent: string | null; request_id: string | null }
export type Target = { type: string; id: string; name: string }
export type AuditEntry = {
  accountId: string
  action: string
  actor: Actor
  targets: Target[]
  context?: AuditContext | undefined
  metadata?: Record<string, unknown>
}

/** Who made a change, and from where: what its line in the audit log says besides the change itself. */
export type Author = { actor: Actor; context: AuditContext }

/** The operator at the machine itself, through the command line. */
export const operator: Actor = { type: 'operator', id: null, name: 'Operator' }
/** The gateway by itself. */
export const gateway: Actor = { type: 'gateway', id: null, name: 'Postern' }
/** What the first entry of an account stands on. */
export const firstHash = '0'.repeat(64)

/** Other nodes only: a round that loses waits up to 5 ms more than the one before, at most 50, so they drift apart. */
const triesMax = 40
const jitterStepMs = 5
const jitterMaxMs = 50

/**
 * Writes a change together with its lines in the audit log, all of one account. Lines of an account are chained by hash,
 * so the end is read first; when another node appended in between, the unit is built again on the new end.
 */
export async function writeAudited(
  rt: Runtime,
  entries: AuditEntry | readonly [AuditEntry, ...AuditEntry[]],
  build: (unit: Unit) => void,
): Promise<UnitResult> {
  const lines = [entries].flat() as AuditEntry[]
  const accountId = lines[0]?.accountId ?? ''
  // Writers of this process queue up instead of all trying for the same sequence number.
  return rt.mutex(`audit ${accountId}`, () => appendLines(rt, accountId, lines, build))
}

async function appendLines(
  rt: Runtime,
  accountId: string,
  lines: readonly AuditEntry[],
  build: (unit: Unit) => void,
): Promise<UnitResult> {
  for (let tries = 1; ; tries++) {
    const unit = new Unit()
    build(unit)
    let [end] = await rt.store.read(lastAudit, { account_id: accountId })
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
    await pause(Math.random() * Math.min(jitterMaxMs, tries * jitterStepMs))
  }
}

/** A change with its line, or one that leaves none: what the gateway does by itself. */
export async function writeChange(
  rt: Runtime,
  entry: AuditEntry | null,
  build: (unit: Unit) => void,
): Promise<UnitResult> {
  if (entry) return writeAudited(rt, entry, build)
  const unit = new Unit()
  build(unit)
  return rt.store.write(unit)
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
