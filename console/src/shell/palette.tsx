import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { Icon } from '../components/icon.tsx'
import { useModal } from '../components/overlay/dialog.tsx'
import { useSession } from '../session.ts'
import { useFound } from './palette-found.ts'
import { guessedItems, type PaletteItem, paletteItems } from './palette-items.ts'

type PaletteProps = { onClose: () => void; onHelp: () => void; onSignOut: () => void }

/** Type, move with the arrows, Enter. Pages, actions, guides, whatever the gateway knows, and ids that are pasted. */
export function Palette({ onClose, onHelp, onSignOut }: PaletteProps) {
  const id = useId()
  const element = useModal()
  const { actions } = useSession()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const world = { actions, go, help: onHelp, signOut: onSignOut }
  const { byId, byWord, lookedUp, isLooking } = useFound(text, world)
  const all = [...byId, ...paletteItems(text, world), ...byWord, ...guessedItems(text, world)]
  const items = [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed()
  const chosen = items[Math.min(at, items.length - 1)]

  useEffect(() => {
    document.getElementById(`${id}-${chosen?.id}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, chosen?.id])

  function run(item: PaletteItem | undefined): void {
    if (!item) return
    onClose()
    item.run()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((at + step + items.length) % Math.max(1, items.length))
    }
    if (event.key !== 'Enter') return
    // The same press must not press the button that has the focus where this leads.
    event.preventDefault()
    run(chosen)
  }

  return (
    <dialog
      ref={element}
      className="palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={onKeyDown}
    >
      <input
        className="palette-input"
        placeholder="Pages, customers, templates, keys, webhooks, guides, ids"
        role="combobox"
        aria-label="Search pages and actions"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setAt(0)
        }}
      />
      <FoundList {...{ id, items, chosen }} onPoint={setAt} onRun={run} />
      {items.length === 0 && (
        <p className="dialog-body muted" role="status">
          {lookedUp === null ? 'No results' : isLooking ? 'Searching…' : 'No results for this id'}
        </p>
      )}
      <PaletteKeys />
    </dialog>
  )
}

type FoundProps = {
  id: string
  items: readonly PaletteItem[]
  chosen: PaletteItem | undefined
  onPoint: (index: number) => void
  onRun: (item: PaletteItem) => void
}

/** The focus stays in the field, which names the chosen one. */
function FoundList({ id, items, chosen, onPoint, onRun }: FoundProps) {
  return (
    <div className="palette-list" role="listbox" id={id} aria-label="Found">
      {items.map((item, index) => (
        <div
          key={item.id}
          id={`${id}-${item.id}`}
          role="option"
          tabIndex={-1}
          className="palette-item"
          aria-selected={item === chosen}
          onClick={() => onRun(item)}
          onKeyDown={() => {}}
          onPointerMove={() => onPoint(index)}
        >
          <Icon name={item.icon} />
          <span className="palette-title" dir="auto">
            {item.title}
          </span>
          {item.detail?.map((text) => (
            <bdi key={text} className="palette-detail">
              {text}
            </bdi>
          ))}
          <span className="palette-kind">{item.kind}</span>
        </div>
      ))}
    </div>
  )
}

function PaletteKeys() {
  return (
    <p className="palette-foot" aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> move
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  )
}
