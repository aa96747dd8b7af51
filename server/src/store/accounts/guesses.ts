import { minuteMs } from '../../lib/durations.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

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

export const attemptColumns = {
  id: 'text',
  delivery_id: 'text',
  webhook_id: 'text',
  number: 'int',
  cause: 'text',
  url: 'text',
  started_at: 'int',
  duration_ms: 'int',
  status_code: 'int?',
  error_code: 'text?',
  error_message: 'text?',
  remote_ip: 'text?',
  response_headers: 'text',
  response_body: 'text?',
  next_attempt_at: 'int?',
} as const

export type AttemptRow = RowOf<typeof attemptColumns>

const columnList = Object.keys(attemptColumns).join(', ')

/** Only the row of a delivery tells of a first attempt that succeeded. */
const isKept = `rows.number = 1 and rows.outcome = 'ok'`
const hasClaim = `exists (select 1 from delivery_claims c where c.delivery_id = rows.delivery_id and c.claim = rows.claim)`

/**
 * The log keeps every other attempt, also one whose claim was lost meanwhile: it is marked late and counts for nothing. An
 * attempt recorded twice, because the answer to the first commit was lost, is one attempt.
 */
export const insertAttempt = operation({
  name: 'attempts.insert',
  input: { ...attemptColumns, claim: 'text', outcome: 'text' },
  sql: `insert into attempts (${columnList}, late)
        select ${columnList}, case when ${hasClaim} then 0 else 1 end from rows where not (${isKept} and ${hasClaim})
        on conflict (delivery_id, id) do nothing`,
})

/** First attempts that are stored already: when the answer to a commit was lost, nothing else tells. */
export const storedFirstAttempts = query({
  name: 'deliveries.stored_first_attempts',
  params: { webhook_ids: 'text[]', ids: 'text[]' },
  returns: { id: 'text', started_at: 'int' },
  lane: 'list',
  sql: `select id, last_attempt_at as started_at from deliveries
        where webhook_id in {list:webhook_ids} and id in {list:ids} and url is not null`,
})

/** Every attempt of the deliveries `d` that meet a condition, with those that are told by the delivery's own row. */
export const anyAttempt = (where: string) => `(
    select ${Object.keys(attemptColumns)
      .map((column) => `d.${column}`)
      .join(', ')}, d.late
    from attempts d where ${where.replaceAll('d.id', 'd.delivery_id')}
    union all
    select 'att_' || substr(d.id, 5) as id, d.id as delivery_id, d.webhook_id, 1 as number, d.cause, d.url,
      d.last_attempt_at as started_at, d.duration_ms, d.status_code, null as error_code, null as error_message,
      d.remote_ip, '{}' as response_headers, null as response_body, null as next_attempt_at, 0 as late
    from deliveries d where d.url is not null and ${where})`

export const listAttempts = query({
  name: 'attempts.list',
  params: { webhook_id: 'text', delivery_id: 'text' },
  returns: { ...attemptColumns, late: 'int' },
  lane: 'list',
  sql: `select ${columnList}, late from ${anyAttempt('d.id = :delivery_id and d.webhook_id = :webhook_id')} a
        order by id limit 200`,
})
