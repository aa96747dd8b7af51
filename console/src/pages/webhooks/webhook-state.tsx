import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'

type Webhook = Schemas['Webhook']

// Fewer say nothing about a rate.
const [sentMin, successMin] = [20, 95]

const troubles = ['disabled', 'failing', 'unverified', 'some_fail', 'active', 'inactive'] as const

function stateOf(webhook: Webhook, failing: boolean): (typeof troubles)[number] {
  const { active, disabled_at: disabledAt, verification, stats } = webhook
  if (disabledAt !== null) return 'disabled'
  if (!active) return 'inactive'
  if (failing) return 'failing'
  if (verification.status !== 'verified') return 'unverified'
  return stats.total_sent >= sentMin && stats.success_rate < successMin ? 'some_fail' : 'active'
}

/** 0 needs attention most. */
export function troubleOf(webhook: Webhook, failing: boolean): number {
  return troubles.indexOf(stateOf(webhook, failing))
}

type StateProps = { webhook: Webhook; failing?: boolean; showsVerified?: boolean }

/** Whether anything is sent there, and why not. In a list an address is taken to be verified where nothing else is said. */
export function WebhookState({ webhook, failing = false, showsVerified = false }: StateProps) {
  const { disabled_reason: reason, verification } = webhook
  const chips = {
    disabled: { tone: 'error', icon: 'ban', children: reason === 'gone' ? 'Disabled: gone' : 'Disabled: failing' },
    failing: { tone: 'warn', icon: 'alert', children: 'Failing' },
    unverified: null,
    some_fail: { tone: 'warn', icon: 'info', children: 'Some fail' },
    active: { tone: 'ok', icon: 'check', children: 'Active' },
    inactive: { icon: 'pause', children: 'Inactive' },
  } as const
  const chip = chips[stateOf(webhook, failing)]
  return (
    <span className="row">
      {chip && <Chip {...chip} />}
      {showsVerified && verification.status === 'verified' && (
        <Chip tone="ok" icon="shield">
          Verified
        </Chip>
      )}
      {verification.status === 'failed' && (
        <Chip tone="error" icon="alert">
          Not verified
        </Chip>
      )}
      {verification.status === 'pending' && (
        <Chip tone="info" icon="clock">
          Waiting for the challenge
        </Chip>
      )}
    </span>
  )
}
