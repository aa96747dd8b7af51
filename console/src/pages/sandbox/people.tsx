import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { SearchField } from '../../components/form/search-field.tsx'
import { RelativeTime, TimesInside } from '../../components/time.tsx'
import { fateOf } from './magic-recipients.ts'

type Customer = Schemas['ConsoleSandboxPhone']['customers'][number]
type PeopleProps = { customers: readonly Customer[]; chosen: string; onChoose: (phone: string) => void }

/** Fewer are found by looking. */
const searchedFrom = 9

/** The customers of the sandbox; the chosen one stays in sight, whatever is looked for. */
export function People({ customers, chosen, onChoose }: PeopleProps) {
  const known = customers.some(({ phone }) => phone === chosen)
  const all = known ? customers : [{ phone: chosen, name: null, last: null }, ...customers]
  const [wanted, setWanted] = useState('')
  const word = wanted.trim().toLowerCase()
  const shown = all.filter(
    ({ phone, name, last }) =>
      phone === chosen || [phone, name, last?.preview].some((text) => text?.toLowerCase().includes(word)),
  )
  const box = useRef<HTMLElement>(null)
  // On a narrow screen the list scrolls sideways; the chosen one may lie outside.
  useEffect(() => {
    const person = box.current?.querySelector(`[data-phone="${CSS.escape(chosen)}"]`)
    person?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])
  return (
    <nav ref={box} className="card people-box" aria-label="Conversations">
      {all.length >= searchedFrom && (
        <div className="people-search">
          <SearchField label="Search customers" value={wanted} onSettled={setWanted} />
        </div>
      )}
      <ul className="people">
        {shown.map(({ phone, name, last }) => (
          <li key={phone}>
            <button
              type="button"
              className="person"
              data-phone={phone}
              aria-current={phone === chosen}
              onClick={() => onChoose(phone)}
            >
              <span className="person-head">
                <strong className="person-name" dir="auto">
                  {name ?? phone}
                </strong>
              </span>
              {name && <span className="mono small">{phone}</span>}
              <span className="person-last" dir="auto">
                {last ? last.preview : (fateOf(phone) ?? 'No messages yet')}
              </span>
              {last && (
                <span className="muted small">
                  <TimesInside>
                    <RelativeTime at={last.at} />
                  </TimesInside>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
