import { operation, query, type RowOf } from '../engine/operation.ts'
import { firstColumns, inserted, insertedColumns } from '../messages/messages.ts'
import { recipientColumns } from './recipients.ts'

const ofBroadcast = {
  broadcast_id: 'text?',
  group_no: 'int?',
  place: 'int?',
  message_events: 'text?',
  expires_at: 'int?',
  attempts: 'int',
} as const
const ownNames = Object.keys(ofBroadcast)

/** The message of a recipient. There is one at most, by a unique index. */
export const insertBroadcastMessage = operation({
  name: 'messages.insert_of_broadcast',
  input: { ...insertedColumns, ...ofBroadcast },
  key: ['id'],
  returns: { id: 'text', customer_id: 'text?', first_address: 'text?' },
  wakes: 'messages',
  sql: `insert into messages (${[...Object.keys(firstColumns), ...ownNames].join(', ')})
        select ${inserted}, ${ownNames.map((name) => `rows.${name}`).join(', ')} from rows
        returning id, customer_id, (select f.address from customer_addresses f
          where f.customer_id = messages.customer_id order by f.linked_at, f.address limit 1) as first_address`,
})

/** A message of a broadcast that waits again may leave as long as the broadcast runs. */
export const requireRunning = operation({
  name: 'broadcasts.require_running',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update broadcasts set taken = broadcasts.taken from rows
        where broadcasts.id = rows.id and broadcasts.status = 'running' returning broadcasts.id`,
})

export const findBroadcastState = query({
  name: 'broadcasts.state',
  params: { id: 'text' },
  returns: { status: 'text', expires_at: 'int?' },
  sql: 'select status, expires_at from broadcasts where id = :id',
})

/**
 * Who of these addresses is a customer that this broadcast has written to already, under whichever address. `cross join` keeps
 * SQLite from reading every address of the account for each turn.
 */
export const findReached = query({
  name: 'broadcasts.reached',
  params: { account_id: 'text', broadcast_id: 'text', since: 'int', addresses: 'text[]' },
  returns: { address: 'text', customer_id: 'text', reached: 'int' },
  sql: `select a.address, a.customer_id, case when exists (select 1 from messages m
            where m.account_id = :account_id and m.customer_id = a.customer_id and m.created_at >= :since
              and m.broadcast_id = :broadcast_id) then 1 else 0 end as reached
        from {list:addresses} each cross join customer_addresses a
        where a.account_id = :account_id and a.address = each.value`,
})

/** Who of these addresses wants no marketing from a number, or was blocked; found in the same order. */
export const findRefusing = query({
  name: 'broadcasts.refusing',
  params: { account_id: 'text', number_id: 'text', addresses: 'text[]' },
  returns: { address: 'text', opted_out_at: 'int?', blocked_at: 'int?' },
  sql: `select a.address, c.opted_out_at, c.blocked_at from {list:addresses} each
          cross join customer_addresses a cross join contacts c
        where a.account_id = :account_id and a.address = each.value
          and c.number_id = :number_id and c.customer_id = a.customer_id
          and (c.opted_out_at is not null or c.blocked_at is not null)`,
})

/** The same of all who have not had their turn, for an estimate. */
export const countRefusing = query({
  name: 'broadcasts.count_refusing',
  params: { account_id: 'text', number_id: 'text', broadcast_id: 'text' },
  returns: { opted_out: 'int', blocked: 'int' },
  lane: 'list',
  sql: `select coalesce(sum(case when c.opted_out_at is not null and c.blocked_at is null then 1 else 0 end), 0) as opted_out,
          coalesce(sum(case when c.blocked_at is not null then 1 else 0 end), 0) as blocked
        from contacts c join customer_addresses a on a.customer_id = c.customer_id
          join broadcast_recipients r on r.broadcast_id = :broadcast_id and r.address = a.shown
          join broadcast_groups g on g.broadcast_id = r.broadcast_id and g.group_no = r.group_no and r.place > g.taken
        where c.number_id = :number_id and a.account_id = :account_id
          and (c.opted_out_at is not null or c.blocked_at is not null)`,
})

/** What became of the messages of a broadcast. */
export const countResults = query({
  name: 'broadcasts.count_results',
  params: { broadcast_id: 'text' },
  returns: { status: 'text', outcome: 'text?', is_open: 'int', error: 'text?', count: 'int' },
  lane: 'list',
  sql: `select status, outcome, case when settle_by is null then 0 else 1 end as is_open,
          substr(error, 1, 80) as error, count(*) as count
        from messages where broadcast_id = :broadcast_id group by 1, 2, 3, 4`,
})

export const resultColumns = {
  group_no: 'int',
  place: 'int',
  line: 'int?',
  address: 'text?',
  client_reference: 'text?',
  upload_id: 'text',
  taken: 'int',
  skip: 'text?',
  message_id: 'text?',
  channel_message_id: 'text?',
  status: 'text?',
  outcome: 'text?',
  is_open: 'int',
  error: 'text?',
  sent_at: 'int?',
  delivered_at: 'int?',
  read_at: 'int?',
  failed_at: 'int?',
  country: 'text?',
  history: 'text?',
} as const
export type ResultRow = RowOf<typeof resultColumns>

/** Recipients in their order with what became of each: a stretch of one group. */
export const readResults = query({
  name: 'broadcasts.results',
  params: { broadcast_id: 'text', group_no: 'int', after: 'int', count: 'int' },
  returns: resultColumns,
  lane: 'list',
  sql: `select r.group_no, r.place, r.line, r.address, r.client_reference, g.upload_id, g.taken, s.reason as skip,
          m.id as message_id, m.channel_message_id, m.status, m.outcome,
          case when m.settle_by is null then 0 else 1 end as is_open, m.error,
          m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.country, m.history
        from (select group_no, place, line, address, client_reference, broadcast_id from broadcast_recipients
            where broadcast_id = :broadcast_id and group_no = :group_no and place > :after
            order by place limit :count) r
          join broadcast_groups g on g.broadcast_id = r.broadcast_id and g.group_no = r.group_no
          left join broadcast_skips s on s.broadcast_id = r.broadcast_id and s.group_no = r.group_no and s.place = r.place
          left join messages m on m.broadcast_id = r.broadcast_id and m.group_no = r.group_no and m.place = r.place
        order by r.place`,
})

/** Their values, for a copy. */
export const readCells = query({
  name: 'broadcasts.cells',
  params: { broadcast_id: 'text', group_no: 'int', first: 'int', last: 'int' },
  returns: recipientColumns,
  lane: 'list',
  sql: `select ${Object.keys(recipientColumns).join(', ')} from broadcast_recipients
        where broadcast_id = :broadcast_id and group_no = :group_no and place >= :first and place <= :last order by place`,
})

/** Customers a WABA's numbers wrote to first within a time, and the first time that one of them leaves it. */
export const countWrittenFirst = query({
  name: 'broadcasts.written_first',
  params: { account_id: 'text', number_id: 'text', since: 'int' },
  returns: { customers: 'int', oldest: 'int?' },
  lane: 'list',
  sql: `select count(distinct m.customer_id) as customers, min(m.created_at) as oldest from messages m
        where m.account_id = :account_id and m.created_at >= :since and m.direction = 'outbound'
          and m.type = 'template' and m.sent_at is not null
          and m.number_id in (select n.id from numbers n where n.channel_id =
            (select o.channel_id from numbers o where o.id = :number_id))`,
})

export const findSendRate = query({
  name: 'broadcasts.send_rate',
  params: { number_id: 'text' },
  returns: { sends_per_second: 'int', messaging_limit: 'text?', quality: 'text?', currency: 'text?' },
  sql: `select n.sends_per_second, n.messaging_limit, n.quality, c.currency from numbers n
          join channels c on c.id = n.channel_id where n.id = :number_id`,
})
