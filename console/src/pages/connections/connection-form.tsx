import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { toolScopes } from '../../api-values.ts'
import { Check, Field, Select, TextArea } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import { type Connection, toolNames } from './connection-state.tsx'

type Scope = Connection['scopes'][number]
type Props = { onClose: () => void; onCreated: (created: Schemas['ConsoleConnectionToken']) => void }

const tools = Object.entries(toolNames).map(([value, label]) => ({ value, label }))

export function ConnectionForm({ onClose, onCreated }: Props) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [tool, setTool] = useState<Connection['tool']>('chatwoot')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [extras, setExtras] = useState<readonly Scope[]>([])
  const [addresses, setAddresses] = useState('')
  const form = useSubmit(async () => {
    const ips = addresses.split(/[\s,]+/).filter(Boolean)
    const body = {
      name: name.trim() || toolNames[tool],
      tool,
      ...(chosen.length > 0 ? { numbers: [...chosen] } : {}),
      ...(extras.length > 0 ? { scopes: [...new Set([...toolScopes[tool], ...extras])] } : {}),
      ...(ips.length > 0 ? { allowed_ips: ips } : {}),
    }
    const created = await confirmed(() => call(api.POST('/console/api/connections', { body })))
    await client.invalidateQueries({ queryKey: ['connections'] })
    onCreated(created)
  })
  const addressError = [...(form.failure?.fields ?? [])].find(([field]) => field.startsWith('allowed_ips'))?.[1]
  return (
    <FormDialog title="Connect a tool" act="Create connection" {...{ form, onClose }}>
      <div className="form">
        <Select
          label="Tool"
          options={tools}
          value={tool}
          onChange={(event) => setTool(event.target.value as Connection['tool'])}
          hint="Other: any client of Meta's Cloud API with a configurable address."
        />
        <Field
          label="Name"
          optional
          placeholder={toolNames[tool]}
          maxLength={80}
          value={name}
          error={form.errorOf('name')}
          onChange={(event) => setName(event.target.value)}
        />
        <NumberBoxes chosen={chosen} onChange={setChosen} />
        <details>
          <summary>Further permissions and allowed addresses</summary>
          <div className="form connection-further">
            <ExtraScopes chosen={extras} onChange={setExtras} />
            <TextArea
              label="Allowed addresses"
              optional
              placeholder="203.0.113.0/24"
              hint="Allowed addresses or ranges, one per line. Leave empty to allow any."
              value={addresses}
              error={addressError}
              onChange={(event) => setAddresses(event.target.value)}
            />
          </div>
        </details>
        <FailureNotice failure={form.general} />
      </div>
    </FormDialog>
  )
}

type BoxesProps<One> = { chosen: readonly One[]; onChange: (chosen: readonly One[]) => void }

function toggled<One>(chosen: readonly One[], one: One): One[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]
}

/** With one number there is nothing to choose. */
function NumberBoxes({ chosen, onChange }: BoxesProps<string>) {
  const channels = useQuery({
    queryKey: ['channel'],
    queryFn: ({ signal }) => call(api.GET('/console/api/channels', { signal })),
    enabled: useMay('channel:read'),
  })
  const numbers = channels.data?.channels.flatMap((channel) => channel.numbers) ?? []
  if (numbers.length < 2) return null
  return (
    <fieldset className="field">
      <legend className="field-label">Numbers</legend>
      <div className="stack stack-tight">
        {numbers.map(({ id, phone_number: phone }) => (
          <Check key={id} checked={chosen.includes(id)} onChange={() => onChange(toggled(chosen, id))}>
            {phone}
          </Check>
        ))}
      </div>
      <span className="field-hint">If none is selected: all, including future ones.</span>
    </fieldset>
  )
}

const extraScopes: readonly { scope: Scope; label: string }[] = [
  { scope: 'templates:write', label: 'Create, edit and delete templates' },
  { scope: 'profile:write', label: 'Change the business profile' },
  { scope: 'blocked:read', label: 'See blocked customers' },
  { scope: 'blocked:write', label: 'Block and unblock customers' },
  { scope: 'webhooks:write', label: 'Set its own callback address, on hosts that you list' },
  { scope: 'graph:pass', label: 'Calls, QR codes, groups, flows and commerce settings' },
]

function ExtraScopes({ chosen, onChange }: BoxesProps<Scope>) {
  return (
    <fieldset className="field">
      <legend className="field-label">Further permissions</legend>
      <div className="stack stack-tight">
        {extraScopes.map(({ scope, label }) => (
          <Check key={scope} checked={chosen.includes(scope)} onChange={() => onChange(toggled(chosen, scope))}>
            {label} <code className="muted small">{scope}</code>
          </Check>
        ))}
      </div>
    </fieldset>
  )
}
