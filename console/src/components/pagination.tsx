import { useState } from 'react'
import { Button } from './button.tsx'

/** Pages are cursors: one walks back by remembering where one has been. */
export function usePages() {
  const [cursors, setCursors] = useState<readonly string[]>([])
  return {
    /** To spread into the query: nothing on the first page. */
    at: cursors.length === 0 ? {} : { cursor: cursors.at(-1) ?? '' },
    isFirst: cursors.length === 0,
    older: (cursor: string) => setCursors([...cursors, cursor]),
    newer: () => setCursors(cursors.slice(0, -1)),
    reset: () => setCursors([]),
  }
}

export type Pages = ReturnType<typeof usePages>

type PaginationProps = {
  pages: Pages
  shown: number
  pagination: { has_more: boolean; next_cursor: string | null }
}

export function Pagination({ pages, shown, pagination }: PaginationProps) {
  const { next_cursor: next, has_more: more } = pagination
  return (
    <nav className="pagination" aria-label="Pages">
      <span className="grow">{more || !pages.isFirst ? `${shown} of many` : `${shown} in all`}</span>
      <Button kind="quiet" disabled={pages.isFirst} onClick={pages.newer}>
        ‹ Newer
      </Button>
      <Button kind="quiet" disabled={!more || next === null} onClick={() => next !== null && pages.older(next)}>
        Older ›
      </Button>
    </nav>
  )
}
