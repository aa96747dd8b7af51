import { isIPv6 } from 'node:net'
import { AppError } from '../contract/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Metrics } from '../observe/metrics.ts'
import {
  countAddressGuess,
  countPersonGuess,
  forgetGuesses,
  giveBackGuess,
  takeBackPersonGuess,
  waitingGuesses,
} from '../store/accounts/guesses.ts'
import type { Store } from '../store/engine/store.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
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

/**
 * Where an attempt comes from: a browser in which this person signed in before has a count of its own; otherwise the
 * address counts, if it is known (a proxy nobody configured hides it).
 */
export type AttemptSource = { browser: string | null; ip: string; addressKnown: boolean }

/** Guards the sign-in form. An attempt is counted before the password is checked, so many at once gain nothing. */
export type SignInLimit = {
  /** Rejects with too_many_attempts, or counts one attempt. */
  attempt(email: string, source: AttemptSource): Promise<Attempt>
  /** The right password came: this person at this address starts anew, and the address gets its attempt back. */
  succeeded(email: string, source: AttemptSource): Promise<void>
}

type Attempt = {
  /** Nothing was guessed: the attempt does not count, and what was counted before it stays. */
  takeBack(): Promise<void>
  /** The password could not be checked: takes the attempt back and rejects with what was in the way. */
  withdraw(reason: unknown): Promise<never>
}

type Keys = { person: string; address: string | null }

/**
 * Per person and address the wait doubles after 5 attempts, from 1 s to 15 min; per address 20 failures in 15 min. The
 * counts are in the database, so that several processes allow no more than one. They are forgotten an hour after the last
 * wait (access/tokens/token-chain.ts), which gives a guesser no more tries a day than waiting 15 minutes for each does.
 */
export function createSignInLimit(rt: { clock: Clock; metrics: Metrics; secrets: Secrets; store: Store }): SignInLimit {
  return {
    async attempt(email, source) {
      const keys = keysOf(email, source)
      const now = rt.clock.now()
      await requireNoWait(keys, now)
      const tries = await countOne(keys, now)
      const takeBack = async () => {
        const unit = new Unit()
        unit.add(takeBackPersonGuess, { slot_key: keys.person, tries, now })
        if (keys.address !== null) unit.add(giveBackGuess, { slot_key: keys.address })
        await rt.store.tally(unit)
      }
      return {
        takeBack,
        async withdraw(reason) {
          await takeBack()
          throw reason
        },
      }
    },
    async succeeded(email, source) {
      const { person, address } = keysOf(email, source)
      const unit = new Unit()
      unit.add(forgetGuesses, { slot_key: person })
      if (address !== null) unit.add(giveBackGuess, { slot_key: address })
      await rt.store.tally(unit)
    },
  }

  /** Those who have to wait cost one read, and nobody's batch is undone for them. */
  async function requireNoWait({ person, address }: Keys, now: number): Promise<void> {
    const rows = await rt.store.read(waitingGuesses, { person_key: person, address_key: address ?? '', now })
    const waitMs = Math.max(0, ...rows.map(({ open_at }) => open_at - now))
    if (waitMs > 0) throw tooMany(waitMs)
  }

  async function countOne(keys: Keys, now: number): Promise<number> {
    const unit = new Unit()
    const call = unit.add(countPersonGuess, { slot_key: keys.person, now })
    if (keys.address !== null) unit.add(countAddressGuess, { slot_key: keys.address, now })
    try {
      return (await rt.store.tally(unit)).first(call)?.tries ?? 1
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
      // Others took the last free try since the read.
      await requireNoWait(keys, now)
      throw tooMany(1_000)
    }
  }

  /** Hashed with a key: the table tells nobody who tried to sign in from where. */
  function keysOf(email: string, { browser, ip, addressKnown }: AttemptSource): Keys {
    const place = browser === null ? networkOf(ip) : `browser ${browser}`
    return {
      person: slotKey(`person\n${email}\n${place}`),
      address: browser === null && addressKnown ? slotKey(`address\n${place}`) : null,
    }
  }

  function slotKey(text: string): string {
    return rt.secrets.mac('sign-in attempts', text).toString('base64url')
  }

  function tooMany(waitMs: number): AppError {
    rt.metrics.consoleLogins.inc({ outcome: 'limited' })
    return new AppError('too_many_attempts', 'Too many attempts to sign in from here. Wait, then try again.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    })
  }
}
