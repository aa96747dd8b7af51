import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { byCursor } from '../../components/table/paging.ts'
import { isDeep } from '../../live-state.ts'

export type Conversation = Schemas['ConsoleConversation']
export type ThreadMessage = Conversation['messages'][number]
/** In a list, or found by a search with the message that says the words. */
export type ConversationLine = Schemas['Conversation'] & { found?: LastMessage | null }
export type LastMessage = NonNullable<Schemas['Conversation']['last_message']>
type ConversationPage = {
  conversations: ConversationLine[]
  address?: string | null
  pagination: Schemas['Pagination']
}

/** What the tabs of the inbox show, by the word in its address. */
export const views = ['all', 'unread', 'mine', 'unassigned', 'closing', 'closed'] as const
export type View = (typeof views)[number]
export type Order = 'activity' | 'waiting'
export type Wanted = { search: string; view: View; order: Order }

export function wantedIn(search: URLSearchParams): Wanted {
  const view = views.find((one) => one === search.get('view')) ?? 'all'
  const order = search.get('order') === 'waiting' ? 'waiting' : 'activity'
  return { search: search.get('search') ?? '', view, order }
}

const filtersOf = {
  all: {},
  unread: { unread: true },
  mine: { assignee: 'me' },
  unassigned: { assignee: 'none' },
  closing: { window: 'closing' },
  closed: { state: 'closed' },
} as const satisfies Record<View, object>

async function readPage(
  { search, view, order }: Wanted,
  cursor: string,
  signal: AbortSignal,
): Promise<ConversationPage> {
  const page = cursor ? { cursor, limit: 100 } : { limit: 50 }
  if (search) {
    return call(api.GET('/console/api/conversation-search', { params: { query: { ...page, search } }, signal }))
  }
  const query = { ...page, ...filtersOf[view], ...(view === 'closed' ? {} : { order }) }
  return call(api.GET('/console/api/conversations', { params: { query }, signal }))
}

/** A list that a person has scrolled far down in is not asked again as a whole: what is new in it is on its first page. */
export function useConversations(wanted: Wanted) {
  const { search, view, order } = wanted
  const list = useInfiniteQuery({
    queryKey: ['conversations', 'list', search, view, order],
    queryFn: ({ pageParam, signal }) => readPage(wanted, pageParam, signal),
    ...byCursor,
  })
  const isLong = list.data !== undefined && isDeep({ state: { data: list.data } })
  const newest = useQuery({
    queryKey: ['conversations', 'newest', search, view, order],
    queryFn: ({ signal }) => readPage(wanted, '', signal),
    enabled: isLong,
    placeholderData: keepPreviousData,
  })
  const pages = list.data?.pages ?? []
  const first = isLong && newest.data ? newest.data.conversations : []
  const lines = new Map<string, ConversationLine>()
  for (const line of [...first, ...pages.flatMap((page) => page.conversations)]) {
    if (!lines.has(line.customer_id)) lines.set(line.customer_id, line)
  }
  return { list, pages, lines: [...lines.values()] }
}

export function useThread(customer: string) {
  return useInfiniteQuery({
    queryKey: ['conversations', 'thread', customer],
    queryFn: ({ pageParam, signal }) => {
      const query = { customer, ...(pageParam ? { cursor: pageParam, limit: 100 } : {}) }
      return call(api.GET('/console/api/conversation', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: byCursor.getNextPageParam,
  })
}

/**
 * The order of a list that a person reads or points at: rows change where they stand, and none is moved away from under
 * a finger. The open one keeps its place, also where it no longer belongs to the list because it was just read or replied
 * to. `news` counts those who are new in it.
 */
export function useSteadyOrder(
  lines: readonly ConversationLine[],
  pages: number,
  hold: { isHeld: boolean; open: string | null; list: string },
) {
  const { isHeld, open, list } = hold
  const [shown, setShown] = useState({ list, pages, customers: lines.map(({ customer }) => customer) })
  const byCustomer = new Map(lines.map((line) => [line.customer, line]))
  const isSame = shown.list === list
  const openLine = useRef<ConversationLine | null>(null)
  const current = lines.map(({ customer }) => customer)
  const place = isSame && open !== null ? shown.customers.indexOf(open) : -1
  const keptLine = openLine.current?.customer === open ? openLine.current : undefined
  if (open !== null && place >= 0 && (byCustomer.has(open) || keptLine)) {
    const at = current.indexOf(open)
    if (at >= 0) current.splice(at, 1)
    current.splice(place, 0, open)
    if (keptLine && !byCustomer.has(open)) byCustomer.set(open, keptLine)
  }
  const mayMove = !isHeld || !isSame || pages !== shown.pages
  useEffect(() => {
    openLine.current = (open !== null && byCustomer.get(open)) || null
    if (mayMove && (!isSame || pages !== shown.pages || current.join() !== shown.customers.join()))
      setShown({ list, pages, customers: current })
  })
  const order = mayMove ? current : shown.customers
  return {
    lines: order.flatMap((customer) => byCustomer.get(customer) ?? []),
    news: current.filter((customer) => !order.includes(customer)).length,
  }
}
