import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'wouter'
import { api, call } from '../api.ts'
import { useSettled } from '../components/form/use-settled.ts'
import { Icon } from '../components/icon.tsx'
import { useModal } from '../components/overlay/dialog.tsx'
import { useSession } from '../session.ts'
import { foundItems, idToLookUp, type PaletteItem, paletteItems, templateItems } from './palette-items.ts'

const templatesShown = 8

type PaletteProps = { onClose: () => void; onHelp: () => void; onSignOut: () => void }

/** Type, move with the arrows, Enter. Pages, actions, and ids that are pasted. */
export function Palette({ onClose, onHelp, onSignOut }: PaletteProps) {
  const id = useId()
  const element = useModal()
  const { actions } = useSession()
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const world = { actions, go, help: onHelp, signOut: onSignOut }
  const lookedUp = idToLookUp(text, actions)
  const found = useQuery({
    queryKey: ['deliveries', 'found', lookedUp],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/deliveries', { params: { query: { id: lookedUp ?? '' } }, signal })),
    enabled: lookedUp !== null,
  })
  const settled = useSettled(text.trim())
  const templates = useQuery({
    queryKey: ['templates', 'palette', settled],
    queryFn: ({ signal }) => {
      const query = { search: settled, limit: templatesShown }
      return call(api.GET('/console/api/templates', { params: { query }, signal }))
    },
    enabled: settled.length >= 2 && actions.includes('templates:read'),
  })
  const items = [
    ...(lookedUp && found.data ? foundItems(found.data, world) : []),
    ...paletteItems(text, world),
    ...(text.trim() === settled ? templateItems(templates.data?.templates ?? [], world) : []),
  ]
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
        placeholder="Search pages and actions, or paste an id"
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
      <div className="palette-list" role="listbox" id={id} aria-label="Found">
        {items.map((item) => (
          <div
            key={item.id}
            id={`${id}-${item.id}`}
            role="option"
            tabIndex={-1}
            className="palette-item"
            aria-selected={item === chosen}
            onClick={() => run(item)}
            onKeyDown={() => {}}
            onPointerMove={() => setAt(items.indexOf(item))}
          >
            <Icon name={item.icon} />
            <span>{item.title}</span>
            <span className="palette-kind">{item.kind}</span>
          </div>
        ))}
      </div>
      {items.length === 0 && (
        <p className="dialog-body muted" role="status">
          {lookedUp === null ? 'No results' : found.isFetching ? 'Searching…' : 'No results for this id'}
        </p>
      )}
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
    </dialog>
  )
}
