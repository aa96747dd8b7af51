import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Check, Choices, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useMay } from '../../session.ts'
import type { Connection } from './connection-state.tsx'

type Options = Connection['options']

/** How the connection behaves. */
export function OptionsTab({ connection }: { connection: Connection }) {
  const client = useQueryClient()
  const mayWrite = useMay('connections:write')
  const [draft, setDraft] = useState(() => draftOf(connection.options))
  const onChange = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const form = useSubmit(async () => {
    const path = { connection_id: connection.id }
    const body = optionsOf(draft)
    await call(api.PUT('/console/api/connections/{connection_id}/options', { params: { path }, body }))
    await client.invalidateQueries({ queryKey: ['connections'] })
    toast('Saved')
  })
  const errorOf = (name: string) =>
    [...(form.failure?.fields ?? [])].find(([field]) => field === name || field.startsWith(`${name}[`))?.[1]
  return (
    <form className="card card-body form form-column" noValidate onSubmit={form.onSubmit}>
      <fieldset className="form" disabled={!mayWrite}>
        <SendOptions {...{ draft, onChange, errorOf }} />
        <CallbackOptions {...{ draft, onChange, errorOf }} />
        <FailureNotice failure={form.general} />
        {mayWrite && (
          <div>
            <Button kind="primary" type="submit" busy={form.busy}>
              Save
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  )
}

type Draft = Omit<Options, 'fields' | 'hosts' | 'repeat_window' | 'max_per_minute'> & {
  fields: string
  hosts: string
  repeat_window: string
  max_per_minute: string
}

function draftOf(options: Options): Draft {
  return {
    ...options,
    fields: options.fields.join(', '),
    hosts: options.hosts.join(', '),
    repeat_window: String(options.repeat_window),
    max_per_minute: options.max_per_minute === null ? '' : String(options.max_per_minute),
  }
}

function optionsOf(draft: Draft): Options {
  const words = (text: string) => text.split(/[\s,]+/).filter(Boolean)
  return {
    ...draft,
    fields: words(draft.fields),
    hosts: words(draft.hosts),
    repeat_window: Number(draft.repeat_window),
    max_per_minute: draft.max_per_minute === '' ? null : Number(draft.max_per_minute),
  }
}

type PartProps = {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
  errorOf: (name: string) => string | undefined
}

function SendOptions({ draft, onChange, errorOf }: PartProps) {
  return (
    <>
      <h2>Sending</h2>
      <Choices
        legend="When Meta's response is missing"
        name="unknown"
        value={draft.unknown}
        options={[
          {
            value: 'alias',
            label: 'Report a success',
            hint: 'The status follows later, so tools that retry after errors don’t send twice.',
          },
          { value: 'error', label: 'Report the error', hint: 'Only for tools that never retry.' },
        ]}
        onChange={(unknown) => onChange({ unknown })}
      />
      <Check checked={draft.repeats} onChange={(event) => onChange({ repeats: event.target.checked })}>
        Treat an identical request without a response as a retry
      </Check>
      <Field
        label="Seconds after a response in which an identical request is a retry"
        type="number"
        min={0}
        max={600}
        value={draft.repeat_window}
        error={errorOf('repeat_window')}
        onChange={(event) => onChange({ repeat_window: event.target.value })}
      />
      <Choices
        legend="24-hour window"
        name="window"
        value={draft.window}
        options={[
          { value: 'check', label: 'Postern rejects messages outside it' },
          { value: 'meta', label: 'Meta decides each time' },
        ]}
        onChange={(window) => onChange({ window })}
      />
      <Field
        label="Requests per minute"
        optional
        type="number"
        min={1}
        hint="Leave empty for the plan’s limit."
        value={draft.max_per_minute}
        error={errorOf('max_per_minute')}
        onChange={(event) => onChange({ max_per_minute: event.target.value })}
      />
    </>
  )
}

function CallbackOptions({ draft, onChange, errorOf }: PartProps) {
  return (
    <>
      <h2>Callbacks</h2>
      <Choices
        legend="Statuses"
        name="statuses"
        value={draft.statuses}
        options={[
          { value: 'own', label: 'Of the tool’s own messages' },
          { value: 'all', label: 'Of all messages from its numbers' },
        ]}
        onChange={(statuses) => onChange({ statuses })}
      />
      <Check
        checked={draft.echoes === 'others'}
        onChange={(event) => onChange({ echoes: event.target.checked ? 'others' : 'off' })}
      >
        Echoes: messages that the API, the console and other tools send from its numbers
      </Check>
      <Check
        checked={draft.grouping === 'as_received'}
        onChange={(event) => onChange({ grouping: event.target.checked ? 'as_received' : 'one' })}
      >
        Keep callbacks grouped as Meta sends them
      </Check>
      <Field
        label="Fields"
        hint="Fields of Meta, comma-separated; * for all."
        value={draft.fields}
        error={errorOf('fields')}
        onChange={(event) => onChange({ fields: event.target.value })}
      />
      <Field
        label="Hosts"
        optional
        placeholder="bot.example.com"
        hint="Where the tool itself may set its callback address, comma-separated; * for any."
        value={draft.hosts}
        error={errorOf('hosts')}
        onChange={(event) => onChange({ hosts: event.target.value })}
      />
    </>
  )
}
