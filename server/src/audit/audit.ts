import { setTimeout as pause } from 'node:timers/promises'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listAccounts } from '../store/accounts/accounts.ts'
import {
  type AuditRow,
  appendAudit,
  expireAudit,
  findAnchor,
  findHead,
  lastAudit,
  moveAnchor,
  moveHead,
  readAudit,
} from '../store/accounts/audit-log.ts'
import { UniqueViolation } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import {
  anchorPurpose,
  beginning,
  type Chain,
  chainOf,
  findStart,
  firstAction,
  headPurpose,
  isSame,
  type Link,
  openLink,
  sealLink,
} from './audit-chain.ts'

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

/** The actor and origin of a change, as recorded in its audit entry. */
export type Author = { actor: Actor; context: AuditContext }

/** The operator at the machine itself, through the command line. */
export const operator: Actor = { type: 'operator', id: null, name: 'Operator' }
/** The gateway by itself. */
export const gateway: Actor = { type: 'gateway', id: null, name: 'Postern' }

/**
 * The log of the installation itself: what is about no account, or outlives it. It has the chain of an account that is
 * called ''.
 */
export const installationLog = ''

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

const batch = 1_000
const page = 100

/**
 * Lines of the audit log go with the other metadata, oldest first. The number and hash of the last one that went stay as the
 * anchor of the chain, so that what is left can still be verified. The anchor is sealed: an intruder who can only write to
 * the database cannot cut the log and move the anchor to hide it.
 */
export async function expireOldAudit(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - rt.config.retentionMetadataDays * dayMs
  while (await expireBatch(rt, installationLog, before)) {}
  for (let after = ''; ; ) {
    const accounts = await rt.store.read(listAccounts, { after, count: page })
    // The log of an account that is being deleted has no beginning any more.
    const whole = accounts.filter(({ deleting_at }) => deleting_at === null)
    for (const { id } of whole) while (await expireBatch(rt, id, before)) {}
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

type AuditVerdict = { ok: boolean; entries: number; brokenAt: number | null }

const verifyPage = 500

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
    const rows = await rt.store.read(readAudit, { account_id: accountId, after: end.seq, count: verifyPage })
    for (const row of rows) {
      const begins = row.seq > 1 || row.action === firstAction || accountId === installationLog
      if (!chain.follows(end, row) || !begins) return broken(end.seq - start.seq, end.seq + 1)
      end = row
      metHead ||= isSame(end, head)
    }
    if (rows.length < verifyPage) break
  }
  // An account's log begins with the account; that of the installation with the first line.
  if (accountId === installationLog && sealedHead === undefined && end.seq === 0) metHead = true
  return metHead ? { ok: true, entries: end.seq - start.seq, brokenAt: null } : broken(end.seq - start.seq, end.seq + 1)
}

function broken(entries: number, brokenAt: number): AuditVerdict {
  return { ok: false, entries, brokenAt }
}
