import { operation, query, type RowOf } from '../engine/operation.ts'

export const recipientColumns = {
  broadcast_id: 'text',
  group_no: 'int',
  place: 'int',
  line: 'int',
  address: 'text',
  cells: 'text',
  client_reference: 'text?',
} as const
export type RecipientRow = RowOf<typeof recipientColumns>
const list = Object.keys(recipientColumns).join(', ')

export const insertRecipients = operation({
  name: 'broadcast_recipients.insert',
  input: recipientColumns,
  key: ['broadcast_id', 'group_no', 'place'],
  sql: `insert into broadcast_recipients (${list}) select ${list} from rows`,
})

/** The next recipients of a group. Those who were erased are missing, and keep their places. */
export const findRecipients = query({
  name: 'broadcast_recipients.next',
  params: { broadcast_id: 'text', group_no: 'int', after: 'int', upto: 'int' },
  returns: recipientColumns,
  sql: `select ${list} from broadcast_recipients where broadcast_id = :broadcast_id and group_no = :group_no
          and place > :after and place <= :upto order by place`,
})

/** Addresses of all recipients of a broadcast, page by page. */
export const readAddresses = query({
  name: 'broadcast_recipients.addresses',
  params: { broadcast_id: 'text', group_no: 'int', after: 'int', count: 'int' },
  returns: { place: 'int', address: 'text' },
  lane: 'list',
  sql: `select place, address from broadcast_recipients
        where broadcast_id = :broadcast_id and group_no = :group_no and place > :after order by place limit :count`,
})

/** By the line of an upload; the first of it without a line. */
export const findByLine = query({
  name: 'broadcast_recipients.by_line',
  params: { broadcast_id: 'text', first_group: 'int', last_group: 'int', line: 'int' },
  returns: recipientColumns,
  lane: 'list',
  sql: `select ${list} from broadcast_recipients where broadcast_id = :broadcast_id
          and group_no >= :first_group and group_no < :last_group and (:line = 0 or line = :line) order by line limit 1`,
})

/** Deletes some of the recipients of an upload. */
export const deleteRecipients = operation({
  name: 'broadcast_recipients.delete',
  input: { broadcast_id: 'text', first_group: 'int', last_group: 'int', count: 'int' },
  returns: { place: 'int' },
  alone: true,
  ctes: `some_of_them as (select {row:broadcast_id, group_no, place} from broadcast_recipients
           where broadcast_id = (select broadcast_id from rows) and group_no >= (select first_group from rows)
             and group_no < (select last_group from rows) limit (select count from rows))`,
  sql: `delete from broadcast_recipients where ({row:broadcast_id, group_no, place}) {in:some_of_them} returning place`,
})

const placeColumns = { broadcast_id: 'text', group_no: 'int', place: 'int' } as const

/** A customer who is erased, in all broadcasts of the account. No index: this is rare, and the rows are short. */
export const findRecipientsAt = query({
  name: 'broadcast_recipients.at_addresses',
  params: { account_id: 'text', addresses: 'text[]' },
  returns: placeColumns,
  lane: 'list',
  sql: `select r.broadcast_id, r.group_no, r.place from broadcasts b
          join broadcast_recipients r on r.broadcast_id = b.id
        where b.account_id = :account_id and r.address in {list:addresses}`,
})

export const eraseRecipient = operation({
  name: 'broadcast_recipients.erase',
  input: placeColumns,
  key: ['broadcast_id', 'group_no', 'place'],
  sql: `delete from broadcast_recipients
        where (broadcast_id, group_no, place) in (select broadcast_id, group_no, place from rows)`,
})

export const groupColumns = {
  broadcast_id: 'text',
  group_no: 'int',
  upload_id: 'text',
  country: 'text?',
  zone: 'text?',
  size: 'int',
  taken: 'int',
  due_at: 'int',
  done: 'int',
} as const
export type GroupRow = RowOf<typeof groupColumns>
const groupList = Object.keys(groupColumns).join(', ')

export const insertGroup = operation({
  name: 'broadcast_groups.insert',
  input: groupColumns,
  key: ['broadcast_id', 'group_no'],
  sql: `insert into broadcast_groups (${groupList}) select ${groupList} from rows`,
})

/** Of two who have read the same recipients only one goes on. */
export const takeOfGroup = operation({
  name: 'broadcast_groups.take',
  input: { broadcast_id: 'text', group_no: 'int', was: 'int', taken: 'int', done: 'int' },
  key: ['broadcast_id', 'group_no'],
  returns: { broadcast_id: 'text', group_no: 'int' },
  required: true,
  sql: `update broadcast_groups set taken = rows.taken, done = rows.done from rows
        where broadcast_groups.broadcast_id = rows.broadcast_id and broadcast_groups.group_no = rows.group_no
          and broadcast_groups.taken = rows.was
        returning broadcast_groups.broadcast_id, broadcast_groups.group_no`,
})

export const postponeGroup = operation({
  name: 'broadcast_groups.postpone',
  input: { broadcast_id: 'text', group_no: 'int', due_at: 'int' },
  key: ['broadcast_id', 'group_no'],
  sql: `update broadcast_groups set due_at = rows.due_at from rows
        where broadcast_groups.broadcast_id = rows.broadcast_id and broadcast_groups.group_no = rows.group_no`,
})

/** One for each country, time zone and upload. */
export const findGroups = query({
  name: 'broadcast_groups.of_broadcast',
  params: { broadcast_id: 'text' },
  returns: groupColumns,
  sql: `select ${groupList} from broadcast_groups where broadcast_id = :broadcast_id order by group_no`,
})

export const deleteGroups = operation({
  name: 'broadcast_groups.delete',
  input: { broadcast_id: 'text' },
  key: ['broadcast_id'],
  sql: 'delete from broadcast_groups where broadcast_id in (select broadcast_id from rows)',
})

/** A turn that passed without a message; told once. */
export const insertSkip = operation({
  name: 'broadcast_skips.insert',
  input: { ...placeColumns, reason: 'text' },
  key: ['broadcast_id', 'group_no', 'place'],
  sql: `insert into broadcast_skips (broadcast_id, group_no, place, reason)
        select broadcast_id, group_no, place, reason from rows where true
        on conflict (broadcast_id, group_no, place) do nothing`,
})

export const deleteSkips = operation({
  name: 'broadcast_skips.delete',
  input: { broadcast_id: 'text' },
  key: ['broadcast_id'],
  sql: 'delete from broadcast_skips where broadcast_id in (select broadcast_id from rows)',
})

/** Of those whose turn has come without a message: who is erased is skipped before their turn, or after they were written to. */
export const countSkips = query({
  name: 'broadcast_skips.count',
  params: { broadcast_id: 'text' },
  returns: { reason: 'text', count: 'int' },
  lane: 'list',
  sql: `select s.reason, count(*) as count from broadcast_skips s
          join broadcast_groups g on g.broadcast_id = s.broadcast_id and g.group_no = s.group_no and s.place <= g.taken
        where s.broadcast_id = :broadcast_id and not exists (select 1 from messages m
          where m.broadcast_id = s.broadcast_id and m.group_no = s.group_no and m.place = s.place) group by s.reason`,
})
