import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { isTyping } from '../components/form/typing.ts'
import { addressOf, pages } from '../pages.ts'
import { preferences, setPreference } from '../preferences.ts'

const chainMs = 1_200

type Overlays = { openPalette: () => void; openHelp: () => void }

/** Ctrl-K always; single keys only while they are switched on and nobody writes. */
export function useShortcuts({ openPalette, openHelp }: Overlays): void {
  const [, go] = useLocation()
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (!preferences().shortcuts || isTyping(event)) return
      const chained = event.timeStamp - goPressedAt.current < chainMs
      goPressedAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const target = chained ? pages.find(({ goKey }) => goKey === event.key) : undefined
      if (!target) {
        single(event)
        return
      }
      // Other listeners see that the key is taken: `g c` copies nothing.
      event.preventDefault()
      go(addressOf(target))
    }

    function single(event: KeyboardEvent): void {
      if (event.key === '?') openHelp()
      if (event.key === '[') setPreference('folded', !preferences().folded)
      if (event.key === '/') {
        event.preventDefault()
        const field = document.querySelector<HTMLElement>('[data-search]')
        if (field) field.focus()
        else openPalette()
      }
    }

    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [go, openPalette, openHelp])
}
