import type { Config } from './config/config.ts'
import type { MutexByKey, Singleflight } from './lib/async/with-timeout.ts'
import type { Clock } from './lib/clock.ts'
import type { GuardedHttp } from './lib/guarded-http/guarded-http.ts'
import type { NewId } from './lib/ids.ts'
import type { Mailer } from './lib/mailer.ts'
import type { Oidc } from './lib/oidc.ts'
import type { S3Bucket } from './lib/s3/s3-bucket.ts'
import type { Secrets } from './lib/secrets.ts'
import type { WaitingRoom } from './limits/concurrency.ts'
import type { RateLimiter } from './limits/rate.ts'
import type { SendRateLimiter } from './limits/send-limits.ts'
import type { Concurrency, Throttles } from './limits/throttles.ts'
import type { Log } from './observe/log.ts'
import type { Metrics } from './observe/metrics.ts'
import type { Tracer } from './observe/tracer.ts'
import type { ChatPlatform } from './platform/chat-platform.ts'
import type { Presence } from './presence.ts'
import type { KnownRecipients, NumberMemory, OpenChannels, RecentCounts, RelayMemory } from './process-memory.ts'
import type { Cursors } from './store/engine/cursor.ts'
import type { Store } from './store/engine/store.ts'

/** Tells recipients of one account apart without naming them; keyed, because phone numbers can be tried one by one. */
export type Recipients = {
  /** Called once before anything is sent: `hash` is called where nothing may be awaited. */
  loadKey(): Promise<void>
  hash(accountId: string, address: string): string
}

/** Cost parameters of the password hash; memory in KiB. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number }

/** In-memory state of a process; two runtimes share none of it. */
export type ProcessState = Pick<
  Runtime,
  | 'throttles'
  | 'concurrency'
  | 'singleflight'
  | 'mutex'
  | 'openChannels'
  | 'numberMemory'
  | 'relayMemory'
  | 'knownRecipients'
  | 'recentCounts'
  | 'sendRate'
  | 'sharedRate'
  | 'waitingRoom'
  | 'presence'
  | 'pepper'
  | 'recipients'
>

/**
 * The waist: every verb of the domain takes it first. It holds tools, never services, so that nothing below can reach
 * what stands above.
 */
export type Runtime = {
  readonly config: Config
  readonly store: Store
  readonly platform: ChatPlatform
  readonly deliver: GuardedHttp
  /** The same for callbacks of tools, some of which the operator runs in a network of their own. */
  readonly deliverRelay: GuardedHttp
  /** The bucket for new files; null: with the database. */
  readonly bucket: S3Bucket | null
  readonly clock: Clock
  readonly newId: NewId
  readonly secrets: Secrets
  readonly cursors: Cursors
  /** The OpenID Connect provider, if any. */
  readonly oidc: Oidc | null
  /** Null: links are passed on by people. */
  readonly mailer: Mailer | null
  readonly log: Log
  readonly metrics: Metrics
  readonly tracer: Tracer
  readonly throttles: Throttles
  readonly concurrency: Concurrency
  readonly singleflight: Singleflight
  readonly mutex: MutexByKey
  readonly openChannels: OpenChannels
  readonly numberMemory: NumberMemory
  readonly relayMemory: RelayMemory
  readonly knownRecipients: KnownRecipients
  readonly recentCounts: RecentCounts
  readonly sendRate: SendRateLimiter
  /**
   * Counts for all processes of the database: failed credentials (limits/sign-in.ts) and costly acts
   * (limits/throttles.ts).
   */
  readonly sharedRate: RateLimiter
  /** Number of waiting messages per account. */
  readonly waitingRoom: WaitingRoom
  /** People with an open conversation. */
  readonly presence: Presence
  /** The key behind every stored hash of a secret, see access/installation.ts. */
  pepper(): Promise<Buffer>
  readonly recipients: Recipients
  /** Of passwords that are set from now on: those stored before keep the cost they were set with. */
  readonly passwordCost: PasswordCost
  /** The addresses at which clients reach the gateway. */
  readonly urls: { readonly base: string; readonly console: string }
}
