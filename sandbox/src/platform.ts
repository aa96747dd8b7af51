import type { Behaviour } from './behaviour.ts'
import type { CallbackClient } from './callback-client.ts'
import type { Clock } from './clock.ts'
import type { MediaFiles } from './media-files.ts'
import type { MessageLog } from './message-log.ts'
import type { Outbox } from './outbox.ts'
import type { UploadSessions } from './resumable-upload.ts'
import type { Throttle } from './throttle.ts'
import type { World } from './world.ts'

/** The tools every handler works with. */
export type Platform = {
  world: World
  clock: Clock
  behaviour: Behaviour
  throttle: Throttle
  messages: MessageLog
  outbox: Outbox
  callbacks: CallbackClient
  media: MediaFiles
  uploads: UploadSessions
  /** Where links handed out in callbacks point, e.g. `http://127.0.0.1:8081`. */
  baseUrl: () => string
  /** Tells the state file that something worth keeping has changed. */
  changed: () => void
  log: (line: object) => void
}

export const GRAPH_VERSION = 'v26.0'
