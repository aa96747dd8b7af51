import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'

export type MenuItem = {
  /** Where labels are names that two items may share. */
  id?: string
  /** Beside the label, in grey. */
  note?: string
  label: string
  icon?: IconName
  danger?: boolean
  /** One of several that exclude each other: whether it is the one. */
  chosen?: boolean
  onSelect: () => void
}

type MenuProps = {
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
  head?: ReactNode
  iconOnly?: boolean
}

/** A button that opens a list of acts. Arrows move, Escape closes and gives the focus back. */
export function Menu({ label, trigger, items, head, iconOnly = true }: MenuProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    box.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    const closeOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  function close(): void {
    setOpen(false)
    box.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }

  return (
    <div className="menu" ref={box}>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        data-icon-only={iconOnly}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={label}
        title={label}
        onClick={() => setOpen(!isOpen)}
      >
        {trigger}
      </button>
      {isOpen && (
        <div className="menu-list">
          {head && <div className="menu-head">{head}</div>}
          <div role="menu" id={id} aria-label={label} onKeyDown={(event) => moveInMenu(event, close)}>
            {items.map((item) => (
              <MenuEntry
                key={item.id ?? item.label}
                item={item}
                onSelect={() => {
                  close()
                  item.onSelect()
                }}
              />
            ))}
          </div>
        </div>
      )}
    </div>
  )
}

function MenuEntry({ item, onSelect }: { item: MenuItem; onSelect: () => void }) {
  const kind =
    item.chosen === undefined
      ? ({ role: 'menuitem' } as const)
      : ({ role: 'menuitemradio', 'aria-checked': item.chosen } as const)
  return (
    <button
      type="button"
      {...kind}
      tabIndex={-1}
      className="menu-item"
      data-kind={item.danger ? 'danger' : undefined}
      onClick={onSelect}
    >
      {item.icon && <Icon name={item.icon} size={16} />}
      <span className="menu-label" dir="auto">
        {item.label}
      </span>
      {item.note && <span className="menu-note">{item.note}</span>}
      {item.chosen && (
        <span className="menu-chosen">
          <Icon name="check" size={16} />
        </span>
      )}
    </button>
  )
}

function moveInMenu(event: KeyboardEvent<HTMLDivElement>, close: () => void): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^=menuitem]')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (target !== undefined) {
    event.preventDefault()
    items[(target + items.length) % items.length]?.focus()
  }
  if (event.key === 'Escape' || event.key === 'Tab') close()
}
