import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, call } from '../../api.ts'
import type { Pages } from '../../components/pagination.tsx'
import type { LogFilter } from './log-filter.ts'

const newsMax = 50

/**
 * The rows stay where they are while new ones arrive: the first page ends at the moment it was asked for, and what came
 * later is only counted until somebody wants to see it. What is shown changes its status by itself.
 */
export function useMessageLog(filter: LogFilter, pages: Pages) {
  const end = useRef<string | null>(null)
  const [shownEnd, setShownEnd] = useState<string | null>(null)
  const [round, setRound] = useState(0)
  const query = { limit: 25, ...filter, ...pages.at }

  const log = useQuery({
    queryKey: ['messages', 'log', query, round],
    queryFn: async () => {
      const until = end.current === null ? {} : { until: end.current }
      const page = await call(api.GET('/console/api/messages', { params: { query: { ...query, ...until } } }))
      if (end.current === null) {
        end.current = page.as_of
        setShownEnd(page.as_of)
      }
      return page
    },
    placeholderData: keepPreviousData,
  })
  const news = useQuery({
    queryKey: ['messages', 'news', filter, shownEnd],
    queryFn: async () => {
      const since = { since: shownEnd ?? '', limit: newsMax }
      const page = await call(api.GET('/console/api/messages', { params: { query: { ...filter, ...since } } }))
      return page.entries.length
    },
    enabled: shownEnd !== null && pages.isFirst,
  })

  /** From now on, everything up to now. */
  function catchUp(): void {
    end.current = null
    setRound(round + 1)
  }

  const count = news.data ?? 0
  return { log, news: count >= newsMax ? `${newsMax}+` : count > 0 ? `${count}` : null, catchUp }
}
