import type { Concurrency } from './concurrency.ts'
import type { Config } from './config/config.ts'
import type { Clock } from './lib/clock.ts'
import type { GuardedHttp } from './lib/guarded-http/guarded-http.ts'
import type { NewId } from './lib/ids.ts'
import type { Secrets } from './lib/secrets.ts'
import type { Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Tracer } from './observe/tracer.ts'
import type { ChatPlatform } from './platform/chat-platform.ts'
import type { Cursors } from './store/engine/cursor.ts'
import type { Store } from './store/engine/store.ts'
import type { Throttles } from './throttles.ts'

/**
 * The waist: every verb of the domain takes it first. It holds tools, never services, so that nothing below can reach
 * what stands above.
 */
export type Runtime = {
  readonly config: Config
  readonly store: Store
  readonly platform: ChatPlatform
  readonly deliver: GuardedHttp
  readonly clock: Clock
  readonly newId: NewId
  readonly secrets: Secrets
  readonly cursors: Cursors
  readonly log: Log
  readonly metrics: Metrics
  readonly tracer: Tracer
  readonly throttles: Throttles
  readonly concurrency: Concurrency
  /** Where clients reach us; known for certain once the listener has its port. */
  readonly urls: { base: string; console: string }
}
