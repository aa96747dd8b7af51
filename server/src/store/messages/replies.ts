import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'
import { firstColumnList, firstColumns } from './messages.ts'

/**
 * A person replies to a customer who waits: once for each wait, however many replies leave at the same time. In the unit of
 * the reply, before the wait ends. `customer` is a keyed hash.
 */
export const noteFirstReply = operation({
  name: 'replies.note_first',
  input: { customer_id: 'text', account_id: 'text', customer: 'text', user_id: 'text', at: 'int' },
  key: ['customer_id'],
  sql: `insert into replies (account_id, customer, waited_since, replied_at, user_id)
        select rows.account_id, rows.customer, c.waiting_since, rows.at, rows.user_id
        from rows join conversations c on c.customer_id = rows.customer_id and c.account_id = rows.account_id
        where c.waiting_since is not null and c.waiting_since <= rows.at
        on conflict (account_id, customer, waited_since) do nothing`,
})

/**
 * Upper bounds of how long a customer waited, in seconds; what took longer than all is behind the last. One hour and the window
 * are among them, so waits within those are counted exactly.
 */
export const waitBoundsSeconds = [
  10, 20, 30, 45, 60, 90, 120, 150, 180, 240, 300, 360, 420, 480, 600, 720, 900, 1_200, 1_500, 1_800, 2_400, 3_000,
  3_600, 4_500, 5_400, 7_200, 9_000, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200, 57_600, 72_000, 86_400,
  108_000, 129_600, 172_800, 259_200, 345_600, 432_000, 604_800, 864_000, 1_209_600, 1_814_400, 2_592_000,
] as const

const day = 'waited_since - waited_since % 86400000'
const wait = 'replied_at - waited_since'
const bucket = `case ${waitBoundsSeconds.map((bound, index) => `when ${wait} <= ${bound * 1_000} then ${index}`).join(' ')}
  else ${waitBoundsSeconds.length} end`

const foldInput = { fold: 'int' } as const
const isFolded = 'fold = (select fold from rows)'

/** The oldest from before a time are what this fold counts. */
export const takeReplies = operation({
  name: 'replies.take',
  input: { ...foldInput, before: 'int', count: 'int' },
  returns: { taken: 'int' },
  alone: true,
  ctes: `oldest as (select {row:account_id, customer, waited_since} from replies
    where replied_at < (select before from rows) order by replied_at limit (select count from rows))`,
  sql: `update replies set fold = (select fold from rows)
        where ({row:account_id, customer, waited_since}) {in:oldest} returning 1 as taken`,
})

export const foldReplies = operation({
  name: 'reply_days.fold',
  input: foldInput,
  alone: true,
  sql: `insert into reply_days (account_id, day, user_id, bucket, n, waited_ms)
        select account_id, ${day}, user_id, ${bucket}, count(*), cast(sum(${wait}) as bigint)
        from replies where ${isFolded} group by 1, 2, 3, 4
        on conflict (account_id, day, user_id, bucket) do update set
          n = reply_days.n + excluded.n, waited_ms = reply_days.waited_ms + excluded.waited_ms`,
})

export const deleteReplies = operation({
  name: 'replies.delete',
  input: foldInput,
  alone: true,
  sql: `delete from replies where ${isFolded}`,
})

/** The replies of whole days, with those that are not folded yet: by day, without a person, and by person, without a day. */
export const serviceCounts = query({
  name: 'reply_days.counts',
  params: { account_id: 'text', from_at: 'int', to_at: 'int' },
  returns: { day: 'int?', user_id: 'text?', bucket: 'int', n: 'int', waited_ms: 'int' },
  lane: 'list',
  sql: `with counted as (
          select day, user_id, bucket, n, waited_ms from reply_days
          where account_id = :account_id and day >= :from_at and day < :to_at
          union all
          select ${day}, user_id, ${bucket}, 1, ${wait} from replies
          where account_id = :account_id and waited_since >= :from_at and waited_since < :to_at)
        select day, null as user_id, bucket, cast(sum(n) as bigint) as n, cast(sum(waited_ms) as bigint) as waited_ms
        from counted group by day, bucket
        union all
        select null, user_id, bucket, cast(sum(n) as bigint), cast(sum(waited_ms) as bigint)
        from counted group by user_id, bucket`,
})

/** Customers who wait, by the day on which they began to; the window of those before `closed_before` has closed. */
export const waitingDays = query({
  name: 'conversations.waiting_by_day',
  params: { account_id: 'text', from_at: 'int', to_at: 'int', closed_before: 'int' },
  returns: { day: 'int', waiting: 'int', missed: 'int' },
  lane: 'list',
  sql: `select waiting_since - waiting_since % 86400000 as day, count(*) as waiting,
          count(case when waiting_since <= :closed_before then 1 end) as missed
        from conversations where account_id = :account_id and waiting_since is not null
          and waiting_since >= :from_at and waiting_since < :to_at
        group by 1 order by 1`,
})

export const expireReplyDays = expireBefore({
  table: 'reply_days',
  key: ['account_id', 'day', 'user_id', 'bucket'],
  time: 'day',
})

/**
 * What a customer wrote: the platform repeats itself, and the unique index lets each message in once. One whose customer
 * was erased is known by `erased_id`.
 */
export const insertInbound = operation({
  name: 'messages.insert_inbound',
  input: { ...firstColumns, erased_id: 'text' },
  key: ['account_id', 'channel_message_id'],
  returns: { account_id: 'text', channel_message_id: 'text?' },
  required: true,
  wakes: 'messages',
  sql: `insert into messages (${firstColumnList}) select ${firstColumnList} from rows
        where not exists (select 1 from messages m
          where m.account_id = rows.account_id and m.channel_message_id = rows.erased_id)
        on conflict (account_id, channel_message_id) where channel_message_id is not null do nothing
        returning account_id, channel_message_id`,
})
