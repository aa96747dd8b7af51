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
import { networkOf } from './attempts.ts'

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

export type Attempt = {
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
