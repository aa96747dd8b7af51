import type { Static } from 'typebox'
import { AppError } from '../../contract/app-error.ts'
import type { RequestExportQuery } from '../../contract/console/records.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskText } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { searchRequests } from '../../store/accounts/console-requests.ts'
import type { RequestLogRow } from '../../store/accounts/request-log.ts'
import { type Member, seesPersonalData } from '../console-member.ts'
import { sandboxOnly } from './sandbox-only.ts'

type RequestFilter = Static<typeof RequestExportQuery>
export type Page = { limit: number; cursor: string | null }

/** The newest requests of the account that match, refused ones included: those are what people look for first. */
export async function findRequests(rt: Runtime, member: Member, filter: RequestFilter, { limit, cursor }: Page) {
  const filters = { outcome: filter.outcome ?? 'all', key_id: filter.key_id ?? '', search: filter.search?.trim() ?? '' }
  const boundTo = ['requests', member.accountId, filters]
  const [at, id] = cursor === null ? [Number.MAX_SAFE_INTEGER, ''] : openCursor(rt, cursor, boundTo)
  const rows = await rt.store.read(searchRequests, {
    account_id: member.accountId,
    before_at: at,
    before_id: id,
    ...filters,
    like: `%${filters.search.replace(/[\\%_]/g, '\\$&')}%`,
    count: limit + 1,
  })
  const hidden = !seesPersonalData(member) && !(await sandboxOnly(rt, [member.accountId])).has(member.accountId)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    requests: shown.map(({ account_id: _, at: happenedAt, ...row }) => ({
      ...row,
      at: formatInstant(happenedAt),
      ...(hidden ? withoutPeople(row) : {}),
    })),
    pagination: { limit, has_more: more, next_cursor: more ? rt.cursors.seal([last.at, last.id], boundTo) : null },
    keeps: rt.config.requestLog,
  }
}

/** What was written while there was only the sandbox goes as a whole: nothing in it is masked. */
function withoutPeople({ body, path }: Pick<RequestLogRow, 'body' | 'path'>) {
  return { body: body === null || path !== null ? null : maskText(body), path: null, answer: null }
}

function openCursor(rt: Runtime, cursor: string, boundTo: unknown): [number, string] {
  const position = rt.cursors.open(cursor, boundTo)
  if (!position) throw new AppError('invalid_cursor', 'This cursor belongs to another list, or is too old.')
  return [Number(position[0]), String(position[1])]
}
