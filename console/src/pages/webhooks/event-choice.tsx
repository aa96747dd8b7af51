import { Check } from '../../components/form/field.tsx'

export const eventTypes = [
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.received',
  'template.status_changed',
  'webhook.failing',
  'webhook.disabled',
  'account.quota_warning',
] as const

type ChoiceProps = { value: readonly string[]; error?: string | undefined; onChange: (events: string[]) => void }

/** All events, also those of the future, or each by itself. */
export function EventChoice({ value, error, onChange }: ChoiceProps) {
  const all = value.includes('*')
  const toggle = (type: string, on: boolean) =>
    onChange(eventTypes.filter((known) => (known === type ? on : value.includes(known))))
  return (
    <fieldset className="field">
      <legend className="field-label">Events</legend>
      <Check
        checked={all}
        onChange={(event) => onChange(event.target.checked ? ['*'] : ['message.delivered', 'message.read'])}
      >
        All events, also new ones
      </Check>
      {!all && (
        <div className="check-grid">
          {eventTypes.map((type) => (
            <Check key={type} checked={value.includes(type)} onChange={(event) => toggle(type, event.target.checked)}>
              <code>{type}</code>
            </Check>
          ))}
        </div>
      )}
      {error && <span className="field-error">{error}</span>}
    </fieldset>
  )
}
