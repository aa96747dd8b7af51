import { useEffect } from 'react'
import { countText, useInboxCounts } from './inbox-counts.ts'

const titleMark = /^\(\d[\d,+]*\) /

/** The number of unread conversations before the title of the tab, and a dot on its icon, whatever page is open. */
export function InboxSignals() {
  const counts = useInboxCounts()
  const unread = counts?.unread ?? 0
  const mark = counts && unread > 0 ? `(${countText(unread, counts.counted_max)}) ` : ''
  useEffect(() => {
    const head = document.querySelector('title')
    const apply = () => {
      const wanted = mark + document.title.replace(titleMark, '')
      if (document.title !== wanted) document.title = wanted
    }
    apply()
    document.querySelector('link[rel=icon]')?.setAttribute('href', mark ? '/favicon-unread.svg' : '/favicon.svg')
    if (!head) return
    // Pages set the title as they come; the number stays before it.
    const observer = new MutationObserver(apply)
    observer.observe(head, { childList: true })
    return () => observer.disconnect()
  }, [mark])
  return null
}
