import { type KeyboardEvent, type ReactNode, useId } from 'react'

type TabsProps = {
  label: string
  tabs: readonly { id: string; title: string }[]
  selected: string
  onSelect: (id: string) => void
  children: ReactNode
}

/** Arrow keys move, as in every tab list; only the chosen panel is there. */
export function Tabs({ label, tabs, selected, onSelect, children }: TabsProps) {
  const id = useId()
  return (
    <div>
      <TabList {...{ id, label, tabs, selected, onSelect }} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  )
}

export function TabList({ id, label, tabs, selected, onSelect }: Omit<TabsProps, 'children'> & { id: string }) {
  function move(event: KeyboardEvent<HTMLDivElement>): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = tabs.findIndex((tab) => tab.id === selected)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (!next) return
    onSelect(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={label} className="tabs" onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${id}-${tab.id}`}
          className="tab"
          aria-selected={tab.id === selected}
          aria-controls={`${id}-panel`}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.title}
        </button>
      ))}
    </div>
  )
}
