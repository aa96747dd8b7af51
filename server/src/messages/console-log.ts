import type { Static } from 'typebox'
import type { Member } from '../access/console-member.ts'
import type { LogExportQuery } from '../contract/console/messages.ts'
import { type SentType, sendPath, sentTypes } from '../contract/messages/send-requests.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import { parseRecipient } from '../lib/phone.ts'
import { mergeFound, openCursor, type PageRequest, toPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { templateStates } from '../store/accounts/accounts.ts'
import { listApiKeys } from '../store/accounts/api-keys.ts'
import type { RequestLogRow } from '../store/accounts/request-log.ts'
import { type Found, readList, type Stretch } from '../store/engine/list.ts'
import { findNames } from '../store/messages/customers.ts'
import { type MessageFilters, messageListing, notSentListing } from '../store/messages/message-list.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { previewOf } from './content/inbound-content.ts'
import { customerBy } from './customers/find-customer.ts'
import { findMessageBy } from './get-message.ts'
import type { MessagePrice, MessagePricer } from './message-price.ts'
import { customerOf, type MessageFailure, publicId } from './message-record.ts'
import { hiddenMessage, hidesPeople } from './privacy.ts'

type LogFilter = Static<typeof LogExportQuery>

type Statuses = 'waiting' | 'canceled' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received' | 'not_sent'

/**
 * Messages and refused sends in one list by time, newest first: what was not sent is what people look for first. With their
 * prices where there is something to price them.
 */
export async function findMessages(
  rt: Runtime,
  member: Member,
  filter: LogFilter,
  { limit, cursor }: PageRequest,
  priceOf: MessagePricer | null = null,
) {
  // "The last hour" begins and ends somewhere else with every question; where the reader stands decides.
  const { since: _, until: __, ...lasting } = filter
  const boundTo = ['console-messages', member.accountId, lasting]
  const stretch = { after: openCursor(rt, cursor, boundTo), count: limit + 1 }
  const asOf = rt.clock.now()
  const hidden = await hidesPeople(rt, member)
  const [messages, refused] = await Promise.all([
    readMessages(rt, member, filter, { hidden, stretch }),
    readNotSent(rt, member, { filter, stretch }),
  ])
  const found = mergeFound(
    [
      mapFound(messages, (row) => ({
        ...fromMessage(hidden ? hiddenMessage(row) : row, hidden),
        ...(priceOf ? { price: priceOf(row) } : {}),
      })),
      mapFound(refused, fromRequest),
    ],
    byTime,
  )
  const { shown, pagination } = toPage(rt, found, {
    limit,
    boundTo,
    positionOf: ({ position }) => position,
    timeOf: ({ position: [at] }) => at,
  })
  const nameOf = hidden ? () => null : await namesOf(rt, member.accountId, shown)
  return {
    entries: shown.map(({ position: [at], ...entry }) => ({
      ...entry,
      name: entry.name ?? nameOf(entry.customer),
      at: formatInstant(at),
    })),
    pagination,
    as_of: formatInstant(asOf),
    hidden,
  }
}

/** What is sent carries no name: the customer told theirs when they wrote. */
async function namesOf(rt: Runtime, accountId: string, entries: readonly Entry[]) {
  const addresses = new Set(entries.flatMap(({ name, customer }) => (name === null && customer ? [customer] : [])))
  if (addresses.size === 0) return () => null
  const found = await rt.store.read(findNames, { account_id: accountId, addresses: [...addresses] })
  const names = new Map(found.map(({ address, name }) => [address, name]))
  return (customer: string | null) => (customer === null ? null : (names.get(customer) ?? null))
}

async function readMessages(
  rt: Runtime,
  { accountId }: Member,
  filter: LogFilter,
  { hidden, stretch }: { hidden: boolean; stretch: Stretch },
): Promise<Found<MessageRow>> {
  if (filter.status === 'not_sent') return nothing
  const searched = await readSearch(rt, accountId, filter.search?.trim() ?? '', hidden)
  if (searched.kind === 'one') return stretch.after === null ? { rows: [searched.row], edge: null } : nothing
  const filters = { ...toFilters(filter), ...searched.filters }
  return readList(rt.store, accountId, messageListing(accountId, filters, 'desc'), stretch)
}

type Search = { kind: 'one'; row: MessageRow } | { kind: 'filter'; filters: MessageFilters }

/** An id leads to one message, a number to a customer, if people are shown; everything else is a caller's reference. */
async function readSearch(rt: Runtime, accountId: string, search: string, hidden: boolean): Promise<Search> {
  if (search === '') return { kind: 'filter', filters: {} }
  const row = await findMessageBy(rt, accountId, search)
  if (row) return { kind: 'one', row }
  const address = parseRecipient(/^\d/.test(search) ? `+${search}` : search)
  // Guessing numbers until one is found would tell who writes to whom.
  if (!address.ok || hidden) return { kind: 'filter', filters: { clientReference: search } }
  const customer = await customerBy(rt, accountId, address.value)
  return { kind: 'filter', filters: customer ? { customerId: customer.id } : { clientReference: search } }
}

function toFilters(filter: LogFilter): MessageFilters {
  const { direction, status, type, template, key_id, code, since, until } = filter
  return {
    ...(direction ? { direction } : {}),
    ...(status ? { status: [status] } : {}),
    ...(type ? { type } : {}),
    ...(template ? { template } : {}),
    ...(key_id ? { apiKeyId: key_id } : {}),
    ...(code ? { errorCode: code } : {}),
    ...(since ? { since: parseInstant(since) ?? 0 } : {}),
    ...(until ? { until: parseInstant(until) ?? Number.MAX_SAFE_INTEGER } : {}),
  }
}

async function readNotSent(
  rt: Runtime,
  { accountId }: Member,
  { filter, stretch }: { filter: LogFilter; stretch: Stretch },
): Promise<Found<RequestLogRow>> {
  const { direction, status, type, template, search, since, until } = filter
  const route = type ? sentTypes[type as SentType] : ''
  const elsewhere = direction === 'inbound' || (status !== undefined && status !== 'not_sent')
  if (elsewhere || template || route === undefined) return nothing
  const listing = notSentListing(accountId, {
    since: since ? (parseInstant(since) ?? 0) : undefined,
    until: until ? (parseInstant(until) ?? Number.MAX_SAFE_INTEGER) : undefined,
    route: route === '' ? undefined : sendPath(route),
    keyId: filter.key_id,
    search: search?.trim(),
    code: filter.code,
  })
  return readList(rt.store, accountId, listing, stretch)
}

type Entry = {
  position: readonly [at: number, id: string]
  id: string
  direction: 'outbound' | 'inbound'
  customer: string | null
  name: string | null
  type: string
  template: string | null
  preview: string | null
  status: Statuses
  unresolved: boolean
  code: string | null
  http_status: number | null
  client_reference: string | null
  price?: MessagePrice | null
}

function fromMessage(row: MessageRow, hidden: boolean): Entry {
  const error = row.error === null ? null : (JSON.parse(row.error) as MessageFailure)
  return {
    position: [row.created_at, row.id],
    id: publicId(row),
    direction: row.direction as 'outbound' | 'inbound',
    customer: customerOf(row),
    name: row.customer_name,
    type: row.type,
    template: row.template,
    preview: hidden ? null : previewOf(row),
    status: row.status as Statuses,
    unresolved: row.outcome === 'unknown',
    code: error?.code ?? null,
    http_status: null,
    client_reference: row.client_reference,
  }
}

function fromRequest(row: RequestLogRow): Entry {
  const form = row.route.split('/').at(-1) ?? ''
  return {
    position: [row.at, row.id],
    id: row.id,
    direction: 'outbound',
    customer: null,
    name: null,
    type: form === 'send' ? 'text' : form,
    template: null,
    preview: null,
    status: 'not_sent',
    unresolved: false,
    code: row.code,
    http_status: row.status,
    client_reference: null,
  }
}

/** The same entry is no further than itself. */
function byTime({ position: [at, id] }: Entry, { position: [otherAt, otherId] }: Entry): number {
  return otherAt - at || (id === otherId ? 0 : id < otherId ? 1 : -1)
}

const nothing = { rows: [], edge: null }

function mapFound<Row>({ rows, edge }: Found<Row>, toEntry: (row: Row) => Entry): Found<Entry> {
  return { rows: rows.map(toEntry), edge: edge && toEntry(edge) }
}

/** The filters of the log: templates and API keys, by name. */
export async function describeFilters(rt: Runtime, { accountId }: Member) {
  const [templates, keys] = await Promise.all([
    rt.store.read(templateStates, { account_id: accountId }),
    rt.store.read(listApiKeys, { account_id: accountId }),
  ])
  return {
    templates: [...new Set(templates.map(({ name }) => name))].sort(),
    keys: keys.map(({ id, name }) => ({ id, name })),
  }
}
