import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { readAuditBackwards } from '../store/audit-log.ts'
import type { Actor, AuditContext } from './audit.ts'
import type { Member } from './console-member.ts'
import type { Page } from './console-requests.ts'

type StoredEntry = {
  id: string
  action: string
  occurred_at: string
  actor: Actor
  targets: { type: string; id: string; name: string }[]
  context: AuditContext
  metadata: Record<string, unknown>
}

/** Who did what, newest first. */
export async function readAuditLog(rt: Runtime, { accountId }: Member, { limit, cursor }: Page) {
  const boundTo = ['audit', accountId]
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : openCursor(rt, cursor, boundTo)
  const rows = await rt.store.read(readAuditBackwards, { account_id: accountId, before, count: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    entries: shown.map(({ entry }) => toEntry(JSON.parse(entry) as StoredEntry)),
    pagination: { limit, has_more: more, next_cursor: more ? rt.cursors.seal([last.seq], boundTo) : null },
  }
}

function toEntry({ id, action, occurred_at, actor, targets, context, metadata }: StoredEntry) {
  const { ip, user_agent, request_id } = context
  return { id, action, occurred_at, actor, targets, ip, user_agent, request_id, metadata }
}

function openCursor(rt: Runtime, cursor: string, boundTo: unknown): number {
  const position = rt.cursors.open(cursor, boundTo)
  if (!position) throw new AppError('invalid_cursor', 'This cursor belongs to another list, or is too old.')
  return Number(position[0])
}
