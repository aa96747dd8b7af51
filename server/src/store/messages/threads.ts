import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'
import { firstColumnList, inserted, insertedColumns } from './messages.ts'

const key = ['number_id', 'address'] as const
const thread = { number_id: 'text', address: 'text', account_id: 'text' } as const

/** Another responder replies in a conversation, or we do again. A report older than what is known changes nothing. */
const ownerParts = {
  input: {
    ...thread,
    owner: 'text',
    role: 'text?',
    summary: 'text?',
    changed_at: 'int',
    passed_at: 'int?',
    noted_at: 'int',
  },
  key,
  returns: { number_id: 'text', address: 'text' },
  wakes: 'messages',
  sql: `insert into threads (number_id, address, account_id, owner, role, summary, changed_at, passed_at, noted_at)
        select number_id, address, account_id, owner, role, summary, changed_at, passed_at, noted_at from rows where true
        on conflict (number_id, address) do update set owner = excluded.owner, role = excluded.role,
          summary = coalesce(excluded.summary, threads.summary), changed_at = excluded.changed_at,
          passed_at = coalesce(excluded.passed_at, threads.passed_at), noted_at = excluded.noted_at
        where threads.owner is null or threads.changed_at < excluded.changed_at
          or (threads.changed_at = excluded.changed_at and threads.owner <> excluded.owner)
        returning number_id, address`,
} as const

export const noteOwner = operation({ ...ownerParts, name: 'threads.note_owner' })

/** The same where a late or repeated report is not to be told again. */
export const noteNewOwner = operation({ ...ownerParts, name: 'threads.note_new_owner', required: true })

/**
 * The customer wrote while another responder replies. That is no news where it is known already, so that their role stays.
 */
export const noteStandby = operation({
  name: 'threads.note_standby',
  input: { ...thread, changed_at: 'int', noted_at: 'int' },
  key,
  wakes: 'messages',
  sql: `insert into threads (number_id, address, account_id, owner, changed_at, noted_at)
        select number_id, address, account_id, 'other', changed_at, noted_at from rows where true
        on conflict (number_id, address) do update set
          role = case when threads.owner = 'other' then threads.role else null end, owner = 'other',
          changed_at = excluded.changed_at, noted_at = excluded.noted_at
        where threads.owner is null or threads.changed_at < excluded.changed_at`,
})

/** A name in the address book of the phone; null where it was removed. An older word changes nothing. */
export const saveName = operation({
  name: 'threads.save_name',
  input: { ...thread, saved_name: 'text?', noted_at: 'int' },
  key,
  together: { add: (_, later) => later },
  sql: `insert into threads (number_id, address, account_id, saved_name, changed_at, noted_at)
        select number_id, address, account_id, saved_name, 0, noted_at from rows where true
        on conflict (number_id, address) do update set saved_name = excluded.saved_name, noted_at = excluded.noted_at`,
})

/** If the customer has no profile name, the name in the address book is shown. */
export const nameCustomer = operation({
  name: 'customers.name',
  input: { account_id: 'text', address: 'text', name: 'text?', noted_at: 'int' },
  key: ['account_id', 'address'],
  together: { add: (_, later) => later },
  wakes: 'messages',
  sql: `update customers set name = rows.name, named_at = rows.noted_at
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where customers.id = a.customer_id and customers.name is null and rows.name is not null`,
})

export const findThreads = query({
  name: 'threads.find',
  params: { number_id: 'text', addresses: 'text[]' },
  returns: {
    address: 'text',
    owner: 'text?',
    role: 'text?',
    summary: 'text?',
    changed_at: 'int',
    passed_at: 'int?',
    saved_name: 'text?',
  },
  sql: `select address, owner, role, summary, changed_at, passed_at, saved_name from threads
        where number_id = :number_id and address in {list:addresses}`,
})

/** When control of a conversation was last passed to us. */
export const passedAt = query({
  name: 'threads.passed_at',
  params: { number_id: 'text', addresses: 'text[]' },
  returns: { at: 'int?' },
  sql: `select max(passed_at) as at from threads where number_id = :number_id and address in {list:addresses}`,
})

/** The messages that make a conversation ours: a message received to reply to, or a sent one that Meta accepted. */
export const ownedSince = query({
  name: 'threads.owned_since',
  params: { account_id: 'text', number_id: 'text', customer_id: 'text', since: 'int' },
  returns: { at: 'int?' },
  sql: `select max(at) as at from (
          select case when direction = 'inbound' then created_at else sent_at end as at from messages
            where account_id = :account_id and customer_id = :customer_id and created_at >= :since
              and number_id = :number_id and origin is null and template is null and group_id is null) own
        where at > :since`,
})

/** Other responders seen at a number, for its check. */
export const respondersOf = query({
  name: 'threads.responders',
  params: { number_id: 'text', since: 'int' },
  returns: { role: 'text?', threads: 'int' },
  lane: 'list',
  sql: `select role, count(*) as threads from threads
        where number_id = :number_id and owner = 'other' and changed_at >= :since group by role order by role`,
})

const seenParts = {
  input: { ...insertedColumns, erased_id: 'text' },
  key: ['account_id', 'channel_message_id'],
  returns: { account_id: 'text', channel_message_id: 'text?' },
  wakes: 'messages',
  sql: `insert into messages (${firstColumnList}) select ${inserted} from rows
        where not exists (select 1 from messages m
          where m.account_id = rows.account_id and m.channel_message_id = rows.erased_id)
        on conflict (account_id, channel_message_id) where channel_message_id is not null do nothing
        returning account_id, channel_message_id`,
} as const

/** A message of the past: stored once. */
export const insertPast = operation({ ...seenParts, name: 'messages.insert_past' })

/** The same for one that is told of, once. */
export const insertEcho = operation({ ...seenParts, name: 'messages.insert_echo', required: true })

/** The copy of a message that then came to us as well. */
export const takeFromStandby = operation({
  name: 'messages.take_from_standby',
  input: { id: 'text', event_sequence: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set origin = null, event_sequence = rows.event_sequence, revision = messages.revision + 1 from rows
        where messages.id = rows.id and messages.origin = 'standby'
        returning messages.id, messages.account_id`,
})

/** The file of a message of the past, which came without it. */
export const fillPlaceholder = operation({
  name: 'messages.fill_placeholder',
  input: { id: 'text', type: 'text', content: 'text' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set type = rows.type, content = rows.content, revision = messages.revision + 1 from rows
        where messages.id = rows.id and messages.type = 'media_placeholder' and messages.content is not null
        returning messages.id, messages.account_id`,
})

export const eraseThreads = operation({
  name: 'erasure.threads',
  input: { account_id: 'text', address: 'text' },
  returns: { address: 'text' },
  alone: true,
  sql: `delete from threads where account_id = (select account_id from rows) and address = (select address from rows)
        returning address`,
})

/** What a responder said about a customer and the name in an address book go with the words they stood over. */
export const forgetThreadWords = operation({
  name: 'threads.forget_words',
  input: { before: 'int', count: 'int' },
  returns: { address: 'text' },
  alone: true,
  ctes: `old as (select {row:number_id, address} from threads
           where noted_at < (select before from rows) and (summary is not null or saved_name is not null)
           order by noted_at limit (select count from rows))`,
  sql: `update threads set summary = null, saved_name = null where ({row:number_id, address}) {in:old} returning address`,
})

export const expireThreads = expireBefore({ table: 'threads', key: ['number_id', 'address'], time: 'noted_at' })
