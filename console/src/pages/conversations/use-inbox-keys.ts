import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { isTyping } from '../../components/form/typing.ts'
import { preferences } from '../../preferences.ts'
import type { ConversationLine } from './conversations-query.ts'
import { addressIn } from './list-address.ts'

/**
 * j and k move through the list, Enter opens, u goes to the next unread one. Other keys press what the open conversation
 * marks with them: see `data-inbox-key`.
 */
export function useInboxKeys(
  lines: readonly ConversationLine[],
  chosen: string | null,
  focusRow: (index: number) => void,
): void {
  const [, go] = useLocation()
  const [search] = useSearchParams()
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!preferences().shortcuts || isTyping(event)) return
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) {
        event.preventDefault()
        move(step)
      } else if (event.key === 'u') openUnread()
      else press(event)
    }

    function move(step: number): void {
      const { customer = chosen } = (document.activeElement as HTMLElement).dataset
      const from = lines.findIndex((line) => line.customer === customer)
      focusRow(Math.max(0, Math.min(lines.length - 1, from < 0 ? 0 : from + step)))
    }

    /** Below the open one, otherwise from the top. */
    function openUnread(): void {
      const at = lines.findIndex(({ customer }) => customer === chosen)
      const next = [...lines.slice(at + 1), ...lines.slice(0, Math.max(0, at))].find(({ unread }) => unread > 0)
      if (next) go(addressIn(search, next.customer))
    }

    function press(event: KeyboardEvent): void {
      const marked = document.querySelector<HTMLElement>(`.thread [data-inbox-key="${CSS.escape(event.key)}"]`)
      if (!marked) return
      event.preventDefault()
      if (marked instanceof HTMLTextAreaElement) marked.focus()
      else marked.click()
    }

    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}
