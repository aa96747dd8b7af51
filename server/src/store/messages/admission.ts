import { operation } from '../engine/operation.ts'

/** The connected numbers of an account as one text, in the order of numbers.connected: any change makes another text. */
const numbersText = `string_agg(n.id || ' ' || n.phone_number || ' ' || n.connected_at || ' ' || n.sends_per_second
    || ' ' || c.revision || ' ' || c.business_verified, ',' order by n.preferred_at desc, n.connected_at, n.id)`

const sinceHour = 'case when quotas.hour_start >= rows.hour_start then quotas.hour_used else 0 end'
const sinceDay = 'case when quotas.day_start >= rows.day_start then quotas.day_used else 0 end'
const ofSlot = (column: string) =>
  `case excluded.slot_key when rows.customer_slot then rows.customer_${column} else rows.number_${column} end`

/**
 * A lone send, as most are: without sums over the batch its plan has half the nodes, and starting them is its price.
 * Rate limits are locked before the quota, as in the form for many: the other way round the two would block each other.
 */
const oneSend = {
  ctes: `reserved as (
      insert into pacing (slot_key, empty_at)
      select slot_key, rows.now + every_ms
      from (values (rows.customer_slot, rows.customer_every_ms), (rows.number_slot, rows.number_every_ms))
        slots(slot_key, every_ms) order by slot_key
      on conflict (slot_key) do update set empty_at = greatest(excluded.empty_at, pacing.empty_at + ${ofSlot('every_ms')})
      where pacing.empty_at <= rows.now + (${ofSlot('burst')} - 1) * ${ofSlot('every_ms')}
      returning slot_key),
    taken as (
      update quotas set hour_start = greatest(quotas.hour_start, rows.hour_start), hour_used = ${sinceHour} + 1,
        day_start = greatest(quotas.day_start, rows.day_start), day_used = ${sinceDay} + 1
      where (select count(*) from reserved) = 2 and quotas.account_id = rows.account_id
        and ${sinceHour} < rows.hour_quota and ${sinceDay} < rows.day_quota
      returning hour_start, hour_used, day_used)`,
  sql: `select rows.id as id, taken.hour_start, taken.hour_used, taken.day_used
    from (select 1) lone left join taken on true
    where (select k.epoch from api_keys k where k.id = rows.key_id) = rows.epoch
      and (select ${numbersText} from numbers n join channels c on c.id = n.channel_id
        where n.account_id = rows.account_id and n.disconnected_at is null and c.status <> 'disconnected') = rows.numbers
      and (select count(*) from reserved) = 2
      and (rows.hour_quota is null or taken.hour_used is not null)
      and (rows.written_after is null or rows.written_after < (
        select c.last_inbound_at from contacts c where c.number_id = rows.number_id and c.address = rows.address))`,
}

const ofPlan = (column: string) => `(select t.${column} from taken t where t.account_id = rows.account_id)`
/** How many sends of the account stand behind this one in the batch: each is told what was used up to itself. */
const laterOnes = `(count(*) over (partition by rows.account_id)
  - row_number() over (partition by rows.account_id order by rows.n))`

/**
 * PostgreSQL only: everything a send must be granted, in the transaction of its first write. It finds a row if its key and
 * the numbers of its account are as this process remembers them, the customer's window is open where that is needed, the
 * plan has room for all sends of the account in this batch, and both rate limits let all of theirs go at once. Otherwise
 * nothing is stored or counted, and the send is decided step by step. Row locks make it exact across nodes; rate limits are
 * locked before quotas, which is why `locked` asks for `reserved`, and both in the order of their keys.
 */
export const admitSend = operation({
  name: 'sends.admit',
  input: {
    id: 'text',
    account_id: 'text',
    key_id: 'text',
    epoch: 'int',
    numbers: 'text',
    number_id: 'text',
    address: 'text',
    /** The customer must have written after this; null where that does not matter. */
    written_after: 'int?',
    now: 'int',
    /** Null where the plan has no limits, or the request is counted already. */
    hour_quota: 'int?',
    hour_start: 'int',
    day_quota: 'int?',
    day_start: 'int',
    customer_slot: 'text',
    customer_every_ms: 'real',
    customer_burst: 'int',
    number_slot: 'text',
    number_every_ms: 'real',
    number_burst: 'int',
  },
  key: ['id'],
  returns: { id: 'text', hour_start: 'int?', hour_used: 'int?', day_used: 'int?' },
  required: true,
  one: oneSend,
  ctes: `slots as (
      select slot_key, max(now) as now, count(*) * max(every_ms) as takes_ms, min(burst) * max(every_ms) as room_ms
      from (select customer_slot as slot_key, customer_every_ms as every_ms, customer_burst as burst, now from rows
        union all select number_slot, number_every_ms, number_burst, now from rows) each_row
      group by slot_key),
    reserved as (
      insert into pacing (slot_key, empty_at)
      select slot_key, now + takes_ms from slots where takes_ms <= room_ms order by slot_key
      on conflict (slot_key) do update set empty_at = greatest(excluded.empty_at,
        pacing.empty_at + (select s.takes_ms from slots s where s.slot_key = excluded.slot_key))
      where pacing.empty_at <= (select s.now + s.room_ms - s.takes_ms from slots s where s.slot_key = excluded.slot_key)
      returning slot_key),
    wanted as (
      select account_id, count(*) as wanted, min(hour_quota) as hour_quota, max(hour_start) as hour_start,
        min(day_quota) as day_quota, max(day_start) as day_start
      from rows where hour_quota is not null group by account_id),
    locked as (
      select q.account_id, w.wanted, w.hour_quota, w.day_quota,
        greatest(q.hour_start, w.hour_start) as hour_start, greatest(q.day_start, w.day_start) as day_start,
        case when q.hour_start >= w.hour_start then q.hour_used else 0 end as hour_used,
        case when q.day_start >= w.day_start then q.day_used else 0 end as day_used
      from quotas q join wanted w on w.account_id = q.account_id
      where (select count(*) from reserved) >= 0 order by q.account_id for update of q),
    taken as (
      update quotas set hour_start = l.hour_start, hour_used = l.hour_used + l.wanted,
        day_start = l.day_start, day_used = l.day_used + l.wanted
      from locked l where quotas.account_id = l.account_id
        and l.hour_used + l.wanted <= l.hour_quota and l.day_used + l.wanted <= l.day_quota
      returning quotas.account_id, quotas.hour_start, quotas.hour_used, quotas.day_used),
    connected as (
      select n.account_id, ${numbersText} as numbers from numbers n join channels c on c.id = n.channel_id
      where n.account_id in (select account_id from rows) and n.disconnected_at is null and c.status <> 'disconnected'
      group by n.account_id)`,
  // Questions instead of joins: a plan is made for every call, and the order of eight joins would take it milliseconds.
  sql: `select rows.id, ${ofPlan('hour_start')} as hour_start, ${ofPlan('hour_used')} - ${laterOnes} as hour_used,
          ${ofPlan('day_used')} - ${laterOnes} as day_used
        from rows
        where (select k.epoch from api_keys k where k.id = rows.key_id) = rows.epoch
          and (select c.numbers from connected c where c.account_id = rows.account_id) = rows.numbers
          and (rows.customer_slot in (select slot_key from reserved)) is true
          and (rows.number_slot in (select slot_key from reserved)) is true
          and (rows.hour_quota is null or rows.account_id in (select account_id from taken))
          and (rows.written_after is null or rows.written_after < (
            select c.last_inbound_at from contacts c where c.number_id = rows.number_id and c.address = rows.address))`,
})
