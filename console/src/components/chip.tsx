import { accessStatus, broadcastStatus, messageStatus, templateStatus } from '../texts.ts'
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

type Known =
  | keyof typeof messageStatus
  | keyof typeof templateStatus
  | keyof typeof broadcastStatus
  | keyof typeof accessStatus

/** Every status of the API and how it is shown; one that is new is shown in its own word. */
const looks: Readonly<Record<string, Look>> = {
  waiting: { tone: 'neutral', icon: 'clock', word: messageStatus.waiting, outline: true },
  canceled: { tone: 'neutral', icon: 'ban', word: messageStatus.canceled },
  queued: { tone: 'neutral', icon: 'clock', word: messageStatus.queued },
  sent: { tone: 'neutral', icon: 'check', word: messageStatus.sent },
  delivered: { tone: 'info', icon: 'checks', word: messageStatus.delivered },
  read: { tone: 'ok', icon: 'checks', word: messageStatus.read },
  failed: { tone: 'error', icon: 'close', word: messageStatus.failed },
  received: { tone: 'info', icon: 'down', word: messageStatus.received },
  not_sent: { tone: 'error', icon: 'ban', word: messageStatus.not_sent, outline: true },
  pending: { tone: 'info', icon: 'clock', word: templateStatus.pending },
  approved: { tone: 'ok', icon: 'check', word: templateStatus.approved },
  rejected: { tone: 'error', icon: 'close', word: templateStatus.rejected },
  paused: { tone: 'warn', icon: 'pause', word: templateStatus.paused },
  disabled: { tone: 'error', icon: 'ban', word: templateStatus.disabled },
  draft: { tone: 'neutral', icon: 'template', word: templateStatus.draft },
  scheduled: { tone: 'info', icon: 'clock', word: broadcastStatus.scheduled },
  running: { tone: 'info', icon: 'play', word: broadcastStatus.running },
  // It goes on by itself.
  held: { tone: 'warn', icon: 'clock', word: 'Held' },
  completed: { tone: 'ok', icon: 'check', word: broadcastStatus.completed },
  active: { tone: 'ok', icon: 'check', word: accessStatus.active },
  suspended: { tone: 'error', icon: 'ban', word: accessStatus.suspended },
  revoked: { tone: 'error', icon: 'ban', word: accessStatus.revoked },
  expired: { tone: 'warn', icon: 'clock', word: accessStatus.expired },
  invited: { tone: 'info', icon: 'clock', word: accessStatus.invited },
} satisfies Record<Known | 'held', Look>

export function StatusChip({ status }: { status: string }) {
  const { word, ...look } = looks[status] ?? { tone: 'neutral', icon: 'info', word: status }
  return <Chip {...look}>{word}</Chip>
}

/** The status of an HTTP answer. */
export function HttpChip({ status }: { status: number }) {
  if (status < 400) return <Chip tone="ok" icon="check">{`${status}`}</Chip>
  return <Chip tone="error" icon={status < 500 ? 'ban' : 'alert'}>{`${status}`}</Chip>
}
