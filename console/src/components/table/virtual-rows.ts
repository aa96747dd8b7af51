import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Below this the browser shows everything without effort, and finds it with its own search. */
const windowedFrom = 100
/** Kept on both sides of the screen, so that keys and quick scrolling find rows there. */
const reachPx = 600
const tableRowPx = 41
/** The screen may move this far before the window follows. */
const slackPx = 200

/**
 * Of a long list only the rows around the screen are in the document, each with its id as `data-row-id`. Heights are
 * measured as rows come by: cards on a narrow screen are as high as what they hold.
 */
export function useVirtualRows<Body extends HTMLElement>(ids: readonly string[], guessPx = tableRowPx) {
  const body = useRef<Body>(null)
  const known = useRef(new Map<string, number>())
  const [screen, setScreen] = useState({ topPx: 0, heightPx: 1_000 })
  const isWindowed = ids.length >= windowedFrom
  const heightsPx = isWindowed ? heightsOf(ids, known.current, guessPx) : []
  const shown: RowWindow = isWindowed
    ? rowWindow(heightsPx, screen.topPx - reachPx, screen.topPx + screen.heightPx + reachPx)
    : { start: 0, end: ids.length, beforePx: 0, afterPx: 0 }

  useLayoutEffect(() => {
    if (!isWindowed) return
    for (const row of body.current?.children ?? []) {
      const id = row.getAttribute('data-row-id')
      if (id !== null) known.current.set(id, row.getBoundingClientRect().height)
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
    // What scrolls may be the document or a part of it; such an event does not rise.
    document.addEventListener('scroll', follow, { passive: true, capture: true })
    window.addEventListener('resize', measureAnew)
    return () => {
      document.removeEventListener('scroll', follow, { capture: true })
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

type RowWindow = {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** The room that rows before and after the window would take. */
  readonly beforePx: number
  readonly afterPx: number
}

/** The rows that lie between two heights of a list, and how much room the others take. */
export function rowWindow(heightsPx: readonly number[], fromPx: number, toPx: number): RowWindow {
  let start = 0
  let beforePx = 0
  while (start < heightsPx.length && beforePx + (heightsPx[start] ?? 0) <= fromPx) {
    beforePx += heightsPx[start] ?? 0
    start += 1
  }
  let end = start
  let reachedPx = beforePx
  while (end < heightsPx.length && reachedPx < toPx) {
    reachedPx += heightsPx[end] ?? 0
    end += 1
  }
  return { start, end, beforePx, afterPx: sum(heightsPx, end) }
}

/** What was not measured yet is taken to be as high as the others are on average. */
export function heightsOf(ids: readonly string[], known: ReadonlyMap<string, number>, guessPx: number): number[] {
  const measured = ids.flatMap((id) => known.get(id) ?? [])
  const averagePx = measured.length > 0 ? sum(measured, 0) / measured.length : guessPx
  return ids.map((id) => known.get(id) ?? averagePx)
}

function sum(values: readonly number[], from: number): number {
  let total = 0
  for (let index = from; index < values.length; index += 1) total += values[index] ?? 0
  return total
}
