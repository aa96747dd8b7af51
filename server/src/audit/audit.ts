import { setTimeout as pause } from 'node:timers/promises'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type AuditRow, appendAudit, findHead, lastAudit, moveHead } from '../store/accounts/audit-log.ts'
import { UniqueViolation } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import { beginning, type Chain, chainOf, headPurpose, type Link, openLink, sealLink } from './audit-chain.ts'

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

/** Other nodes only: a round that loses waits up to 5 ms more than the one before, at most 50, so they drift apart. */
const triesMax = 40
const jitterStepMs = 5
const jitterMaxMs = 50

/**
 * Writes a change together with its lines in the audit log, all of one account. Lines of an account are chained by hash,
 * so the head is read first; when another node appended in between, the unit is built again on the new head.
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
  const chain = await chainOf(rt, accountId)
  for (let tries = 1; ; tries++) {
    const unit = new Unit()
    build(unit)
    let end = await headOf(rt, accountId)
    for (const line of lines) {
      const row = nextRow(rt, chain, line, end)
      unit.add(appendAudit, row)
      end = row
    }
    unit.add(moveHead, { account_id: accountId, sealed: sealLink(rt, headPurpose, accountId, end) })
    try {
      return await rt.store.write(unit)
    } catch (error) {
      if (!(error instanceof UniqueViolation && error.table === 'audit_log') || tries >= triesMax) throw error
    }
    await pause(Math.random() * Math.min(jitterMaxMs, tries * jitterStepMs))
  }
}

/**
 * The line to go on from is the one that was sealed, not the last one there is: a gap stays where lines are missing.
 * Without a head that is ours, the next line stands on nothing, so that it is found; the change itself is not kept back.
 */
async function headOf(rt: Runtime, accountId: string): Promise<Link> {
  const [sealed] = await rt.store.read(findHead, { account_id: accountId })
  const head = openLink(rt, headPurpose, accountId, sealed?.sealed)
  if (head) return head
  const [last] = await rt.store.read(lastAudit, { account_id: accountId })
  return { ...beginning, seq: last?.seq ?? beginning.seq }
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

function nextRow(rt: Runtime, chain: Chain, entry: AuditEntry, before: Link): AuditRow {
  const now = rt.clock.now()
  const id = rt.newId('aud')
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
    seq: before.seq + 1,
    id,
    action: entry.action,
    occurred_at: now,
    entry: text,
    prev_hash: before.hash,
    hash: chain.hash(before, text),
  }
}
