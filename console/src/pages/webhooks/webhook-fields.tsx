import type { ReactNode } from 'react'
import { Field } from '../../components/form/field.tsx'
import type { useSubmit } from '../../components/form/use-submit.ts'
import { EventChoice } from './event-choice.tsx'

type WebhookDraft = { url: string; description: string; events: string[] }

type FieldsProps = {
  draft: WebhookDraft
  form: ReturnType<typeof useSubmit>
  /** For an address that is still to be written. */
  placeholder?: string
  hint?: string
  /** Stands below the address. */
  children: ReactNode
  onChange: (part: Partial<WebhookDraft>) => void
}

/** The fields of a webhook that is added, and of one that is changed. */
export function WebhookFields({ draft, form, placeholder, hint, children, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Address"
        type="url"
        {...{ placeholder, hint }}
        value={draft.url}
        error={form.errorOf('url')}
        onChange={(event) => onChange({ url: event.target.value })}
      />
      {children}
      <Field
        label="Description"
        optional
        maxLength={200}
        value={draft.description}
        error={form.errorOf('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <EventChoice value={draft.events} error={form.errorOf('events')} onChange={(events) => onChange({ events })} />
    </>
  )
}
