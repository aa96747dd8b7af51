import { isIPv6 } from 'node:net'
import { AppError } from '../contract/app-error.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Metrics } from '../observe/metrics.ts'
import { type RateLimit, type RateLimiter, takeNow } from './rate.ts'

const fiveMinutesMs = 300_000
const perKeyAndAddress = { everyMs: fiveMinutesMs / 10, burst: 10 }
const perAddress = { everyMs: fiveMinutesMs / 50, burst: 50 }
const tokensPerKey = { everyMs: 100, burst: 600 }

/**
 * Guards the endpoints that take credentials. Failures are counted per key and address, and per address; a right secret
 * always passes, so strangers elsewhere cannot lock a client out. Successes are limited per key only. Several processes
 * count together, see `sharedRate` of the runtime.
 */
export type AttemptLimit = {
  /**
   * Called after a refusal: makes the 401 of a client that keeps guessing a 429. `ip` is null behind a proxy that
   * nobody configured; then the key alone counts.
   */
  failed(publicKey: string, ip: string | null, refusal: AppError): Promise<AppError>
  succeeded(keyId: string): Promise<void>
}

type Tools = { metrics: Metrics; sharedRate: RateLimiter; secrets: Secrets }

export function createAttemptLimit({ metrics, sharedRate, secrets }: Tools): AttemptLimit {
  return {
    async failed(publicKey, ip, refusal) {
      const waitMs = await takeNow(sharedRate, limitsOf(publicKey, ip === null ? null : networkOf(ip)))
      return waitMs === 0 ? refusal : tooMany(waitMs, 'Too many attempts with wrong credentials from this address.')
    },
    async succeeded(keyId) {
      const waitMs = await takeNow(sharedRate, [{ key: slotKey(`token ${keyId}`), ...tokensPerKey }])
      if (waitMs > 0)
        throw tooMany(
          waitMs,
          'This API key requested more than 600 tokens in a minute. A token is valid for an hour: reuse it.',
        )
    },
  }

  function limitsOf(publicKey: string, place: string | null): RateLimit[] {
    // No address bounds how many keys a stranger names here, so they share a fixed number of counts.
    if (place === null) return [{ key: slotKey(`key ${publicKey}`, 2), ...perKeyAndAddress }]
    return [
      { key: slotKey(`key ${publicKey} ${place}`), ...perKeyAndAddress },
      { key: slotKey(`address ${place}`), ...perAddress },
    ]
  }

  /** Hashed with a key: the table tells nobody who called from where. */
  function slotKey(text: string, bytes = 32): string {
    return `auth ${secrets.mac('attempts', text).subarray(0, bytes).toString('base64url')}`
  }

  function tooMany(waitMs: number, sentence: string): AppError {
    metrics.rateLimited.inc({ policy: 'auth', plan: 'none' })
    return new AppError('too_many_attempts', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
}

/**
 * What counts as one place when attempts are counted: an IPv4 address, or the /64 that one IPv6 customer has. Addresses
 * come shortened (`2001:db8::1`), so they are written out before they are cut.
 */
export function networkOf(ip: string): string {
  const plain = (ip.split('%', 1)[0] ?? '').toLowerCase()
  if (plain.startsWith('::ffff:') && plain.includes('.')) return plain.slice(7)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** An IPv4 address at the end stands for two groups; its value lies outside the first four. */
function groupsOf(part: string): string[] {
  if (part === '') return []
  return part
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)))
}
