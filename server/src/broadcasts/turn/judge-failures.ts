import type { HoldReason, PauseReason } from '../../contract/broadcasts/broadcasts.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { minuteMs, secondMs } from '../../lib/durations.ts'
import type { PlatformError } from '../../platform/platform-error.ts'

/** What stops a broadcast: for a while, or until a person resumes it. */
export type Stop = { hold: HoldReason; forMs: number } | { pause: PauseReason }

const stops: Partial<Record<ErrorCode, Stop>> = {
  template_paused: { hold: 'template_paused', forMs: 5 * minuteMs },
  template_syncing: { hold: 'template_paused', forMs: 10 * minuteMs },
  template_disabled: { pause: 'template_rejected' },
  template_not_approved: { pause: 'template_rejected' },
  template_not_found: { pause: 'template_rejected' },
  channel_not_connected: { hold: 'channel', forMs: minuteMs },
  channel_auth_failed: { hold: 'channel', forMs: minuteMs },
  channel_number_not_registered: { hold: 'channel', forMs: minuteMs },
  channel_permission_missing: { hold: 'channel', forMs: minuteMs },
  channel_account_restricted: { pause: 'restricted' },
  channel_spam_limited: { pause: 'restricted' },
  channel_payment_missing: { pause: 'payment_missing' },
  channel_payment_terms_missing: { pause: 'payment_missing' },
  service_unavailable: { hold: 'meta_unavailable', forMs: 30 * secondMs },
  upstream_unavailable: { hold: 'meta_unavailable', forMs: 30 * secondMs },
  budget_exceeded: { pause: 'budget' },
  media_link_unreachable: { pause: 'too_many_failures' },
}

/** What concerns all recipients and not one; null for what is wrong with one. */
export function stopFor(code: ErrorCode): Stop | null {
  return stops[code] ?? null
}

const rememberedMax = 200
const sameMax = 100
const unansweredMax = 10
/** Meta's limit for one person says nothing about the others. */
const aboutOnePerson = 'recipient_marketing_limited'

/** The last results of a broadcast, to see when going on would only make things worse. */
export class RecentResults {
  #codes: (string | null)[] = []
  #unanswered = 0
  stop: Stop | null = null

  /** What the platform said; null is a message that it took. */
  add(failure: PlatformError | null): void {
    const unanswered = failure !== null && failure.outcome !== 'refused'
    this.#unanswered = unanswered ? this.#unanswered + 1 : 0
    if (this.#unanswered >= unansweredMax) this.stop ??= { hold: 'meta_unavailable', forMs: 30 * secondMs }
    this.#codes.push(failure === null ? null : failure.code)
    if (this.#codes.length > rememberedMax) this.#codes.shift()
    if (failure === null || unanswered || failure.passesSoon) return
    this.stop ??= stopFor(failure.code) ?? this.#tooMany(failure.code)
  }

  #tooMany(code: string): Stop | null {
    if (code === aboutOnePerson) return null
    return this.#codes.filter((one) => one === code).length > sameMax ? { pause: 'too_many_failures' } : null
  }

  /** The stop is being made, and everything counts anew. */
  reset(): void {
    this.#codes = []
    this.#unanswered = 0
    this.stop = null
  }
}
