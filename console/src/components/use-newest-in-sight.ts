import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** So close to the end that the newest row is being read. */
const nearPx = 60

/**
 * For a list of messages that scrolls. At its end it follows what arrives; further up it stands still, and what arrived
 * is only counted. What is put before the first message moves nothing either. Who writes goes to the end, where it will
 * stand: `written` counts what this person wrote.
 */
export function useNewestInSight(ids: readonly string[], written: number) {
  const screen = useRef<HTMLDivElement>(null)
  const before = useRef<{ first: string | undefined; height: number }>({ first: undefined, height: 0 })
  const isAtEnd = useRef(true)
  const [seen, setSeen] = useState<string | undefined>(undefined)
  const newest = ids.at(-1)

  useLayoutEffect(() => {
    const element = screen.current
    if (!element) return
    const { first, height } = before.current
    if (isAtEnd.current) {
      element.scrollTop = element.scrollHeight
      setSeen(newest)
    } else if (first !== undefined && first !== ids[0]) element.scrollTop += element.scrollHeight - height
    before.current = { first: ids[0], height: element.scrollHeight }
  }, [ids, newest])

  useEffect(() => {
    const element = screen.current
    if (!element) return
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx
      if (isAtEnd.current) setSeen(newest)
    }
    // A picture takes its room when it has come.
    const onLoad = () => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    }
    element.addEventListener('scroll', look, { passive: true })
    element.addEventListener('load', onLoad, true)
    return () => {
      element.removeEventListener('scroll', look)
      element.removeEventListener('load', onLoad, true)
    }
  }, [newest])

  const showNewest = useCallback(() => {
    const element = screen.current
    if (element) element.scrollTop = element.scrollHeight
  }, [])
  useLayoutEffect(() => {
    if (written > 0) showNewest()
  }, [written, showNewest])
  const at = seen === undefined ? -1 : ids.indexOf(seen)
  return { screen, unseen: at < 0 ? 0 : ids.length - 1 - at, showNewest }
}
