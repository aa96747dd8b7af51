import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { byCursor } from '../../components/table/paging.ts'

export type Conversation = Schemas['ConsoleConversation']
export type ConversationLine = Schemas['ConsoleConversationList']['conversations'][number]
export type ThreadMessage = Conversation['messages'][number]

export function useConversations(search: string) {
  return useInfiniteQuery({
    queryKey: ['conversations', 'list', search],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(search ? { search } : {}), ...(pageParam ? { cursor: pageParam } : {}) }
      return call(api.GET('/console/api/conversations', { params: { query }, signal }))
    },
    ...byCursor,
  })
}

export function useThread(customer: string) {
  return useInfiniteQuery({
    queryKey: ['conversations', 'thread', customer],
    queryFn: ({ pageParam, signal }) => {
      const query = { customer, ...(pageParam ? { cursor: pageParam } : {}) }
      return call(api.GET('/console/api/conversation', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: byCursor.getNextPageParam,
  })
}

/**
 * The order of a list that a person reads or points at: rows change where they stand, and none is moved away from under
 * a finger. `waiting` are those that came meanwhile.
 */
export function useSteadyOrder(lines: readonly ConversationLine[], pages: number, isHeld: boolean) {
  const [shown, setShown] = useState({ pages, customers: lines.map(({ customer }) => customer) })
  const current = lines.map(({ customer }) => customer)
  const mayMove = !isHeld || pages !== shown.pages
  useEffect(() => {
    if (mayMove && (pages !== shown.pages || current.join() !== shown.customers.join()))
      setShown({ pages, customers: current })
  })
  const order = mayMove ? current : shown.customers
  const byCustomer = new Map(lines.map((line) => [line.customer, line]))
  return {
    lines: order.flatMap((customer) => byCustomer.get(customer) ?? []),
    waiting: current.filter((customer) => !order.includes(customer)).length,
  }
}
