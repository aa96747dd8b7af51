import { useEffect, useRef } from 'react'
import { isDeep } from '../../live-state.ts'
import { Button } from '../form/button.tsx'

/** A list by cursor, as useInfiniteQuery gives it. */
type List = {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
}

type PaginationProps = { list: List; shown: number; onNewest: () => void }

/** Older rows come with scrolling, and by a button without scrolling. */
export function Pagination({ list, shown, onNewest }: PaginationProps) {
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const isDeeper = (data?.pages.length ?? 0) > 1
  return (
    <nav className="pagination" aria-label="Pages">
      {hasNextPage && !isFetchingNextPage && !isFetchNextPageError && <End key={shown} onSeen={fetchNextPage} />}
      <span className="grow" role="status">
        {hasNextPage ? `First ${shown}` : `${shown} in total`}
        {isDeep({ state: { data } }) && ', live updates paused'}
      </span>
      {(isDeeper || hasNextPage) && (
        <>
          <Button kind="quiet" disabled={!isDeeper} onClick={onNewest}>
            ‹ Newest
          </Button>
          <Button kind="quiet" disabled={!hasNextPage} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older ›
          </Button>
        </>
      )}
    </nav>
  )
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
