import type { Schemas } from '../../api.ts'
import { RelativeTime, TimesInside } from '../../components/time.tsx'
import { fateOf } from './magic-recipients.ts'

type Customer = Schemas['ConsoleSandboxPhone']['customers'][number]
type PeopleProps = { customers: readonly Customer[]; chosen: string; onChoose: (phone: string) => void }

export function People({ customers, chosen, onChoose }: PeopleProps) {
  const known = customers.some(({ phone }) => phone === chosen)
  const shown = known ? customers : [{ phone: chosen, name: null, last: null }, ...customers]
  return (
    <nav className="card people-box" aria-label="Conversations">
      <ul className="people">
        {shown.map(({ phone, name, last }) => (
          <li key={phone}>
            <button type="button" className="person" aria-current={phone === chosen} onClick={() => onChoose(phone)}>
              <strong>{name ?? phone}</strong>
              {name && <span className="mono small">{phone}</span>}
              <span className="person-last">{last ? last.preview : (fateOf(phone) ?? 'No messages yet')}</span>
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
