import { deliveryStatus } from '../../texts.ts'
import { Chip, type Tone } from '../chip.tsx'
import type { IconName } from '../icon.tsx'

const looks: Record<string, { tone: Tone; icon: IconName; word: string }> = {
  held: { tone: 'info', icon: 'pause', word: deliveryStatus.held },
  skipped: { tone: 'warn', icon: 'ban', word: deliveryStatus.skipped },
  pending: { tone: 'info', icon: 'clock', word: deliveryStatus.pending },
  sending: { tone: 'info', icon: 'arrow', word: deliveryStatus.sending },
  delivered: { tone: 'ok', icon: 'check', word: deliveryStatus.delivered },
  failed: { tone: 'error', icon: 'close', word: deliveryStatus.failed },
  cancelled: { tone: 'neutral', icon: 'ban', word: deliveryStatus.cancelled },
  expired: { tone: 'warn', icon: 'clock', word: deliveryStatus.expired },
}

export function DeliveryChip({ status }: { status: string }) {
  const { word, ...look } = looks[status] ?? { tone: 'neutral', icon: 'info', word: status }
  return <Chip {...look}>{word}</Chip>
}
