/**
 * Everything a send must be granted, in the transaction of its first write. Each of these is required: where one does not
 * hold, nothing is stored or counted, and the send is decided step by step. On SQLite that is the first two; its one process counts
 * by itself. On PostgreSQL row locks make them exact across nodes. They are taken in the order of this file, and rows in the order of
 * their keys: a number before its customers, as everywhere, and rate limits before quotas.
 */
import { operation } from '../engine/operation.ts'

/** The connected numbers of an account as one text, in the order of numbers.connected: any change makes another text. */
const numbersText = `string_agg(n.id || ' ' || n.phone_number || ' ' || n.connected_at || ' ' || n.sends_per_second
    || ' ' || n.budget_mark || ' ' || c.revision || ' ' || c.business_verified || ' ' || c.marketing_messages, ',' order by n.preferred_at desc, n.connected_at, n.id)`
const isAsRemembered = `(select k.epoch from api_keys k where k.id = rows.key_id) = rows.epoch
    and (select ${numbersText} from numbers n join channels c on c.id = n.channel_id
      where n.account_id = rows.account_id and n.disconnected_at is null and c.status <> 'disconnected') = rows.numbers`

/** Key and numbers are as this process remembers them. */
export const requireRemembered = operation({
  name: 'sends.require_remembered',
  input: { key_id: 'text', epoch: 'int', account_id: 'text', numbers: 'text' },
  key: ['key_id', 'epoch', 'account_id', 'numbers'],
  returns: { key_id: 'text', epoch: 'int', account_id: 'text', numbers: 'text' },
  required: true,
  together: { add: (row) => row },
  onlyChecks: true,
  sql: `select rows.key_id, rows.epoch, rows.account_id, rows.numbers from rows where ${isAsRemembered}`,
})

const hasWritten = `rows.written_after < (
    select c.last_inbound_at from customer_addresses a
      join contacts c on c.number_id = rows.number_id and c.customer_id = a.customer_id
    where a.account_id = rows.account_id and a.address = rows.address)`

/** The customer wrote after a moment. */
export const requireWritten = operation({
  name: 'sends.require_written',
  input: { account_id: 'text', number_id: 'text', address: 'text', written_after: 'int' },
  key: ['number_id', 'address'],
  returns: { number_id: 'text', address: 'text' },
  required: true,
  onlyChecks: true,
  sql: `select rows.number_id, rows.address from rows where ${hasWritten}`,
})

/** Room for all sends of the batch, or for none of them. */
const reservation = { slot_key: 'text', takes_ms: 'real', room_ms: 'real', now: 'int' } as const
type Reservation = { takes_ms: number; room_ms: number; now: number }

function addUp<Row extends Reservation>(row: Row, other: Row): Row {
  const room_ms = Math.min(row.room_ms, other.room_ms)
  return { ...row, takes_ms: row.takes_ms + other.takes_ms, room_ms, now: Math.max(row.now, other.now) }
}

const asked = (column: string) => `(select asked.${column} from rows asked where asked.slot_key = excluded.slot_key)`
/** Rows of a batch are in the order of their keys, byte by byte. To sort them again would be in the order of the database. */
const reserve = (condition: string) => `insert into pacing (slot_key, empty_at)
  select rows.slot_key, rows.now + rows.takes_ms from rows where ${condition} order by rows.n
  on conflict (slot_key) do update set empty_at = greatest(excluded.empty_at, pacing.empty_at + ${asked('takes_ms')})
  where pacing.empty_at <= ${asked('now')} + ${asked('room_ms')} - ${asked('takes_ms')}
  returning slot_key`
const fits = 'rows.takes_ms <= rows.room_ms'

export const reserveForNumber = operation({
  name: 'sends.reserve_number',
  input: reservation,
  key: ['slot_key'],
  returns: { slot_key: 'text' },
  required: true,
  together: { add: addUp },
  sql: reserve(fits),
})

const fitsAndWrote = `${fits} and (rows.written_after is null or ${hasWritten})`

/** Also requires that the customer wrote after a moment; null where that does not matter. */
export const reserveForCustomer = operation({
  name: 'sends.reserve_customer',
  input: { ...reservation, account_id: 'text', number_id: 'text', address: 'text', written_after: 'int?' },
  key: ['slot_key'],
  returns: { slot_key: 'text' },
  required: true,
  together: {
    add: (row, other) => ({
      ...addUp(row, other),
      written_after:
        row.written_after === null ? other.written_after : Math.max(row.written_after, other.written_after ?? 0),
    }),
  },
  sql: reserve(fitsAndWrote),
})

const sinceHour = 'case when quotas.hour_start >= rows.hour_start then quotas.hour_used else 0 end + rows.wanted'
const sinceDay = 'case when quotas.day_start >= rows.day_start then quotas.day_used else 0 end + rows.wanted'
const hasRoom = `${sinceHour} <= rows.hour_quota and ${sinceDay} <= rows.day_quota`

/** Both windows of the plan have room for all sends of the account in this batch; each is told what was used up to itself. */
export const takeForSends = operation({
  name: 'sends.take_quota',
  input: {
    account_id: 'text',
    wanted: 'int',
    hour_quota: 'int',
    hour_start: 'int',
    day_quota: 'int',
    day_start: 'int',
  },
  key: ['account_id'],
  returns: { account_id: 'text', hour_start: 'int', hour_used: 'int', day_used: 'int' },
  required: true,
  together: {
    add: (row, other) => ({
      ...row,
      wanted: row.wanted + other.wanted,
      hour_quota: Math.min(row.hour_quota, other.hour_quota),
      hour_start: Math.max(row.hour_start, other.hour_start),
      day_quota: Math.min(row.day_quota, other.day_quota),
      day_start: Math.max(row.day_start, other.day_start),
    }),
    share(result, place, count) {
      const later = count - 1 - place
      return { ...result, hour_used: result.hour_used - later, day_used: result.day_used - later }
    },
  },
  ctes: `locked as (select q.account_id from quotas q join rows on rows.account_id = q.account_id
    order by q.account_id for update of q)`,
  sql: `update quotas set hour_start = greatest(quotas.hour_start, rows.hour_start), hour_used = ${sinceHour},
      day_start = greatest(quotas.day_start, rows.day_start), day_used = ${sinceDay}
    from rows join locked on locked.account_id = rows.account_id
    where quotas.account_id = rows.account_id and ${hasRoom}
    returning quotas.account_id, quotas.hour_start, quotas.hour_used, quotas.day_used`,
})
