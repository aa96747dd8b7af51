import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice, Notice } from '../../components/state.tsx'
import { ExactTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'

/** What keeps events back, in one sentence, with the one thing to do. */
export function Trouble({ detail }: { detail: Schemas['ConsoleWebhookDetail'] }) {
  const { webhook, failing_since: failingSince } = detail
  const client = useQueryClient()
  const mayWrite = useMay('webhooks:write')
  const path = { webhook_id: webhook.id }
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] })
  const check = useSubmit(async () => {
    try {
      await call(api.POST('/console/api/webhooks/{webhook_id}/verify', { params: { path } }))
      toast('The receiver returned the challenge')
    } finally {
      await refresh()
    }
  })
  const enable = useSubmit(async () => {
    await call(api.PUT('/console/api/webhooks/{webhook_id}', { params: { path }, body: { active: true } }))
    await refresh()
    toast('Enabled')
  })
  if (!webhook.active) {
    return (
      <Notice tone={webhook.disabled_at ? 'error' : 'warn'} icon="pause">
        <p>
          {webhook.disabled_at
            ? 'Postern disabled it because it kept failing. Events since then are kept: enable it, then replay them.'
            : 'It is inactive: events are kept, and nothing is sent.'}
        </p>
        {mayWrite && (
          <Button busy={enable.busy} onClick={() => void enable.submit()}>
            Enable
          </Button>
        )}
        <FailureNotice failure={enable.failure} />
      </Notice>
    )
  }
  const { status, last_error: lastError } = webhook.verification
  if (status === 'verified') return failingSince && <Failing since={failingSince} />
  return (
    <Notice tone={status === 'failed' ? 'error' : lastError ? 'warn' : 'info'} icon="shield">
      <p>
        Nothing is sent until the receiver returns the challenge: it responds to the POST of type{' '}
        <code>webhook.verification</code> with the value of <code>challenge</code>. Events wait until then.
      </p>
      {lastError && (
        <p>
          The last check failed: {lastError} <Link to={`/webhooks/${webhook.id}?tab=settings`}>Change the address</Link>{' '}
          or fix the receiver.
        </p>
      )}
      {mayWrite && (
        <Button busy={check.busy} onClick={() => void check.submit()}>
          Check again now
        </Button>
      )}
      <FailureNotice failure={check.failure} />
    </Notice>
  )
}

function Failing({ since }: { since: string }) {
  return (
    <Notice tone="warn" icon="alert">
      The receiver has accepted nothing since <ExactTime at={since} />. Open a delivery to see the response. Failed
      deliveries are retried automatically; after three days without success the webhook is disabled.
    </Notice>
  )
}
