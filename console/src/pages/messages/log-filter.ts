import type { paths } from '../../api-types.ts'
import { sentTypes } from '../../api-values.ts'
import { messageStatus, statusChoices } from '../../texts.ts'

type Query = NonNullable<paths['/console/api/messages']['get']['parameters']['query']>
export type LogFilter = Omit<Query, 'limit' | 'cursor'>

/** What stands in the address of the page as the API knows it; beside these a span, by name or from one instant to another. */
const plainNames = ['search', 'direction', 'status', 'type', 'template', 'key_id', 'code'] as const
const spanNames = ['time', 'since', 'until'] as const

const spansMs: Record<string, number> = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000 }

export const timeOptions = [
  { value: '', label: 'Any time' },
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
]
export const directionOptions = [
  { value: '', label: 'Both directions' },
  { value: 'outbound', label: 'Outgoing' },
  { value: 'inbound', label: 'Incoming' },
]
export const statusOptions = statusChoices('All statuses', messageStatus)
export const typeOptions = [
  { value: '', label: 'All types' },
  ...[...sentTypes, 'button_reply', 'list_reply'].map((type) => ({ value: type, label: type.replace('_', ' ') })),
]

/** The address of the page as a question. Spans start at whole minutes, so that a question stays the same for one. */
export function readFilter(search: URLSearchParams, now: number): LogFilter {
  const given = Object.fromEntries(
    plainNames.flatMap((name) => {
      const value = search.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  ) as LogFilter
  const spanMs = spansMs[search.get('time') ?? '']
  if (spanMs === undefined) return { ...given, ...instantIn(search, 'since'), ...instantIn(search, 'until') }
  const minuteMs = 60_000
  return { ...given, since: new Date(Math.floor((now - spanMs) / minuteMs) * minuteMs).toISOString() }
}

/** A span is one filter, however it is written. */
export function countFilters(search: URLSearchParams): number {
  const count = plainNames.filter((name) => search.get(name)).length
  return spanNames.some((name) => search.get(name)) ? count + 1 : count
}

function instantIn(search: URLSearchParams, name: 'since' | 'until') {
  const at = Date.parse(search.get(name) ?? '')
  return Number.isNaN(at) ? {} : { [name]: new Date(at).toISOString() }
}

/** The same list from the API, as far as it has the same filters: refusals and their codes it does not know. */
export function listPath({ key_id: keyId, search, status, code: _, ...filter }: LogFilter): string {
  const query = new URLSearchParams({
    ...filter,
    ...(status && status !== 'not_sent' ? { status } : {}),
    ...(keyId ? { api_key_id: keyId } : {}),
    ...(search?.startsWith('+') ? { phone_number: search } : {}),
    limit: '25',
  })
  return `/v1/chat/messages?${query.toString()}`
}
