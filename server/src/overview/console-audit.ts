import { entryBy, type Member } from '../access/console-member.ts'
import { type Actor, type AuditContext, writeAudited } from '../audit/audit.ts'
import { validationFailed } from '../contract/app-error.ts'
import { dayMs } from '../lib/durations.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { auditListing } from '../store/accounts/audit-log.ts'
import { readList } from '../store/engine/list.ts'

type StoredEntry = {
  id: string
  action: string
  occurred_at: string
  actor: Actor
  targets: { type: string; id: string; name: string }[]
  context: AuditContext
  metadata: Record<string, unknown>
}

type AuditFilter = Partial<Record<'action' | 'actor' | 'from' | 'to' | 'search', string | undefined>>

/** The audit log, newest first. */
export async function readAuditLog(
  rt: Runtime,
  { accountId }: Member,
  { action = '', actor = '', from, to, search = '' }: AuditFilter,
  { limit, cursor }: PageRequest,
) {
  const boundTo = ['audit', accountId, { action, actor, from, to, search }]
  const listing = auditListing(accountId, {
    ...{ action, actorLike: actorPattern(actor), words: search.trim() },
    fromAt: from === undefined ? null : dayStart('from', from),
    toAt: to === undefined ? null : dayStart('to', to) + dayMs,
  })
  const { shown, pagination } = await readPage(rt, listing, { limit, cursor, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  return {
    entries: shown.map(({ entry }) => toEntry(JSON.parse(entry) as StoredEntry)),
    pagination,
  }
}

/** A day that exists: 30 February does not. */
function dayStart(field: 'from' | 'to', text: string): number {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return at
  const problem = { field, location: 'query', code: 'invalid_value', message: 'This day does not exist.' } as const
  throw validationFailed([problem])
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

export type ExportedLog = 'audit' | 'messages' | 'requests'

/** Writes down who takes a log away and how much of it, before the first line leaves. What was searched may be a person. */
export async function beginExport(
  rt: Runtime,
  member: Member,
  log: ExportedLog,
  filter: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { accountId } = member
  await requireWithinLimit(rt, 'export', accountId, 'At most ten exports can be made in a minute.')
  const { search, ...rest } = filter
  const metadata = { ...rest, ...(search === undefined ? {} : { searched: true }) }
  const target = { type: 'log', id: log, name: log }
  await writeAudited(rt, { ...entryBy(member, `${log}.exported`, target), metadata }, () => {})
}
