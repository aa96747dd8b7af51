import { useEffect, useRef, useSyncExternalStore } from 'react'
import { Icon } from '../icon.tsx'

const shownMs = 5_000
type Toast = { id: number; text: string; icon: 'check' | 'alert' }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Confirms what was done; errors stay where they happened. */
export function toast(text: string, icon: Toast['icon'] = 'check'): void {
  const id = ++lastId
  set([...toasts.slice(-2), { id, text, icon }])
  setTimeout(() => set(toasts.filter((one) => one.id !== id)), shownMs)
}

/** Lies above dialogs too: a popover opened later is on top. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    if (element.matches(':popover-open')) element.hidePopover()
    if (shown.length > 0) element.showPopover()
  }, [shown])
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {shown.at(-1)?.text ?? ''}
      </div>
      <div ref={box} className="toasts" popover="manual" aria-hidden="true">
        {shown.map(({ id, text, icon }) => (
          <div key={id} className="toast" data-icon={icon}>
            <Icon name={icon} size={16} />
            {text}
          </div>
        ))}
      </div>
    </>
  )
}

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
