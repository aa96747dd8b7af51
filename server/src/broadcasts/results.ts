import type { RecipientResult } from '../contract/broadcasts/recipients.ts'
import { formatInstant } from '../lib/instant.ts'
import { csvLine } from '../lib/text/csv.ts'
import { type MessagePricer, messagePricer, priceColumns } from '../messages/message-price.ts'
import { openCursor, type PageRequest } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import type { BroadcastRow } from '../store/broadcasts/broadcasts.ts'
import { findGroups, type GroupRow } from '../store/broadcasts/recipients.ts'
import { type ResultRow, readResults } from '../store/broadcasts/results.ts'
import { type Owner, requireBroadcast } from './broadcast.ts'
import { codeOf, outcomeOf } from './count-results.ts'

export type ResultFilter = { result: RecipientResult | null; code: string | null }
type Position = { group: number; place: number }

const stretch = 1_000
/** A page ends after so many recipients, however few of them it wants. */
const searchedMax = 20_000

/** Recipients in their order with what became of each. */
export async function listRecipients(
  rt: Runtime,
  owner: Owner,
  id: string,
  { result, code, limit, cursor }: PageRequest & ResultFilter,
) {
  const row = await requireBroadcast(rt, owner, id)
  const boundTo = ['broadcast recipients', row.id, { result: result ?? undefined, code: code ?? undefined }] as const
  const [group = 0, place = 0] = (openCursor(rt, cursor, [...boundTo]) ?? []).map(Number)
  const shown: ReturnType<typeof view>[] = []
  let last: Position | null = null
  let searched = 0
  for await (const rows of stretchesOf(rt, row, { group, place })) {
    for (const found of rows) {
      if (shown.length === limit || searched >= searchedMax) {
        const next_cursor = last && rt.cursors.seal([last.group, last.place], [...boundTo])
        return { recipients: shown, pagination: { limit, has_more: true, next_cursor } }
      }
      searched++
      last = { group: found.group_no, place: found.place }
      const seen = view(row, found)
      if (fits(seen, { result, code })) shown.push(seen)
    }
  }
  return { recipients: shown, pagination: { limit, has_more: false, next_cursor: null } }
}

/** All of them as CSV, a stretch at a time. */
export async function recipientsFile(
  rt: Runtime,
  owner: Owner,
  id: string,
  { seesCosts, ...filter }: ResultFilter & { seesCosts: boolean },
): Promise<AsyncGenerator<string>> {
  const row = await requireBroadcast(rt, owner, id)
  return fileOf(rt, row, filter, seesCosts ? await messagePricer(rt, row.account_id) : null)
}

const fileColumns = [
  'line',
  'upload_id',
  'to',
  'client_reference',
  'result',
  'code',
  'message_id',
  'sent_at',
  'delivered_at',
  'read_at',
  'failed_at',
] as const

async function* fileOf(
  rt: Runtime,
  row: BroadcastRow,
  filter: ResultFilter,
  priceOf: MessagePricer | null,
): AsyncGenerator<string> {
  const prices = priceOf ? priceColumns : []
  yield `\uFEFF${csvLine([...fileColumns, ...prices.map(([name]) => name)])}`
  for await (const rows of stretchesOf(rt, row, { group: 0, place: 0 })) {
    const lines = rows.flatMap((found) => {
      const seen = view(row, found)
      if (!fits(seen, filter)) return []
      const { history, country } = found
      const price = (history && priceOf?.({ history, country, origin: null, number_id: row.number_id })) || null
      return csvLine([...fileColumns.map((name) => seen[name]), ...prices.map(([, cellOf]) => cellOf(price))])
    })
    if (lines.length > 0) yield lines.join('')
  }
}

/** From a position on, group by group. */
export async function* stretchesOf(rt: Runtime, { id }: BroadcastRow, from: Position): AsyncGenerator<ResultRow[]> {
  const groups = await rt.store.read(findGroups, { broadcast_id: id })
  for (const { group_no } of groups.filter((group: GroupRow) => group.group_no >= from.group)) {
    for (let after = group_no === from.group ? from.place : 0; ; ) {
      const rows = await rt.store.read(readResults, { broadcast_id: id, group_no, after, count: stretch })
      if (rows.length > 0) yield rows
      if (rows.length < stretch) break
      after = rows.at(-1)?.place ?? 0
    }
  }
}

/** The result of one recipient, with its reason code. */
export function resultOf(
  row: Pick<BroadcastRow, 'status'>,
  found: ResultRow,
): { result: RecipientResult; code: string | null } {
  const { status, skip, place, taken } = found
  if (status !== null) {
    const outcome = outcomeOf({ ...found, status })
    const result = outcome === 'sent' && (status === 'delivered' || status === 'read') ? status : outcome
    return { result, code: status === 'failed' ? codeOf(found.error) : null }
  }
  if (skip !== null && place <= taken) return { result: 'skipped', code: skip }
  if (place <= taken) return { result: 'under_way', code: null }
  if (row.status === 'canceled') return { result: 'canceled', code: null }
  return { result: row.status === 'completed' ? 'expired' : 'waiting', code: null }
}

const sentResults: readonly RecipientResult[] = ['sent', 'delivered', 'read']

export function fits(seen: { result: RecipientResult; code: string | null }, { result, code }: ResultFilter): boolean {
  if (code !== null && seen.code !== code) return false
  if (result === null || seen.result === result) return true
  return (result === 'sent' && sentResults.includes(seen.result)) || (result === 'delivered' && seen.result === 'read')
}

function view(row: BroadcastRow, found: ResultRow) {
  return {
    line: found.line ?? 0,
    upload_id: found.upload_id,
    to: found.address,
    client_reference: found.client_reference,
    ...resultOf(row, found),
    message_id: found.channel_message_id ?? found.message_id,
    sent_at: formatInstant(found.sent_at),
    delivered_at: formatInstant(found.delivered_at),
    read_at: formatInstant(found.read_at),
    failed_at: formatInstant(found.failed_at),
  }
}
