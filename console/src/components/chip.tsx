import { Icon, type IconName } from './icon.tsx'

export type Tone = 'neutral' | 'ok' | 'info' | 'warn' | 'error'

/** A state is an icon and a word; the colour only repeats them. */
export function Chip({
  tone = 'neutral',
  icon,
  outline = false,
  children,
}: {
  tone?: Tone
  icon: IconName
  outline?: boolean
  children: string
}) {
  return (
    <span className="chip" data-tone={tone} data-outline={outline}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  )
}

type Look = { tone: Tone; icon: IconName; word: string; outline?: boolean }

/** Every status of the API and how it is shown; one that is new is shown in its own word. */
const looks: Record<string, Look> = {
  queued: { tone: 'neutral', icon: 'clock', word: 'Queued' },
  sent: { tone: 'neutral', icon: 'check', word: 'Sent' },
  delivered: { tone: 'info', icon: 'checks', word: 'Delivered' },
  read: { tone: 'ok', icon: 'checks', word: 'Read' },
  failed: { tone: 'error', icon: 'close', word: 'Failed' },
  received: { tone: 'info', icon: 'down', word: 'Received' },
  not_sent: { tone: 'error', icon: 'ban', word: 'Not sent', outline: true },
  pending: { tone: 'info', icon: 'clock', word: 'In review' },
  approved: { tone: 'ok', icon: 'check', word: 'Approved' },
  rejected: { tone: 'error', icon: 'close', word: 'Rejected' },
  paused: { tone: 'warn', icon: 'pause', word: 'Paused' },
  disabled: { tone: 'error', icon: 'ban', word: 'Disabled' },
  draft: { tone: 'neutral', icon: 'template', word: 'Draft' },
  active: { tone: 'ok', icon: 'check', word: 'Active' },
  revoked: { tone: 'error', icon: 'ban', word: 'Revoked' },
  expired: { tone: 'warn', icon: 'clock', word: 'Expired' },
  invited: { tone: 'info', icon: 'clock', word: 'Invited' },
}

export function StatusChip({ status }: { status: string }) {
  const { word, ...look } = looks[status] ?? { tone: 'neutral', icon: 'info', word: status }
  return <Chip {...look}>{word}</Chip>
}

/** The status of an HTTP answer. */
export function HttpChip({ status }: { status: number }) {
  if (status < 400) return <Chip tone="ok" icon="check">{`${status}`}</Chip>
  return <Chip tone="error" icon={status < 500 ? 'ban' : 'alert'}>{`${status}`}</Chip>
}
