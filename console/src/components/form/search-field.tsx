import { useEffect, useId, useState } from 'react'
import { Icon } from '../icon.tsx'
import { useSettled } from './use-settled.ts'

type SearchProps = {
  label: string
  value: string
  onSettled: (text: string) => void
  /** Offered while typing; others may be typed too. */
  suggestions?: readonly string[]
}

/** Tells what is looked for once the typing rests; until then the text is only in the field. */
export function SearchField({ label, value, onSettled, suggestions = [] }: SearchProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const settled = useSettled(typed)
  useEffect(() => {
    if (settled === null || settled !== typed) return
    setTyped(null)
    onSettled(settled)
  }, [settled, typed, onSettled])
  return (
    <div className="search-field">
      <Icon name="search" size={16} />
      <input
        type="search"
        className="input input-small"
        aria-label={label}
        placeholder={label}
        data-search
        list={suggestions.length > 0 ? id : undefined}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        // Inside a form, Enter would send it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </div>
  )
}
