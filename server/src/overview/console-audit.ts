import type { Member } from '../access/console-member.ts'
import type { Page } from '../access/request-log/console-requests.ts'
import type { Actor, AuditContext } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { searchAudit } from '../store/accounts/audit-log.ts'

type StoredEntry = {
  id: string
  action: string
  occurred_at: string
  actor: Actor
  targets: { type: string; id: string; name: string }[]
  context: AuditContext
  metadata: Record<string, unknown>
}

export type AuditFilter = { action?: string | undefined; actor?: string | undefined }

/** Who did what, newest first. */
export async function readAuditLog(
  rt: Runtime,
  { accountId }: Member,
  { action = '', actor = '' }: AuditFilter,
  { limit, cursor }: Page,
) {
  const boundTo = ['audit', accountId, action, actor]
  const before = cursor === null ? Number.MAX_SAFE_INTEGER : openCursor(rt, cursor, boundTo)
  const rows = await rt.store.read(searchAudit, {
    account_id: accountId,
    before,
    action,
    actions_like: `${escapeLike(action)}.%`,
    actor_like: actorPattern(actor),
    count: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    entries: shown.map(({ entry }) => toEntry(JSON.parse(entry) as StoredEntry)),
    pagination: { limit, has_more: more, next_cursor: more ? rt.cursors.seal([last.seq], boundTo) : null },
  }
}

/**
 * Entries are kept as the text that was hashed, in which the actor always stands like this. Quotes inside of values are
 * escaped there, so nobody's name can look like it.
 */
function actorPattern(actor: string): string {
  if (actor === '') return ''
  if (actor === 'operator' || actor === 'gateway') return `%"actor":{"type":"${actor}",%`
  const type = actor.startsWith('key_') ? 'api_key' : 'user'
  return `%"actor":{"type":"${escapeLike(type)}","id":"${escapeLike(actor)}",%`
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
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
