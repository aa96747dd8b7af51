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

export const serviceDays = query({
  name: 'replies.by_day',
  params: { account_id: 'text', from_at: 'int', to_at: 'int', hour: 'int', window: 'int' },
  returns: {
    day: 'int',
    user_id: 'text',
    replies: 'int',
    waited_ms: 'int',
    within_hour: 'int',
    within_window: 'int',
  },
  lane: 'list',
  sql: `select waited_since - waited_since % 86400000 as day, user_id, count(*) as replies,
          cast(sum(replied_at - waited_since) as bigint) as waited_ms,
          count(case when replied_at - waited_since <= :hour then 1 end) as within_hour,
          count(case when replied_at - waited_since <= :window then 1 end) as within_window
        from replies where account_id = :account_id and waited_since >= :from_at and waited_since < :to_at
        group by 1, 2 order by 1, 2`,
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

export const expireReplies = expireBefore({
  table: 'replies',
  key: ['account_id', 'customer', 'waited_since'],
  time: 'waited_since',
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
