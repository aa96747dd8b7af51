import { useSearchParams } from 'wouter'

/** Filters stand in the address of the page, so that they can be shared and survive a reload; an empty one is none. */
export function useNarrow(onNarrow: () => void = () => {}) {
  const [search, setSearch] = useSearchParams()
  function narrow(change: Record<string, string>): void {
    onNarrow()
    setSearch(
      (previous) => {
        const next = new URLSearchParams(previous)
        for (const [name, value] of Object.entries(change)) {
          if (value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  }
  const clear = () => narrow(Object.fromEntries([...search.keys()].map((name) => [name, ''])))
  return { search, narrow, clear }
}
