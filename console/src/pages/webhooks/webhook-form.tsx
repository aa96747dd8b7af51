import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { CopyButton } from '../../components/form/copy.tsx'
import { Check } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { ListenCommand } from './listen-command.tsx'
import { WebhookFields } from './webhook-fields.tsx'

type FormProps = { onClose: () => void; onAdded: (id: string) => void }

const emptyDraft = { url: '', description: '', events: ['*'] as string[], isSigned: true }

/**
 * The secret is made here, in the browser, and shown before it is sent: afterwards nobody can read it again. What was
 * written waits when the dialog is closed by accident; Cancel throws it away.
 */
export function WebhookForm({ onClose, onAdded }: FormProps) {
  const client = useQueryClient()
  const { user } = useSession()
  const [draft, keep] = useKeptDraft(user.id, 'webhook', emptyDraft)
  const { url, description, events, isSigned } = draft
  const [secret] = useState(draftSecret)
  const form = useSubmit(async () => {
    const body = {
      url: url.trim(),
      events,
      ...(description.trim() ? { description: description.trim() } : {}),
      ...(isSigned ? { secret } : {}),
    }
    const { id } = await call(api.POST('/console/api/webhooks', { body }))
    await client.invalidateQueries({ queryKey: ['webhooks'] })
    discard()
    onAdded(id)
  })
  const onChange = (part: Partial<typeof emptyDraft>) => keep({ ...draft, ...part })
  function discard(): void {
    keep(null)
    forgetSecret()
    onClose()
  }
  return (
    <FormDialog title="Add webhook" act="Add webhook" {...{ form, onClose }} onCancel={discard}>
      <div className="form">
        <WebhookFields
          {...{ draft, form, onChange }}
          placeholder="https://acme.example/hooks/chat"
          hint="A public https address. Postern posts a challenge there immediately; respond with the value of challenge."
        >
          <LocalServer />
        </WebhookFields>
        <Check checked={isSigned} onChange={(event) => onChange({ isSigned: event.target.checked })}>
          Sign every delivery
        </Check>
        {isSigned && <SigningSecret secret={secret} />}
        <FailureNotice failure={form.general} />
      </div>
    </FormDialog>
  )
}

function LocalServer() {
  return (
    <details>
      <summary>A server on your own machine?</summary>
      <div className="stack stack-tight">
        <p className="small">
          It needs no webhook: the command below forwards every event, signed like a real delivery. An operator can also
          allow local addresses with POSTERN_WEBHOOK_DEV_ALLOW.
        </p>
        <ListenCommand />
      </div>
    </details>
  )
}

function SigningSecret({ secret }: { secret: string }) {
  return (
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
  )
}

/** Of the draft: the person may have saved it already. In memory only, unlike the rest of the draft. */
let secretOfDraft: string | null = null

function draftSecret(): string {
  secretOfDraft ??= newSecret()
  return secretOfDraft
}

function forgetSecret(): void {
  secretOfDraft = null
}

/** 32 bytes, as every library of the standard takes them. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
