import { scopeMeanings } from '../../api-values.ts'
import { Check, Choices, Field, Select, TextArea } from '../../components/form/field.tsx'
import type { useSubmit } from '../../components/form/use-submit.ts'
import { type Preset, presets, type Scope, scopes } from './access.ts'

export type KeyDraft = {
  readonly name: string
  readonly preset: Preset
  readonly custom: readonly Scope[]
  /** How long it lives; empty: for ever. */
  readonly days: string
  readonly addresses: string
}

type KeyFieldsProps = {
  draft: KeyDraft
  onChange: (part: Partial<KeyDraft>) => void
  form: ReturnType<typeof useSubmit>
  /** Only a new key can be given an end. */
  isNew: boolean
}

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

/** What a key is called, what it may do, how long, and from where. */
export function KeyFields({ draft, onChange, form, isNew }: KeyFieldsProps) {
  const addressError = [...(form.failure?.fields ?? [])].find(([field]) => field.startsWith('allowed_ips'))?.[1]
  return (
    <>
      <Field
        label="Name"
        placeholder="Checkout service"
        hint="The service that uses this key."
        maxLength={80}
        value={draft.name}
        error={form.errorOf('name')}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Choices
        pairs
        legend="Access"
        name="access"
        value={draft.preset}
        options={presets}
        onChange={(preset) => onChange({ preset })}
      />
      {draft.preset === 'custom' && (
        <ScopeBoxes chosen={draft.custom} onChange={(custom) => onChange({ custom })} error={form.errorOf('scopes')} />
      )}
      {isNew && (
        <Select
          label="Expires"
          options={lifetimes}
          value={draft.days}
          onChange={(event) => onChange({ days: event.target.value })}
          error={form.errorOf('expires_at')}
        />
      )}
      <TextArea
        label="Allowed addresses"
        optional
        placeholder="203.0.113.0/24"
        hint="One address or range per line. Leave empty to allow any."
        value={draft.addresses}
        error={addressError}
        onChange={(event) => onChange({ addresses: event.target.value })}
      />
    </>
  )
}

type ScopeBoxesProps = {
  chosen: readonly Scope[]
  error: string | undefined
  onChange: (chosen: readonly Scope[]) => void
}

function ScopeBoxes({ chosen, error, onChange }: ScopeBoxesProps) {
  const toggle = (scope: Scope) =>
    onChange(chosen.includes(scope) ? chosen.filter((one) => one !== scope) : [...chosen, scope])
  return (
    <fieldset className="field">
      <legend className="field-label">Scopes</legend>
      <div className="check-grid">
        {scopes.map((scope) => (
          <Check key={scope} checked={chosen.includes(scope)} onChange={() => toggle(scope)}>
            {scopeMeanings[scope]} <code className="muted small">{scope}</code>
          </Check>
        ))}
      </div>
      {error && <span className="field-error">{error}</span>}
    </fieldset>
  )
}
