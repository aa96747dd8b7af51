import { type ReactNode, useEffect } from 'react'
import { Mark } from './icon.tsx'

/** A page before the sign-in: one card, nothing around it. Sets the title of the tab. */
export function SoloPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Postern`
  }, [title])
  return (
    <main className="solo">
      <div className="solo-card">
        <span className="brand">
          <Mark /> Postern
        </span>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
