import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useSearchParams } from 'wouter'
import { useVirtualRows } from '../../components/table/virtual-rows.ts'
import { currentTime, onTick } from '../../components/time.tsx'
import { ConversationRow } from './conversation-row.tsx'
import type { ConversationLine } from './conversations-query.ts'
import { addressIn } from './list-address.ts'
import { useInboxKeys } from './use-inbox-keys.ts'

const rowPx = 62

type RowsProps = {
  lines: readonly ConversationLine[]
  chosen: string | null
  /** While a person points at it or moves through it. */
  onHold: (isHeld: boolean) => void
}

/** The list itself, of which a person may scroll through thousands. */
export function InboxRows({ lines, chosen, onHold }: RowsProps) {
  const [search] = useSearchParams()
  const now = useSyncExternalStore(onTick, currentTime)
  const ids = lines.map(({ customer_id: id }) => id)
  const { body, shown, isWindowed, reveal } = useVirtualRows<HTMLUListElement>(ids, rowPx)

  function focusRow(index: number): void {
    reveal(index)
    const id = CSS.escape(ids[index] ?? '')
    const link = body.current?.querySelector<HTMLElement>(`[data-row-id="${id}"] > a`)
    link?.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }

  useInboxKeys(lines, chosen, focusRow)
  useReturn(chosen, (customer) => {
    const index = lines.findIndex((line) => line.customer === customer)
    if (index >= 0) focusRow(index)
  })
  return (
    <ul
      className="inbox-rows"
      ref={body}
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
      onFocus={() => onHold(true)}
      onBlur={() => onHold(false)}
    >
      <Room heightPx={shown.beforePx} />
      {lines.slice(shown.start, shown.end).map((line, offset) => (
        <li
          key={line.customer_id}
          data-row-id={line.customer_id}
          aria-setsize={isWindowed ? lines.length : undefined}
          aria-posinset={isWindowed ? shown.start + offset + 1 : undefined}
        >
          <ConversationRow
            line={line}
            isChosen={line.customer === chosen}
            to={addressIn(search, line.customer, line.found?.message_id)}
            now={now}
          />
        </li>
      ))}
      <Room heightPx={shown.afterPx} />
    </ul>
  )
}

/** Of the rows that are not in the document. */
function Room({ heightPx }: { heightPx: number }) {
  return heightPx === 0 ? null : <li aria-hidden="true" style={{ height: heightPx }} />
}

/** On a narrow screen the list takes the place of a conversation: the focus goes back to the customer it was about. */
function useReturn(chosen: string | null, onReturn: (customer: string) => void): void {
  const before = useRef(chosen)
  useEffect(() => {
    const left = before.current
    before.current = chosen
    if (chosen === null && left !== null) onReturn(left)
  })
}
