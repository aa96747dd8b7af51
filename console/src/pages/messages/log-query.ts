import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { byCursor, pageAt } from '../../components/table/paging.ts'
import { keepForReturn, returnedTo } from '../../history-memory.ts'
import { type LogFilter, readFilter } from './log-filter.ts'

type Page = Schemas['ConsoleMessageLog']
const newsMax = 50

/**
 * The rows stay where they are while new ones arrive: a round ends at the moment its first page was asked for, and what
 * came later is only counted until the reader asks for it. A reader who comes back from a message finds the round they
 * left. A span of time begins where the round found it, because cursors hold for one question. What is shown changes
 * its status by itself.
 */
export function useMessageLog(search: URLSearchParams) {
  const client = useQueryClient()
  const [round, setRound] = useState(() => returnedTo<Round>('round') ?? newRound())
  useEffect(() => keepForReturn('round', round))
  const filter = readFilter(search, round.now)
  const queryKey = ['messages', 'log', filter, round]

  const log = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const end = client.getQueryData<InfiniteData<Page>>(queryKey)?.pages[0]?.as_of
      const until = end !== undefined && pageParam === '' ? { until: earlier(end, filter.until) } : {}
      const query = { ...filter, ...pageAt(pageParam), ...until }
      const page = await call(api.GET('/console/api/messages', { params: { query }, signal }))
      return { ...page, as_of: end ?? page.as_of }
    },
    ...byCursor,
  })
  const end = log.isPlaceholderData ? undefined : log.data?.pages[0]?.as_of
  const news = useNews(filter, end)

  /** From now on, everything up to now. */
  function catchUp(): void {
    setRound(newRound())
    window.scrollTo(0, 0)
  }

  return { log, news, filter, catchUp }
}

let rounds = 0
type Round = { number: number; now: number }

function newRound(): Round {
  rounds += 1
  return { number: rounds, now: Date.now() }
}

/** Both are written in UTC with milliseconds, so that the order of letters is the order of time. */
function earlier(end: string, until: string | undefined): string {
  return until !== undefined && until < end ? until : end
}

/** How many came after what is shown; null where none did, and none can where the span has ended. */
function useNews(filter: LogFilter, end: string | undefined): string | null {
  const news = useQuery({
    queryKey: ['messages', 'news', filter, end],
    queryFn: async ({ signal }) => {
      const query = { ...filter, since: end ?? '', limit: newsMax }
      return (await call(api.GET('/console/api/messages', { params: { query }, signal }))).entries.length
    },
    enabled: end !== undefined && (filter.until === undefined || filter.until > end),
  })
  const count = news.data ?? 0
  return count >= newsMax ? `${newsMax}+` : count > 0 ? `${count}` : null
}
