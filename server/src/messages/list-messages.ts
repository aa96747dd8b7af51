import { type PageRequest, readPage } from '../paging.ts'
import type { Runtime } from '../runtime.ts'
import { readList } from '../store/engine/list.ts'
import { type MessageFilters, messageListing } from '../store/messages/message-list.ts'
import { customerBy } from './customers/find-customer.ts'
import { toListItem } from './message-record.ts'
import { readNumbers } from './number-facts.ts'

/** `address`: of the customer whose messages are wanted. */
export type ListRequest = PageRequest & { filters: MessageFilters; address?: string | null; order: 'asc' | 'desc' }

/** A page of messages by time; the cursor knows its filters and is rejected with others. */
export async function listMessages(rt: Runtime, accountId: string, request: ListRequest) {
  const { filters, address = null, order, ...page } = request
  const boundTo = ['messages', accountId, { ...namedFilters(filters), phone_number: address ?? undefined, order }]
  const customer = address === null ? null : await customerBy(rt, accountId, address)
  // An address that nobody has is nobody's id.
  const theirs = address === null ? filters : { ...filters, customerId: customer?.id ?? address }
  const listing = messageListing(accountId, theirs, order)
  const { shown, pagination } = await readPage(rt, listing, { ...page, boundTo }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  const numbers = await readNumbers(rt, accountId)
  return {
    messages: shown.map((row) => toListItem(row, numbers.get(row.number_id)?.phoneNumber ?? null)),
    pagination,
  }
}

/** By the names the caller uses. */
function namedFilters({ customerId, clientReference, apiKeyId, errorCode, ...others }: MessageFilters) {
  return {
    ...others,
    customer_id: customerId,
    client_reference: clientReference,
    api_key_id: apiKeyId,
    error_code: errorCode,
  }
}
