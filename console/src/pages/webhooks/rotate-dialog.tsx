import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { CopyButton } from '../../components/form/copy.tsx'
import { Select } from '../../components/form/field.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useConfirmed } from '../../components/overlay/confirmation.tsx'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'

const overlaps = [
  { value: '86400', label: '24 hours' },
  { value: '3600', label: '1 hour' },
  { value: '604800', label: '7 days' },
  { value: '0', label: 'Not at all: the old one has leaked' },
]

export function RotateDialog({ detail, onClose }: { detail: Schemas['ConsoleWebhookDetail']; onClose: () => void }) {
  const client = useQueryClient()
  const confirmed = useConfirmed()
  const [overlap, setOverlap] = useState('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const form = useSubmit(async () => {
    const path = { webhook_id: detail.webhook.id }
    const body = { overlap_seconds: Number(overlap) }
    const rotated = await confirmed(() =>
      call(api.POST('/console/api/webhooks/{webhook_id}/rotate-secret', { params: { path }, body })),
    )
    setSecret(rotated.secret)
    await client.invalidateQueries({ queryKey: ['webhooks', 'list'] })
  })
  const close = () => {
    onClose()
    void client.invalidateQueries({ queryKey: ['webhooks'] })
  }
  if (secret !== null) return <NewSecret secret={secret} onClose={close} />
  return (
    <FormDialog
      title={detail.webhook.signed ? 'Rotate the signing secret' : 'Create a signing secret'}
      act={detail.webhook.signed ? 'Rotate secret' : 'Create secret'}
      {...{ form, onClose }}
    >
      {detail.webhook.signed ? (
        <Select
          label="The old secret keeps signing, next to the new one, for"
          options={overlaps}
          value={overlap}
          onChange={(event) => setOverlap(event.target.value)}
        />
      ) : (
        <p>Deliveries are signed from now on. The secret is shown once.</p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

/** The new secret lives in this dialog and is gone with it. */
function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [asks, setAsks] = useState(false)
  return (
    <Dialog
      title="Save the secret now"
      onClose={() => setAsks(true)}
      foot={
        <>
          {asks && <span className="grow">Without it you cannot verify signatures. Save it first.</span>}
          <Button kind="primary" onClick={onClose}>
            I have saved it
          </Button>
        </>
      }
    >
      <Notice tone="warn" icon="key">
        It is shown only once.
      </Notice>
      <div className="secret-row">
        <code className="secret-value" data-testid="webhook-secret">
          {secret}
        </code>
        <CopyButton text={secret} label="Copy signing secret" />
      </div>
    </Dialog>
  )
}
