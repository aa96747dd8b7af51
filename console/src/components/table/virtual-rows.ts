import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { heightsOf, type RowWindow, rowWindow } from './row-window.ts'

/** Below this the browser shows everything without effort, and finds it with its own search. */
const windowedFrom = 100
/** Kept on both sides of the screen, so that keys and quick scrolling find rows there. */
const reachPx = 600
const guessPx = 41
/** The screen may move this far before the window follows. */
const slackPx = 200

/**
 * Of a long list only the rows around the screen are in the document. Heights are measured as rows come by: cards on a
 * narrow screen are as high as what they hold.
 */
export function useVirtualRows(ids: readonly string[]) {
  const body = useRef<HTMLTableSectionElement>(null)
  const known = useRef(new Map<string, number>())
  const [screen, setScreen] = useState({ topPx: 0, heightPx: 1_000 })
  const isWindowed = ids.length >= windowedFrom
  const heightsPx = isWindowed ? heightsOf(ids, known.current, guessPx) : []
  const shown: RowWindow = isWindowed
    ? rowWindow(heightsPx, screen.topPx - reachPx, screen.topPx + screen.heightPx + reachPx)
    : { start: 0, end: ids.length, beforePx: 0, afterPx: 0 }

  useLayoutEffect(() => {
    if (!isWindowed) return
    for (const row of body.current?.rows ?? []) {
      if (row.dataset.rowId !== undefined) known.current.set(row.dataset.rowId, row.getBoundingClientRect().height)
    }
  })

  useEffect(() => {
    if (!isWindowed) return
    function follow(): void {
      const topPx = -(body.current?.getBoundingClientRect().top ?? 0)
      const heightPx = window.innerHeight
      setScreen((before) =>
        Math.abs(before.topPx - topPx) < slackPx && before.heightPx === heightPx ? before : { topPx, heightPx },
      )
    }
    // Another width gives other heights.
    function measureAnew(): void {
      known.current.clear()
      follow()
    }
    follow()
    document.addEventListener('scroll', follow, { passive: true })
    window.addEventListener('resize', measureAnew)
    return () => {
      document.removeEventListener('scroll', follow)
      window.removeEventListener('resize', measureAnew)
    }
  }, [isWindowed])

  /** Puts a row into the document at once, so that it can get the focus. */
  function reveal(index: number): void {
    if (index >= shown.start && index < shown.end) return
    const topPx = heightsPx.slice(0, index).reduce((total, height) => total + height, 0)
    flushSync(() => setScreen((before) => ({ ...before, topPx: topPx - before.heightPx / 2 })))
  }

  return { body, shown, isWindowed, reveal }
}
