import { deliveryStatus } from '../../texts.ts'
import { Chip, type Tone } from '../chip.tsx'
import type { IconName } from '../icon.tsx'

type Look = { tone: Tone; icon: IconName; word: string }

const looks: Readonly<Record<string, Look>> = {
  held: { tone: 'info', icon: 'pause', word: deliveryStatus.held },
  skipped: { tone: 'warn', icon: 'ban', word: deliveryStatus.skipped },
  pending: { tone: 'info', icon: 'clock', word: deliveryStatus.pending },
  sending: { tone: 'info', icon: 'arrow', word: deliveryStatus.sending },
  delivered: { tone: 'ok', icon: 'check', word: deliveryStatus.delivered },
  failed: { tone: 'error', icon: 'close', word: deliveryStatus.failed },
  cancelled: { tone: 'neutral', icon: 'ban', word: deliveryStatus.cancelled },
  expired: { tone: 'warn', icon: 'clock', word: deliveryStatus.expired },
} satisfies Record<keyof typeof deliveryStatus, Look>

export function DeliveryChip({ status }: { status: string }) {
  const { word, ...look } = looks[status] ?? { tone: 'neutral', icon: 'info', word: status }
  return <Chip {...look}>{word}</Chip>
}
