import { AppError } from '../contract/app-error.ts'
import { createThrottle } from '../lib/gcra.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './network-of.ts'

const fiveMinutesMs = 300_000

/**
 * Guards the endpoints that take credentials. Failures are counted per key and address, and per address; a right secret
 * always passes, so strangers elsewhere cannot lock a client out. Successes are limited per key only.
 */
export type AttemptLimit = {
  /**
   * Called after a refusal: makes the 401 of a client that keeps guessing a 429. `ip` is null behind a proxy that
   * nobody configured; then the key alone counts.
   */
  failed(publicKey: string, ip: string | null, refusal: AppError): AppError
  succeeded(keyId: string): void
}

export function createAttemptLimit(rt: Pick<Runtime, 'clock' | 'metrics'>): AttemptLimit {
  const perKeyAndAddress = createThrottle({ everyMs: fiveMinutesMs / 10, burst: 10 })
  const perAddress = createThrottle({ everyMs: fiveMinutesMs / 50, burst: 50 })
  const perKey = createThrottle({ everyMs: 100, burst: 600 })

  return {
    failed(publicKey, ip, refusal) {
      const now = rt.clock.now()
      const place = ip === null ? null : networkOf(ip)
      const waitMs = Math.max(
        perKeyAndAddress.take(`${publicKey} ${place ?? ''}`, now),
        place === null ? 0 : perAddress.take(place, now),
      )
      return waitMs === 0 ? refusal : tooMany(waitMs, 'Too many attempts with wrong credentials from this address.')
    },
    succeeded(keyId) {
      const waitMs = perKey.take(keyId, rt.clock.now())
      if (waitMs > 0)
        throw tooMany(waitMs, 'This API key asks for more than 600 tokens a minute. A token lives an hour: keep it.')
    },
  }

  function tooMany(waitMs: number, sentence: string): AppError {
    rt.metrics.rateLimited.inc({ policy: 'auth', plan: 'none' })
    return new AppError('too_many_attempts', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
}
