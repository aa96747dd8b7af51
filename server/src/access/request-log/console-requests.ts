import type { Static } from 'typebox'
import type { RequestExportQuery } from '../../contract/console/records.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskText } from '../../lib/text/mask.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { searchRequests } from '../../store/accounts/console-requests.ts'
import type { RequestLogRow } from '../../store/accounts/request-log.ts'
import type { Member } from '../console-member.ts'
import { seesPeople } from '../sees-people.ts'
import { sandboxOnly } from './sandbox-only.ts'

type RequestFilter = Static<typeof RequestExportQuery>

/** The newest requests of the account that match, refused ones included: those are what people look for first. */
export async function findRequests(rt: Runtime, member: Member, filter: RequestFilter, { limit, cursor }: PageRequest) {
  const filters = { outcome: filter.outcome ?? 'all', key_id: filter.key_id ?? '', search: filter.search?.trim() ?? '' }
  const boundTo = ['requests', member.accountId, filters]
  const [at, id] = openCursor(rt, cursor, boundTo) ?? [Number.MAX_SAFE_INTEGER, '']
  const rows = await rt.store.read(searchRequests, {
    account_id: member.accountId,
    before_at: Number(at),
    before_id: String(id),
    ...filters,
    like: `%${filters.search.replace(/[\\%_]/g, '\\$&')}%`,
    count: limit + 1,
  })
  const hidden = !seesPeople(member) && !(await sandboxOnly(rt, [member.accountId])).has(member.accountId)
  const { shown, pagination } = toPage(rt, rows, { limit, boundTo, positionOf: (row) => [row.at, row.id] })
  return {
    requests: shown.map(({ account_id: _, at: happenedAt, ...row }) => ({
      ...row,
      at: formatInstant(happenedAt),
      ...(hidden ? withoutPeople(row) : {}),
    })),
    pagination,
    keeps: rt.config.requestLog,
  }
}

/** What was written while there was only the sandbox goes as a whole: nothing in it is masked. */
function withoutPeople({ body, path }: Pick<RequestLogRow, 'body' | 'path'>) {
  return { body: body === null || path !== null ? null : maskText(body), path: null, answer: null }
}
