import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Check, Field } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { EventChoice } from './event-choice.tsx'
import { ListenCommand } from './listen-command.tsx'

type FormProps = { onClose: () => void; onAdded: (id: string) => void }

/** The secret is made here, in the browser, and shown before it is sent: afterwards nobody can read it again. */
export function WebhookForm({ onClose, onAdded }: FormProps) {
  const client = useQueryClient()
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [events, setEvents] = useState<string[]>(['*'])
  const [secret] = useState(newSecret)
  const [isSigned, setSigned] = useState(true)
  const form = useSubmit(async () => {
    const body = {
      url: url.trim(),
      events,
      ...(description.trim() ? { description: description.trim() } : {}),
      ...(isSigned ? { secret } : {}),
    }
    const { id } = await call(api.POST('/console/api/webhooks', { body }))
    await client.invalidateQueries({ queryKey: ['webhooks'] })
    onClose()
    onAdded(id)
  })
  return (
    <Dialog
      title="Add webhook"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={form.busy} onClick={() => void form.submit()}>
            Add webhook
          </Button>
        </>
      }
    >
      <form className="form" onSubmit={form.onSubmit}>
        <Field
          label="Address"
          type="url"
          placeholder="https://acme.example/hooks/chat"
          hint="Public https. A challenge is posted there at once; answer it with the value of challenge."
          value={url}
          error={form.errorOf('url')}
          onChange={(event) => setUrl(event.target.value)}
        />
        <details>
          <summary>A server on your own machine?</summary>
          <div className="stack stack-tight">
            <p className="small">
              It needs no webhook: the command below forwards every event, signed like a real delivery. An operator can
              also allow local addresses with POSTERN_WEBHOOK_DEV_ALLOW.
            </p>
            <ListenCommand />
          </div>
        </details>
        <Field
          label="Description"
          optional
          maxLength={200}
          value={description}
          error={form.errorOf('description')}
          onChange={(event) => setDescription(event.target.value)}
        />
        <EventChoice value={events} error={form.errorOf('events')} onChange={setEvents} />
        <Check checked={isSigned} onChange={(event) => setSigned(event.target.checked)}>
          Sign every delivery
        </Check>
        {isSigned && (
          <div className="field">
            <span className="field-label">Signing secret</span>
            <div className="secret-row">
              <code className="secret-value">{secret}</code>
              <CopyButton text={secret} label="Copy signing secret" />
            </div>
            <Notice tone="warn" icon="key">
              Save it now: it is shown only here. Your service checks signatures with it.
            </Notice>
          </div>
        )}
        <FailureNotice failure={form.general} />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  )
}

/** 32 bytes, as every library of the standard takes them. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
