import { attemptColumns } from '../accounts/guesses.ts'
import { requestLogColumns } from '../accounts/request-log.ts'
import { operation, query } from '../engine/operation.ts'
import { attemptPrivacy, emptied, holdsPersonal, personalColumnsOf, requestPrivacy } from '../table-privacy.ts'
import { messageColumns, messagePrivacy } from './messages.ts'

/**
 * The statements behind messages/erase/erase-customer.ts, one pair per table: a read that finds what holds the person, away from
 * the writer, and a write that goes by primary key.
 */

/** Every address that messages of a customer name. */
export const findAddressesInMessages = query({
  name: 'erasure.addresses',
  params: { account_id: 'text', customer_ids: 'text[]' },
  returns: { phone: 'text?', user_id: 'text?' },
  lane: 'list',
  sql: `select distinct phone, user_id from messages
        where account_id = :account_id and customer_id in {list:customer_ids}`,
})

type Declared = typeof messagePrivacy
type PersonalColumn = { [C in keyof Declared]: Declared[C] extends 'kept' ? never : C }[keyof Declared]

const personalNames = Object.entries(messagePrivacy).flatMap(([name, privacy]) => (privacy === 'kept' ? [] : [name]))
const personalColumns = Object.fromEntries(
  personalNames.map((name) => [name, messageColumns[name as PersonalColumn]]),
) as Pick<typeof messageColumns, PersonalColumn>
const found = ['id', 'revision', ...personalNames].join(', ')

export const findMessagesOf = query({
  name: 'erasure.messages',
  params: { account_id: 'text', customer_ids: 'text[]', count: 'int' },
  returns: { id: 'text', revision: 'int', ...personalColumns },
  lane: 'list',
  sql: `select ${found} from messages
        where account_id = :account_id and customer_id in {list:customer_ids} limit :count`,
})

/** A new revision, so that a status which has read the row before cannot write the person back. */
export const eraseMessage = operation({
  name: 'erasure.message',
  input: { id: 'text', revision: 'int', now: 'int', ...personalColumns },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  wakes: 'messages',
  sql: `update messages set ${personalNames.map((name) => `${name} = rows.${name}`).join(', ')},
          content_purged_at = rows.now, revision = messages.revision + 1
        from rows where messages.id = rows.id and messages.revision = rows.revision
        returning messages.id, messages.account_id`,
})

export const findEventsOf = query({
  name: 'erasure.events',
  params: { account_id: 'text', subjects: 'text[]' },
  returns: { id: 'text', type: 'text', subject: 'text', sequence: 'int', created_at: 'int', body: 'text' },
  lane: 'list',
  // Compared as an expression, so that the few events of these subjects are read and not all of the account.
  sql: `select id, type, subject, sequence, created_at, body from events where subject in {list:subjects} and (account_id || '') = :account_id`,
})

export const eraseEvent = operation({
  name: 'erasure.event',
  input: { id: 'text', subject: 'text', body: 'text' },
  key: ['id'],
  sql: 'update events set subject = rows.subject, body = rows.body from rows where events.id = rows.id',
})

const attemptSaysSomething = holdsPersonal('a', attemptColumns, attemptPrivacy)

/** Receivers' responses to an event, by its deliveries' ids: some echo the event. */
export const findAttemptsOf = query({
  name: 'erasure.attempts',
  params: { account_id: 'text', event_ids: 'text[]' },
  returns: { id: 'text', delivery_id: 'text' },
  lane: 'list',
  sql: `select a.id, a.delivery_id from events e
          join attempts a on a.delivery_id > 'dlv_' || substr(e.id, 5) and a.delivery_id < 'dlv_' || substr(e.id, 5) || 'z'
        where e.id in {list:event_ids} and e.account_id = :account_id and ${attemptSaysSomething}
        union all
        select a.id, a.delivery_id from deliveries d join attempts a on a.delivery_id = d.id
        where d.event_id in {list:event_ids} and d.account_id = :account_id and ${attemptSaysSomething}`,
})

export const eraseAttempt = operation({
  name: 'erasure.attempt',
  input: { id: 'text', delivery_id: 'text' },
  key: ['id'],
  sql: `update attempts set ${emptied(attemptColumns, attemptPrivacy)}
        where (delivery_id, id) in (select delivery_id, id from rows)`,
})

/** Looks through the keys of the account's last 24 hours; an index for this alone would cost every send. */
export const findKeysOf = query({
  name: 'erasure.keys',
  params: { account_id: 'text', made_ids: 'text[]' },
  returns: { account_id: 'text', endpoint: 'text', idempotency_key: 'text', message_id: 'text?', outcome: 'text?' },
  lane: 'list',
  sql: `select account_id, endpoint, idempotency_key, message_id, outcome from idempotency_keys
        where account_id = :account_id and message_id in {list:made_ids}`,
})

/**
 * Patterns that find an address in Meta's or a client's JSON: as it is, or in a message id, where it is written in base64 and
 * may begin at any of the three places of a group.
 */
const nameForms = ['plain', 'first_in_group', 'second_in_group', 'third_in_group'] as const
export type NameForm = (typeof nameForms)[number]

function formsAs<Type extends 'text' | 'blob'>(type: Type): Record<NameForm, Type> {
  return Object.fromEntries(nameForms.map((form) => [form, type])) as Record<NameForm, Type>
}

function names(column: string): string {
  return `(${nameForms.map((form) => `${column} like :${form}`).join(' or ')})`
}

/** Of the account, or behind the app that received it. */
const ofAccount = (row: string) => `(${row}.account_id = :account_id
          or ${row}.account_id in (select id from channel_apps where account_id in (:account_id, '')))`

/** Pending callback items that name an address. */
export const findUnappliedCallbacksNaming = query({
  name: 'erasure.unapplied_callbacks',
  params: { account_id: 'text', ...formsAs('blob') },
  returns: { id: 'text' },
  lane: 'list',
  sql: `select q.id from callback_queue q where ${names('q.body')} and ${ofAccount('q')}`,
})

export const findCallbackItemsNaming = query({
  name: 'erasure.callback_items',
  params: { account_id: 'text', ...formsAs('text'), count: 'int' },
  returns: { channel_id: 'text', key_hash: 'text' },
  lane: 'list',
  sql: `select channel_id, key_hash from callback_items where account_id = :account_id and ${names('item')} limit :count`,
})

export const eraseCallbackItem = operation({
  name: 'erasure.callback_item',
  input: { channel_id: 'text', key_hash: 'text' },
  key: ['channel_id', 'key_hash'],
  sql: 'delete from callback_items where (channel_id, key_hash) in (select channel_id, key_hash from rows)',
})

export const findRelayItemsNaming = query({
  name: 'erasure.relay_items',
  params: { account_id: 'text', ...formsAs('text'), count: 'int' },
  returns: { id: 'text' },
  lane: 'list',
  sql: `select id from relay_items where account_id = :account_id
          and (${names('body')} or ${names('facts')}) limit :count`,
})

/** Pending deliveries are dropped, because their content is erased. */
export const eraseRelayItem = operation({
  name: 'erasure.relay_item',
  input: { id: 'text' },
  key: ['id'],
  sql: 'delete from relay_items where id in (select id from rows)',
})

/** Tools' responses to it. */
export const findRelayAttempts = query({
  name: 'erasure.relay_attempts',
  params: { item_ids: 'text[]' },
  returns: { id: 'text', delivery_id: 'text' },
  lane: 'list',
  sql: `select a.id, a.delivery_id from {list:item_ids} i
          join attempts a on a.delivery_id > 'dlv_' || substr(i.value, 5) and a.delivery_id < 'dlv_' || substr(i.value, 5) || 'z'
        where ${attemptSaysSomething}`,
})

const loggedColumns = personalColumnsOf(requestPrivacy)

export const findRequestsNaming = query({
  name: 'erasure.requests',
  params: { account_id: 'text', ...formsAs('text'), masked: 'text', count: 'int' },
  returns: { id: 'text' },
  lane: 'list',
  sql: `select id from request_log where account_id = :account_id
        and (${loggedColumns.map((column) => `${names(column)} or ${column} like :masked`).join(' or ')}) limit :count`,
})

/** The sandbox's unmasked data, about everyone. */
export const findWholeRequests = query({
  name: 'erasure.whole_requests',
  params: { account_id: 'text', until: 'int', count: 'int' },
  returns: { id: 'text' },
  lane: 'list',
  sql: `select id from request_log where account_id = :account_id and at <= :until and path is not null
        limit :count`,
})

export const eraseRequest = operation({
  name: 'erasure.request',
  input: { id: 'text' },
  key: ['id'],
  sql: `update request_log set ${emptied(requestLogColumns, requestPrivacy)} where id in (select id from rows)`,
})

export const eraseRateKey = operation({
  name: 'erasure.slot_key',
  input: { slot_key: 'text' },
  key: ['slot_key'],
  returns: { slot_key: 'text' },
  sql: 'delete from pacing where slot_key in (select slot_key from rows) returning slot_key',
})

const ofCustomer = { input: { id: 'text' }, alone: true } as const

export const eraseAddresses = operation({
  ...ofCustomer,
  name: 'erasure.customer_addresses',
  returns: { address: 'text' },
  sql: 'delete from customer_addresses where customer_id in (select id from rows) returning address',
})

export const eraseContacts = operation({
  ...ofCustomer,
  name: 'erasure.contacts',
  returns: { number_id: 'text' },
  sql: 'delete from contacts where customer_id in (select id from rows) returning number_id',
})

export const eraseConversation = operation({
  ...ofCustomer,
  name: 'erasure.conversations',
  returns: { customer_id: 'text' },
  sql: 'delete from conversations where customer_id in (select id from rows) returning customer_id',
})

export const eraseCustomers = operation({
  ...ofCustomer,
  name: 'erasure.customers',
  returns: { id: 'text', account_id: 'text' },
  wakes: 'messages',
  sql: 'delete from customers where id in (select id from rows) returning id, account_id',
})
