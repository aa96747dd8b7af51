import { minuteMs } from '../../lib/durations.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

const freeTries = 5
const addressTries = 20
/** The longest wait of a person, and the window in which the tries of an address are counted. */
const windowMs = 15 * minuteMs
/** Doublings after which the wait is longer than the window. */
const doublingsMax = 10

/**
 * Counts one try of a person at a place, unless they have to wait; the wait doubles from 1 s after five tries. The lock of
 * the row makes it exact across nodes. A wait longer than any was noted by a clock that was put back since.
 */
export const countPersonGuess = operation({
  name: 'guesses.person',
  input: { slot_key: 'text', now: 'int' },
  key: ['slot_key'],
  returns: { slot_key: 'text', tries: 'int' },
  required: true,
  sql: `insert into guesses (slot_key, tries, open_at) select slot_key, 1, now from rows where true
        on conflict (slot_key) do update set tries = guesses.tries + 1,
          open_at = excluded.open_at + case when guesses.tries + 1 < ${freeTries} then 0 else {min}(${windowMs},
            1000 * (1 << cast({min}(guesses.tries + 1 - ${freeTries}, ${doublingsMax}) as integer))) end
          where guesses.open_at <= excluded.open_at or guesses.open_at > excluded.open_at + ${windowMs}
        returning slot_key, tries`,
})

/** Counts one try of an address, at most twenty in 15 minutes. */
export const countAddressGuess = operation({
  name: 'guesses.address',
  input: { slot_key: 'text', now: 'int' },
  key: ['slot_key'],
  returns: { slot_key: 'text', tries: 'int' },
  required: true,
  sql: `insert into guesses (slot_key, tries, open_at) select slot_key, 1, now + ${windowMs} from rows where true
        on conflict (slot_key) do update set
          tries = case when guesses.open_at <= excluded.open_at - ${windowMs} or guesses.open_at > excluded.open_at
            then 1 else guesses.tries + 1 end,
          open_at = case when guesses.open_at <= excluded.open_at - ${windowMs} or guesses.open_at > excluded.open_at
            then excluded.open_at else guesses.open_at end
          where guesses.tries < ${addressTries} or guesses.open_at <= excluded.open_at - ${windowMs}
            or guesses.open_at > excluded.open_at
        returning slot_key, tries`,
})

/** Takes a try of a person back. The wait it caused ends, unless others were counted after it. */
export const takeBackPersonGuess = operation({
  name: 'guesses.take_back',
  input: { slot_key: 'text', tries: 'int', now: 'int' },
  key: ['slot_key'],
  sql: `update guesses set tries = {max}(0, guesses.tries - 1),
          open_at = case when guesses.tries = rows.tries then rows.now else guesses.open_at end
        from rows where guesses.slot_key = rows.slot_key`,
})

/** Gives an address its try back. */
export const giveBackGuess = operation({
  name: 'guesses.give_back',
  input: { slot_key: 'text' },
  key: ['slot_key'],
  sql: `update guesses set tries = {max}(0, guesses.tries - 1) from rows where guesses.slot_key = rows.slot_key`,
})

export const forgetGuesses = operation({
  name: 'guesses.forget',
  input: { slot_key: 'text' },
  key: ['slot_key'],
  sql: 'delete from guesses where slot_key in (select slot_key from rows)',
})

const waits = { slot_key: 'text', open_at: 'int' } as const

/** Which of these have to wait, and until when. */
export const waitingGuesses = query({
  name: 'guesses.waiting',
  params: { person_key: 'text', address_key: 'text', now: 'int' },
  returns: waits,
  sql: `select slot_key, open_at from guesses
        where (slot_key = :person_key or (slot_key = :address_key and tries >= ${addressTries}))
          and open_at > :now and open_at <= :now + ${windowMs}`,
})

export const expireGuesses = expireBefore({ table: 'guesses', key: ['slot_key'], time: 'open_at' })
