import { dayMs } from '../../lib/durations.ts'
import { expireBefore } from '../engine/expire-before.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

export const idempotencyColumns = {
  account_id: 'text',
  endpoint: 'text',
  idempotency_key: 'text',
  fingerprint: 'text',
  message_id: 'text?',
  outcome: 'text?',
  lease_until: 'int',
  expires_at: 'int',
} as const

export type IdempotencyRow = RowOf<typeof idempotencyColumns>
const columns = Object.keys(idempotencyColumns).join(', ')
const primary = ['account_id', 'endpoint', 'idempotency_key'] as const
const primaryColumns = { account_id: 'text', endpoint: 'text', idempotency_key: 'text' } as const
const samePrimary = (table: string): string =>
  primary.map((column) => `${table}.${column} = rows.${column}`).join(' and ')

/** Before any lease of a holder that may still be running, or that died. */
export const leaseOver = 0

/** The first request with a key takes it, in the same unit as what it causes; a second one fails whole. */
export const claimIdempotencyKey = operation({
  name: 'idempotency.claim',
  input: { ...idempotencyColumns, now: 'int' },
  key: primary,
  returns: primaryColumns,
  required: true,
  sql: `insert into idempotency_keys (${columns}) select ${columns} from rows where true
        on conflict (account_id, endpoint, idempotency_key) do update set fingerprint = excluded.fingerprint,
          message_id = excluded.message_id, outcome = excluded.outcome, lease_until = excluded.lease_until,
          expires_at = excluded.expires_at
        where idempotency_keys.expires_at <= (select min(now) from rows)
        returning account_id, endpoint, idempotency_key`,
})

/** A key that was let go and taken again belongs to another message, and is nothing to its first holder any more. */
const sameHolder = 'idempotency_keys.message_id is not distinct from rows.message_id'

export const finishIdempotencyKey = operation({
  name: 'idempotency.finish',
  input: { ...primaryColumns, message_id: 'text?', outcome: 'text' },
  key: primary,
  sql: `update idempotency_keys set outcome = rows.outcome from rows
        where ${samePrimary('idempotency_keys')} and ${sameHolder}`,
})

/** What was refused before anything happened leaves no trace: the same key may be used again. */
export const releaseIdempotencyKey = operation({
  name: 'idempotency.release',
  input: { ...primaryColumns, message_id: 'text?' },
  key: primary,
  sql: `delete from idempotency_keys where (${primary.join(', ')}) in (select ${primary.join(', ')} from rows)
          and exists (select 1 from rows where ${samePrimary('idempotency_keys')} and ${sameHolder})`,
})

/** Of a key whose answer has left this process: nothing runs under it any more, and its lease is over. */
export const shortenIdempotencyKey = operation({
  name: 'idempotency.shorten',
  input: { ...primaryColumns, message_id: 'text?', expires_at: 'int' },
  key: primary,
  sql: `update idempotency_keys set expires_at = rows.expires_at,
          lease_until = case when outcome is null then lease_until else ${leaseOver} end from rows
        where ${samePrimary('idempotency_keys')} and ${sameHolder}`,
})

/** Replaces an outcome by one without the person, if it is still as it was read. */
export const eraseIdempotencyOutcome = operation({
  name: 'idempotency.erase_outcome',
  input: { ...primaryColumns, message_id: 'text?', outcome: 'text', seen: 'text' },
  key: primary,
  sql: `update idempotency_keys set outcome = rows.outcome from rows
        where ${samePrimary('idempotency_keys')} and ${sameHolder} and idempotency_keys.outcome = rows.seen`,
})

export const findIdempotencyKey = query({
  name: 'idempotency.find',
  params: primaryColumns,
  returns: idempotencyColumns,
  sql: `select ${columns} from idempotency_keys
        where account_id = :account_id and endpoint = :endpoint and idempotency_key = :idempotency_key`,
})

/**
 * In the order of their leases: an index of when they expire would be a second one that every send writes. A lease is over
 * long before a key that is kept for a day, so `before` is a day ago; one that is kept for minutes goes at the latest then.
 */
export const expireIdempotencyKeys = expireBefore({
  table: 'idempotency_keys',
  key: primary,
  time: 'lease_until',
  only: `expires_at <= (select before from rows) + ${dayMs}`,
})
