import { useEffect, useRef } from 'react'
import { preferences } from '../preferences.ts'
import { copyText } from './copy.tsx'
import { toast } from './toast.tsx'
import { isTyping } from './typing.ts'

/** j and k move between the rows of the table on this page, c copies the id of the row that has the focus. */
export function useRowKeys() {
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!preferences().shortcuts || isTyping(event)) return
      const links = [...(body.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])]
      const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
      if (event.key === 'j') links[Math.min(at + 1, links.length - 1)]?.focus()
      if (event.key === 'k') links[Math.max(at - 1, 0)]?.focus()
      const id = links[at]?.closest('tr')?.dataset.rowId
      if (event.key === 'c' && id) void copyText(id).then((done) => done && toast(`Copied ${id}`))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return body
}
