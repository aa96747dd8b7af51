import { Chip, type Tone } from '../../components/chip.tsx'
import type { IconName } from '../../components/icon.tsx'

const looks: Record<string, { tone: Tone; icon: IconName; word: string }> = {
  held: { tone: 'info', icon: 'pause', word: 'Held' },
  skipped: { tone: 'warn', icon: 'ban', word: 'Skipped' },
  pending: { tone: 'info', icon: 'clock', word: 'Waiting' },
  sending: { tone: 'info', icon: 'arrow', word: 'Sending' },
  delivered: { tone: 'ok', icon: 'check', word: 'Delivered' },
  failed: { tone: 'error', icon: 'close', word: 'Failed' },
  cancelled: { tone: 'neutral', icon: 'ban', word: 'Cancelled' },
  expired: { tone: 'warn', icon: 'clock', word: 'Expired' },
}

export function DeliveryChip({ status }: { status: string }) {
  const { word, ...look } = looks[status] ?? { tone: 'neutral', icon: 'info', word: status }
  return <Chip {...look}>{word}</Chip>
}
