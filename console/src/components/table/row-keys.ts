import { type RefObject, useEffect } from 'react'
import { preferences } from '../../preferences.ts'
import { copyText } from '../form/copy.tsx'
import { isTyping } from '../form/typing.ts'
import { toast } from '../overlay/toast.tsx'

type Rows = {
  readonly body: RefObject<HTMLTableSectionElement | null>
  readonly count: number
  /** Makes sure that the row is in the document. */
  readonly reveal: (index: number) => void
}

/** The bar at the top covers what lies higher. */
const coveredPx = 60

/**
 * j and k move between the rows of the table on this page, c copies the id of the row that has the focus. Any other key
 * presses what the row marks with it: see `data-row-key`.
 */
export function useRowKeys({ body, count, reveal }: Rows): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (!preferences().shortcuts || isTyping(event) || !body.current) return
      const row = focusedRow(body.current)
      const step = { j: 1, k: -1 }[event.key]
      if (step !== undefined) focusRow(row ? Number(row.dataset.rowIndex) + step : firstInSight(body.current))
      else if (event.key === 'c' && row?.dataset.rowId) copy(row.dataset.rowId)
      else row?.querySelector<HTMLElement>(`[data-row-key="${CSS.escape(event.key)}"]`)?.click()
    }

    function focusRow(wanted: number): void {
      const index = Math.max(0, Math.min(count - 1, wanted))
      reveal(index)
      const row = body.current?.querySelector<HTMLElement>(`[data-row-index="${index}"]`)
      const link = row?.querySelector<HTMLElement>('.row-link')
      ;(link ?? row)?.focus()
    }

    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

function focusedRow(body: HTMLElement): HTMLElement | null {
  const active = document.activeElement
  return active && body.contains(active) ? active.closest<HTMLElement>('[data-row-index]') : null
}

/** After scrolling the first visible row is the start, not the first of all. */
function firstInSight(body: HTMLElement): number {
  const rows = [...body.querySelectorAll<HTMLElement>('[data-row-index]')]
  const seen = rows.find((row) => row.getBoundingClientRect().top >= coveredPx) ?? rows.at(-1)
  return Number(seen?.dataset.rowIndex ?? 0)
}

function copy(id: string): void {
  void copyText(id).then((done) => done && toast(`Copied ${id}`))
}
