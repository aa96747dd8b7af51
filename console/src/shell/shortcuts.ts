import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { isTyping } from '../components/typing.ts'
import { addressOf, pages } from '../pages.ts'
import { preferences, setPreference } from '../preferences.ts'

const chainMs = 1_200

type Overlays = { openPalette: () => void; openHelp: () => void }

/** Ctrl-K always; single keys only while they are switched on and nobody writes. */
export function useShortcuts({ openPalette, openHelp }: Overlays): void {
  const [, go] = useLocation()
  useEffect(() => {
    let goPressedAt = Number.NEGATIVE_INFINITY

    function onKey(event: KeyboardEvent): void {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (!preferences().shortcuts || isTyping(event)) return
      const chained = event.timeStamp - goPressedAt < chainMs
      goPressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const target = chained ? pages.find(({ goKey }) => goKey === event.key) : undefined
      if (target) go(addressOf(target))
      else single(event)
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

    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [go, openPalette, openHelp])
}
