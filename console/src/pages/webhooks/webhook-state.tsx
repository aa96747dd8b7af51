import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'

type Webhook = Schemas['Webhook']

/** Whether anything is sent there, and why not. */
export function WebhookState({ webhook, failing = false }: { webhook: Webhook; failing?: boolean }) {
  const { active, disabled_at: disabledAt, disabled_reason: reason, verification } = webhook
  return (
    <span className="row">
      {disabledAt !== null ? (
        <Chip tone="error" icon="ban">
          {reason === 'gone' ? 'Disabled: gone' : 'Disabled: failing'}
        </Chip>
      ) : active && failing ? (
        <Chip tone="warn" icon="alert">
          Failing
        </Chip>
      ) : active && verification.status !== 'verified' ? null : active ? (
        <Chip tone="ok" icon="check">
          Active
        </Chip>
      ) : (
        <Chip icon="pause">Inactive</Chip>
      )}
      {verification.status === 'verified' ? (
        <Chip tone="ok" icon="shield">
          Verified
        </Chip>
      ) : (
        <Chip
          tone={verification.status === 'failed' ? 'error' : 'info'}
          icon={verification.status === 'failed' ? 'alert' : 'clock'}
        >
          {verification.status === 'failed' ? 'Not verified' : 'Waiting for the challenge'}
        </Chip>
      )}
    </span>
  )
}
