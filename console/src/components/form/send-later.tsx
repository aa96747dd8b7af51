import { Check, Field } from './field.tsx'

type DueProps = { value: string; error: string | undefined; isMissing: boolean; onChange: (value: string) => void }

/** When to send, in the zone of the person who plans it. */
export function DueField({ value, error, isMissing, onChange }: DueProps) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <Field
      label="Send at"
      type="datetime-local"
      hint={`In ${timeZone}, up to 30 days ahead. It can be canceled under Messages until then.`}
      value={value}
      error={error ?? (isMissing && value === '' ? 'Choose when to send it.' : undefined)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

type LaterProps = Omit<DueProps, 'value' | 'onChange'> & {
  /** Null: now. */
  value: string | null
  onChange: (value: string | null) => void
}

export function SendLater({ value, onChange, ...rest }: LaterProps) {
  return (
    <>
      <Check checked={value !== null} onChange={(event) => onChange(event.target.checked ? '' : null)}>
        Send later
      </Check>
      {value !== null && <DueField {...rest} value={value} onChange={onChange} />}
    </>
  )
}

/** Null until a time was chosen. */
export function dueInstant(value: string): string | null {
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
