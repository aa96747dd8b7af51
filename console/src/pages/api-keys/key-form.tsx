import { useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { scopeMeanings } from '../../api-values.ts'
import { Button } from '../../components/form/button.tsx'
import { Check, Choices, Field, Select, TextArea } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { buttons } from '../../texts.ts'
import { type ApiKey, type Preset, presetOf, presets, readAddresses, type Scope, scopes } from './access.ts'

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

type KeyFormProps = {
  /** Given: change its access. Absent: create a key. */
  apiKey?: ApiKey
  onClose: () => void
  onCreated?: (created: Schemas['ConsoleCreatedApiKey']) => void
}

export function KeyForm({ apiKey, onClose, onCreated }: KeyFormProps) {
  const client = useQueryClient()
  const { user } = useSession()
  const [draft, keep] = useKeptDraft(user.id, `key.${apiKey?.id ?? 'new'}`, {
    name: apiKey?.name ?? '',
    preset: apiKey ? presetOf(apiKey.scopes) : ('full' as Preset),
    custom: (apiKey?.scopes ?? []) as readonly Scope[],
    days: '',
    addresses: apiKey?.allowed_ips?.join('\n') ?? '',
  })
  const { name, preset, custom, days, addresses } = draft
  const change = (part: Partial<typeof draft>) => keep({ ...draft, ...part })
  function discard(): void {
    keep(null)
    onClose()
  }
  const form = useSubmit(async () => {
    const chosen = preset === 'custom' ? custom : (presets.find(({ value }) => value === preset)?.scopes ?? [])
    const access = { name, scopes: [...chosen], allowed_ips: readAddresses(addresses) }
    if (apiKey) {
      const path = { key_id: apiKey.id }
      await call(api.PUT('/console/api/keys/{key_id}', { params: { path }, body: access }))
      await client.invalidateQueries({ queryKey: ['keys'] })
      discard()
      toast(`Changed ${name}`)
    } else {
      const created = await call(api.POST('/console/api/keys', { body: { ...access, expires_at: inDays(days) } }))
      keep(null)
      onCreated?.(created)
    }
  })
  const addressError = [...(form.failure?.fields ?? [])].find(([field]) => field.startsWith('allowed_ips'))?.[1]
  return (
    <Dialog
      title={apiKey ? `Edit access of ${apiKey.name}` : 'Create New API Key'}
      onClose={onClose}
      onSubmit={form.onSubmit}
      foot={
        <>
          <Button onClick={discard}>{buttons.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            {apiKey ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      <div className="form">
        <Field
          label="Name"
          placeholder="Checkout service"
          hint="What uses this key, so that you recognise it later."
          maxLength={80}
          value={name}
          error={form.errorOf('name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <Choices
          pairs
          legend="Access"
          name="access"
          value={preset}
          options={presets}
          onChange={(chosen) => change({ preset: chosen })}
        />
        {preset === 'custom' && (
          <ScopeBoxes
            chosen={custom}
            onChange={(chosen) => change({ custom: chosen })}
            error={form.errorOf('scopes')}
          />
        )}
        {!apiKey && (
          <Select
            label="Expires"
            options={lifetimes}
            value={days}
            onChange={(event) => change({ days: event.target.value })}
            error={form.errorOf('expires_at')}
          />
        )}
        <TextArea
          label="Allowed addresses"
          optional
          placeholder="203.0.113.0/24"
          hint="One address or range per line. Leave empty to allow any."
          value={addresses}
          error={addressError}
          onChange={(event) => change({ addresses: event.target.value })}
        />
        <FailureNotice failure={form.general} />
      </div>
    </Dialog>
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

function inDays(days: string): string | null {
  return days === '' ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString()
}
