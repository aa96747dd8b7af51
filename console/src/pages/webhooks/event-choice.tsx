import { eventTypes } from '../../api-values.ts'
import { Check } from '../../components/form/field.tsx'

const families = [...new Set(eventTypes.map(familyOf))]

function familyOf(type: string): string {
  return `${type.split('.', 1)[0]}.*`
}

type ChoiceProps = { value: readonly string[]; error?: string | undefined; onChange: (events: string[]) => void }

/** All events, whole families, both also with those of the future, or each by itself below its family. */
export function EventChoice({ value, error, onChange }: ChoiceProps) {
  const all = value.includes('*')
  const toggle = (name: string, on: boolean) => {
    const chosen = [...families, ...eventTypes].filter((known) => (known === name ? on : value.includes(known)))
    onChange(chosen.filter((known) => known.endsWith('*') || !chosen.includes(familyOf(known))))
  }
  return (
    <fieldset className="field">
      <legend className="field-label">Events</legend>
      <Check
        checked={all}
        onChange={(event) => onChange(event.target.checked ? ['*'] : ['message.delivered', 'message.read'])}
      >
        All events, including future types
      </Check>
      {!all && (
        <div className="event-families">
          {families.map((family) => (
            <div key={family} className="event-family">
              {[family, ...eventTypes.filter((type) => familyOf(type) === family)].map((name) => (
                <Check
                  key={name}
                  checked={value.includes(name) || value.includes(family)}
                  disabled={name !== family && value.includes(family)}
                  onChange={(event) => toggle(name, event.target.checked)}
                >
                  <code>{name}</code>
                </Check>
              ))}
            </div>
          ))}
        </div>
      )}
      {error && <span className="field-error">{error}</span>}
    </fieldset>
  )
}
