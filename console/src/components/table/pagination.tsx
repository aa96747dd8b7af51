import { useEffect, useRef } from 'react'
import { isDeep } from '../../live-state.ts'
import { Button } from '../form/button.tsx'
import { ClockTime } from '../time.tsx'

/** A list by cursor, as useInfiniteQuery gives it. */
type List = {
  data: { pages: readonly Searched[] } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

type PaginationProps = { list: List; shown: number; onNewest: () => void }

/**
 * Older rows come with scrolling, and by a button without scrolling. Where a filter finds little, a page can end before
 * it is full: the search then continues automatically, at most ten times.
 */
export function Pagination({ list, shown, onNewest }: PaginationProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const pages = data?.pages ?? []
  const isDeeper = pages.length > 1
  const searchedBackTo = hasNextPage ? pages.at(-1)?.pagination.searched_back_to : undefined
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && searchesInARow(pages) < searchesMax
  return (
    <nav className="pagination" aria-label="Pages">
      {goesOn && <End key={pages.length} onSeen={fetchNextPage} />}
      <span className="grow" role="status">
        {searchedBackTo === undefined ? (
          hasNextPage ? (
            `First ${shown}`
          ) : (
            `${shown} in total`
          )
        ) : (
          <>
            {shown === 0 ? 'Nothing found' : `${shown} found`}, searched back to <ClockTime at={searchedBackTo} day />
          </>
        )}
        {isDeep({ state: { data } }) && ', live updates paused'}
      </span>
      {(isDeeper || hasNextPage) && (
        <>
          <Button kind="quiet" disabled={!isDeeper} onClick={onNewest}>
            ‹ Newest
          </Button>
          <Button kind="quiet" disabled={!hasNextPage} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {searchedBackTo === undefined ? 'Older ›' : 'Search further ›'}
          </Button>
        </>
      )}
    </nav>
  )
}

type Searched = { pagination: { searched_back_to?: string } }

/** Each is at most 20,000 entries and some 50 ms. */
const searchesMax = 10

/** How many of the last pages ended before they were full. */
function searchesInARow(pages: readonly Searched[]): number {
  return pages.length - 1 - pages.findLastIndex(({ pagination }) => pagination.searched_back_to === undefined)
}

/** This far below the screen older rows are asked for, so that scrolling does not wait. */
const aheadPx = 300

/** Tells when the end of the list comes near. Each length has an end of its own, which has not been seen before. */
function End({ onSeen }: { onSeen: () => Promise<unknown> }) {
  const element = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!element.current) return
    // A busy browser tells several changes at once, the oldest first.
    const tell = (changes: readonly IntersectionObserverEntry[]) => {
      if (changes.some(({ isIntersecting }) => isIntersecting)) void onSeen()
    }
    const observer = new IntersectionObserver(tell, { rootMargin: `0px 0px ${aheadPx}px 0px` })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [onSeen])
  return <span ref={element} className="list-end" />
}
