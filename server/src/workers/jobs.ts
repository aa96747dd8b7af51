import { expireOldEvents } from '../webhooks/expire-events.ts'
import type { JobDefinition } from './job.ts'

const minuteMs = 60_000

/** Everything that happens by itself. */
export const jobDefinitions: readonly JobDefinition[] = [
  { kind: 'events.expire', everyMs: 10 * minuteMs, run: (rt) => expireOldEvents(rt) },
]
