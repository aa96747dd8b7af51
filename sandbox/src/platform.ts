import type { CallbackClient } from './callbacks/callback-client.ts'
import type { Clock } from './clock.ts'
import type { MediaFiles } from './media/media-files.ts'
import type { Behaviour } from './messages/behaviour.ts'
import type { MessageLog } from './messages/message-log.ts'
import type { Outbox } from './messages/outbox.ts'
import type { Throttle } from './messages/throttle.ts'
import type { SignupCode, World } from './world.ts'

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
  /** Resumable uploads that are under way, by session id. */
  uploads: Map<string, { lengthBytes: number; receivedBytes: number; type: string; image: Buffer[] }>
  /** Codes of the signup dialog, which live for seconds. */
  codes: Map<string, SignupCode>
  /** Uploaded images, by handle: each can become the photo of a profile. */
  images: Map<string, { bytes: Buffer; type: string }>
  /** Where links handed out in callbacks point, e.g. `http://127.0.0.1:8081`. */
  baseUrl: () => string
  /** Tells the state file that something worth keeping has changed. */
  changed: () => void
  log: (line: object) => void
}

export const GRAPH_VERSION = 'v26.0'
