import { AppError } from '../contract/app-error.ts'
import { minuteMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { networkOf } from './network-of.ts'

const freeAttempts = 5
const windowMs = 15 * minuteMs
const perAddressMax = 20
const rememberedMax = 50_000

/**
 * Where an attempt comes from: a browser in which this person signed in before has a count of its own; otherwise the
 * address counts, if it is known (a proxy nobody configured hides it).
 */
export type AttemptSource = { browser: string | null; ip: string; addressKnown: boolean }

/** Guards the sign-in form. An attempt is counted before the password is checked, so many at once gain nothing. */
export type SignInLimit = {
  /** Throws too_many_attempts, or counts one attempt. */
  attempt(email: string, source: AttemptSource): Attempt
  /** The right password came: this person at this address starts anew, and the address gets its attempt back. */
  succeeded(email: string, source: AttemptSource): void
}

export type Attempt = {
  /** Nothing was guessed: the attempt does not count, and what was counted before it stays. */
  takeBack(): void
  /** The password could not be checked: takes the attempt back and throws what was in the way. */
  withdraw(reason: unknown): never
}

type Count = { count: number; openAt: number }

/** Per person and address the wait doubles after 5 attempts, from 1 s to 15 min; per address 20 failures in 15 min. */
export function createSignInLimit(rt: Pick<Runtime, 'clock' | 'metrics'>): SignInLimit {
  const people = new Map<string, Count>()
  const addresses = new Map<string, Count>()

  return {
    attempt(email, source) {
      const now = rt.clock.now()
      const { person: personKey, address: addressKey } = keysOf(email, source)
      const person = people.get(personKey) ?? { count: 0, openAt: 0 }
      const address = windowOf(addressKey === null ? undefined : addresses.get(addressKey), now)
      const waitMs = Math.max(person.openAt - now, address.count >= perAddressMax ? address.openAt - now : 0)
      if (waitMs > 0) throw tooMany(waitMs)
      const count = person.count + 1
      const delayMs = count < freeAttempts ? 0 : Math.min(windowMs, 1_000 * 2 ** (count - freeAttempts))
      remember(people, personKey, { count, openAt: now + delayMs })
      if (addressKey !== null) remember(addresses, addressKey, { ...address, count: address.count + 1 })
      const takeBack = () => {
        const counted = people.get(personKey)
        if (counted) remember(people, personKey, { count: counted.count - 1, openAt: person.openAt })
        giveBack(addressKey)
      }
      return {
        takeBack,
        withdraw(reason) {
          takeBack()
          throw reason
        },
      }
    },
    succeeded(email, source) {
      const { person, address } = keysOf(email, source)
      people.delete(person)
      giveBack(address)
    },
  }

  function giveBack(addressKey: string | null): void {
    const address = addressKey === null ? undefined : addresses.get(addressKey)
    if (address) address.count--
  }

  function tooMany(waitMs: number): AppError {
    rt.metrics.consoleLogins.inc({ outcome: 'limited' })
    return new AppError('too_many_attempts', 'Too many attempts to sign in from here. Wait, then try again.', {
      retryAfterSeconds: Math.ceil(waitMs / 1_000),
    })
  }
}

function windowOf(known: Count | undefined, now: number): Count {
  return known && known.openAt > now ? known : { count: 0, openAt: now + windowMs }
}

/** The oldest are forgotten first: an attack from very many places begins anew, memory does not grow. */
function remember(counts: Map<string, Count>, key: string, count: Count): void {
  counts.delete(key)
  counts.set(key, count)
  for (const oldest of counts.keys()) {
    if (counts.size <= rememberedMax) break
    counts.delete(oldest)
  }
}

function keysOf(email: string, { browser, ip, addressKnown }: AttemptSource) {
  if (browser !== null) return { person: `${email}\nbrowser ${browser}`, address: null }
  const place = networkOf(ip)
  return { person: `${email}\n${place}`, address: addressKnown ? place : null }
}
