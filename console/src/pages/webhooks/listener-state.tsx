import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { RelativeTime } from '../../components/time.tsx'

export function ListenerState({ listener }: { listener: Schemas['ConsoleListener'] }) {
  if (listener.connected) {
    return (
      <Chip tone="ok" icon="check">
        Connected
      </Chip>
    )
  }
  return (
    <span className="row">
      <Chip icon="pause">Not connected</Chip>
      <span className="muted">
        last seen <RelativeTime at={listener.seen_at} />
      </span>
    </span>
  )
}
