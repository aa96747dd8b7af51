import { useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { Check, Field } from '../../components/form/field.tsx'
import { UnsavedNote } from '../../components/form/unsaved-note.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useKeptDraft, useWarnBeforeUnload } from '../../drafts.ts'
import { useMay, useSession } from '../../session.ts'
import { WebhookFields } from './webhook-fields.tsx'

type Detail = Schemas['ConsoleWebhookDetail']

type TabProps = { detail: Detail; onAct: (act: 'rotate' | 'delete') => void }

export function SettingsTab({ detail, onAct }: TabProps) {
  const mayWrite = useMay('webhooks:write')
  return (
    <div className="stack form-column">
      <ChangeForm key={settingsOf(detail.webhook)} webhook={detail.webhook} mayWrite={mayWrite} />
      <section className="card card-body stack">
        <h2>Signing secret</h2>
        <p>
          {detail.webhook.signed
            ? 'Every delivery is signed. The secret was shown once and cannot be read again.'
            : 'Deliveries carry no signature: your service cannot tell them from forged ones.'}{' '}
          {detail.previous_secret_until && (
            <>
              The previous secret also signs; it expires <RelativeTime at={detail.previous_secret_until} />.
            </>
          )}
        </p>
        {mayWrite && (
          <div>
            <Button icon="key" onClick={() => onAct('rotate')}>
              {detail.webhook.signed ? 'Rotate secret' : 'Create a secret'}
            </Button>
          </div>
        )}
      </section>
      {mayWrite && (
        <section className="card card-body stack">
          <h2>Delete</h2>
          <p>Waiting deliveries are cancelled. Past events stay available from the API for their retention.</p>
          <div>
            <Button kind="danger" icon="ban" onClick={() => onAct('delete')}>
              Delete webhook
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}

/** The form starts again when what it shows was changed elsewhere, not with every other event of the webhook. */
function settingsOf(webhook: Detail['webhook']): string {
  const { url, description, events, active, max_in_flight: inFlight, max_per_second: perSecond } = webhook
  return JSON.stringify([url, description, events, active, inFlight, perSecond])
}

function formOf(webhook: Detail['webhook']) {
  const { url, events, active, max_in_flight: inFlight, max_per_second: perSecond } = webhook
  return {
    ...{ url, events: events as string[], active, description: webhook.description ?? '' },
    ...{ inFlight: String(inFlight), perSecond: perSecond === null ? '' : String(perSecond) },
  }
}

function ChangeForm({ webhook, mayWrite }: { webhook: Detail['webhook']; mayWrite: boolean }) {
  const client = useQueryClient()
  const { user } = useSession()
  const start = formOf(webhook)
  // A draft belongs to the settings it began with.
  const [draft, keep] = useKeptDraft(user.id, `webhook.${webhook.id}.${settingsOf(webhook)}`, start)
  const { url, description, events, active, inFlight, perSecond } = draft
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start)
  useWarnBeforeUnload(isChanged)
  const form = useSubmit(async () => {
    const body = {
      ...(url === webhook.url ? {} : { url: url.trim() }),
      description: description.trim() || null,
      events,
      active,
      max_in_flight: Number(inFlight),
      max_per_second: perSecond === '' ? null : Number(perSecond),
    }
    const path = { webhook_id: webhook.id }
    await call(api.PUT('/console/api/webhooks/{webhook_id}', { params: { path }, body }))
    await client.invalidateQueries({ queryKey: ['webhooks'] })
    keep(null)
    toast('Saved')
  })
  return (
    <form className="card card-body form" onSubmit={form.onSubmit}>
      <fieldset className="form" disabled={!mayWrite}>
        <ChangeFields
          {...{ draft, form }}
          isMoved={url !== webhook.url}
          onChange={(part) => keep({ ...draft, ...part })}
        />
        <FailureNotice failure={form.general} />
        {mayWrite && (
          <div>
            <Button kind="primary" type="submit" busy={form.busy}>
              Save
            </Button>
          </div>
        )}
        {isChanged && <UnsavedNote onDiscard={() => keep(null)} />}
      </fieldset>
    </form>
  )
}

type FieldsProps = {
  draft: ReturnType<typeof formOf>
  form: ReturnType<typeof useSubmit>
  /** The address is another one than before. */
  isMoved: boolean
  onChange: (part: Partial<ReturnType<typeof formOf>>) => void
}

function ChangeFields({ draft, form, isMoved, onChange }: FieldsProps) {
  return (
    <>
      <WebhookFields {...{ draft, form, onChange }}>
        {isMoved && (
          <Notice tone="warn" icon="alert">
            A new address must return a challenge first. Until then, events wait.
          </Notice>
        )}
      </WebhookFields>
      <Field
        label="Concurrent deliveries"
        type="number"
        min={1}
        max={64}
        value={draft.inFlight}
        error={form.errorOf('max_in_flight')}
        hint="1 sends them one at a time, in order while they succeed."
        onChange={(event) => onChange({ inFlight: event.target.value })}
      />
      <Field
        label="Deliveries per second"
        optional
        type="number"
        min={1}
        value={draft.perSecond}
        error={form.errorOf('max_per_second')}
        onChange={(event) => onChange({ perSecond: event.target.value })}
      />
      <Check checked={draft.active} onChange={(event) => onChange({ active: event.target.checked })}>
        Active
      </Check>
    </>
  )
}
