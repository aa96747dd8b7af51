import { keepPreviousData, useQueryClient } from '@tanstack/react-query'

type Page = { pagination: { next_cursor: string | null } }
type Pages = { pages: readonly unknown[]; pageParams: readonly unknown[] }

/** What every list by cursor has in common; to spread into useInfiniteQuery. The first page has no cursor. */
export const byCursor = {
  initialPageParam: '' as string,
  getNextPageParam: ({ pagination }: Page) => pagination.next_cursor,
  placeholderData: keepPreviousData,
}

/** To spread into the question: at first a screen and what is scrolled to next, then as much as the API gives. */
export function pageAt(pageParam: string): { limit: number; cursor?: string } {
  return pageParam === '' ? { limit: 50 } : { limit: 100, cursor: pageParam }
}

/** Forgets all but the first page, which is asked anew. */
export function useBackToNewest(queryKey: readonly unknown[]): () => void {
  const client = useQueryClient()
  return () => {
    client.setQueryData<Pages>(queryKey, (list) =>
      list ? { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) } : list,
    )
    void client.invalidateQueries({ queryKey, exact: true })
    window.scrollTo(0, 0)
  }
}
