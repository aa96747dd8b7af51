import { operation, query, type RowOf } from '../engine/operation.ts'

const numberColumns = {
  id: 'text',
  channel_id: 'text',
  account_id: 'text',
  phone_number_id: 'text',
  phone_number: 'text',
  display_name: 'text?',
  status: 'text',
  quality: 'text?',
  sends_per_second: 'int',
  messaging_limit: 'text?',
  preferred_at: 'int',
  last_inbound_at: 'int?',
  connected_at: 'int',
  disconnected_at: 'int?',
  updated_at: 'int',
} as const

export type NumberRow = RowOf<typeof numberColumns>
const columns = Object.keys(numberColumns).join(', ')

/** Connects a number, or connects it again: it keeps its id, and its day of connection unless it had left. */
export const saveNumber = operation({
  name: 'numbers.save',
  input: numberColumns,
  key: ['account_id', 'phone_number_id'],
  returns: { account_id: 'text', phone_number_id: 'text', id: 'text' },
  required: true,
  wakes: 'channels',
  sql: `insert into numbers (${columns}, budget_mark) select ${columns}, coalesce(
          (select max(other.budget_mark) from numbers other where other.account_id = rows.account_id), 0) from rows where true
        on conflict (account_id, phone_number_id) do update set
          channel_id = excluded.channel_id, phone_number = excluded.phone_number, display_name = excluded.display_name,
          status = excluded.status, quality = excluded.quality, sends_per_second = excluded.sends_per_second,
          messaging_limit = excluded.messaging_limit, updated_at = excluded.updated_at, disconnected_at = null,
          connected_at = case when numbers.disconnected_at is null then numbers.connected_at
            else excluded.connected_at end
        returning account_id, phone_number_id, id`,
})

export const disconnectNumbers = operation({
  name: 'numbers.disconnect_channel',
  input: { channel_id: 'text', now: 'int' },
  key: ['channel_id'],
  sql: `update numbers set disconnected_at = rows.now, preferred_at = 0, updated_at = rows.now
        from rows where numbers.channel_id = rows.channel_id and numbers.disconnected_at is null`,
})

/** What the platform says about a number now. */
export const noteNumberHealth = operation({
  name: 'numbers.note_health',
  input: {
    id: 'text',
    display_name: 'text?',
    status: 'text',
    quality: 'text?',
    sends_per_second: 'int',
    messaging_limit: 'text?',
    now: 'int',
  },
  key: ['id'],
  sql: `update numbers set display_name = rows.display_name, status = rows.status, quality = rows.quality,
          sends_per_second = rows.sends_per_second, messaging_limit = rows.messaging_limit, updated_at = rows.now
        from rows where numbers.id = rows.id`,
})

export const preferNumber = operation({
  name: 'numbers.prefer',
  input: { account_id: 'text', id: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'channels',
  sql: `update numbers set preferred_at = rows.now, updated_at = rows.now
        from rows where numbers.id = rows.id and numbers.account_id = rows.account_id
          and numbers.disconnected_at is null
        returning numbers.id`,
})

/** A customer wrote to this number: the sign of life that people look for. */
export const noteNumberInbound = operation({
  name: 'numbers.note_inbound',
  input: { id: 'text', at: 'int' },
  key: ['id'],
  sql: `update numbers set last_inbound_at = {max}(coalesce(last_inbound_at, 0), rows.at)
        from rows where numbers.id = rows.id`,
})

const joined = {
  ...numberColumns,
  kind: 'text',
  waba_id: 'text',
  channel_status: 'text',
  channel_revision: 'int',
  business_verified: 'int',
  marketing_messages: 'int',
  currency: 'text?',
  time_zone: 'text?',
  budget_mark: 'int',
} as const

export type ConnectedNumberRow = RowOf<typeof joined>

/** The numbers an account can use, its default first. */
export const connectedNumbers = query({
  name: 'numbers.connected',
  params: { account_id: 'text' },
  returns: joined,
  sql: `select ${Object.keys(numberColumns)
    .map((column) => `n.${column}`)
    .join(', ')}, c.kind, c.waba_id, c.status as channel_status, c.revision as channel_revision,
          c.business_verified, c.marketing_messages, c.currency, c.time_zone, n.budget_mark
        from numbers n join channels c on c.id = n.channel_id
        where n.account_id = :account_id and n.disconnected_at is null and c.status <> 'disconnected'
        order by n.preferred_at desc, n.connected_at, n.id`,
})

/** Also one that was disconnected: its messages are still counted. The one in use comes first. */
export const findNumberByPhone = query({
  name: 'numbers.by_phone',
  params: { account_id: 'text', phone_number: 'text' },
  returns: { id: 'text' },
  sql: `select id from numbers where account_id = :account_id and phone_number = :phone_number
        order by case when disconnected_at is null then 0 else 1 end, connected_at desc limit 1`,
})

/** All numbers an account ever had, disconnected ones too: old messages still name them. */
export const readNumberFacts = query({
  name: 'numbers.facts',
  params: { account_id: 'text' },
  returns: {
    id: 'text',
    phone_number: 'text',
    connected_at: 'int',
    kind: 'text',
    currency: 'text?',
    time_zone: 'text?',
  },
  sql: `select n.id, n.phone_number, n.connected_at, c.kind, c.currency, c.time_zone from numbers n join channels c on c.id = n.channel_id
        where n.account_id = :account_id`,
})

export const ensureRateKey = operation({
  name: 'pacing.ensure',
  input: { slot_key: 'text' },
  key: ['slot_key'],
  sql: 'insert into pacing (slot_key, empty_at) select slot_key, 0 from rows where true on conflict (slot_key) do nothing',
})

/**
 * PostgreSQL only; one SQLite process keeps its rate in memory. Reserves up to `wanted` sends, one every `every_ms`, none
 * starting after `latest_at`; gives how many and when the first starts. The row lock makes all nodes one queue.
 */
export const reserveSends = operation({
  name: 'pacing.reserve',
  input: { slot_key: 'text', wanted: 'int', every_ms: 'real', latest_at: 'real', now: 'int' },
  key: ['slot_key'],
  returns: { slot_key: 'text', granted: 'int', started_at: 'real' },
  ctes: `locked as (
      select q.slot_key, r.wanted, r.every_ms, r.latest_at, greatest(q.empty_at, r.now) as started_at
      from pacing q join rows r on r.slot_key = q.slot_key order by q.slot_key for update of q),
    granting as (
      select locked.*, greatest(0, least(wanted, floor((latest_at - started_at) / every_ms) + 1)) as granted from locked)`,
  sql: `update pacing set empty_at = g.started_at + g.granted * g.every_ms from granting g
        where pacing.slot_key = g.slot_key
        returning pacing.slot_key, g.granted, g.started_at`,
})

export const returnReserved = operation({
  name: 'pacing.give_back',
  input: { slot_key: 'text', by_ms: 'real' },
  key: ['slot_key'],
  sql: `update pacing set empty_at = empty_at - rows.by_ms from rows where pacing.slot_key = rows.slot_key`,
})

export const findRate = query({
  name: 'pacing.find',
  params: { slot_key: 'text' },
  returns: { empty_at: 'real' },
  sql: 'select empty_at from pacing where slot_key = :slot_key',
})

/** Keys whose bucket is empty are as good as unknown. In the order of the keys: an index of the times would be written by every send. */
export const findEmptyRates = query({
  name: 'pacing.find_empty',
  params: { after: 'text', before: 'int', count: 'int' },
  returns: { slot_key: 'text' },
  lane: 'list',
  sql: `select slot_key from pacing where slot_key > :after and empty_at < :before order by slot_key limit :count`,
})

export const expireRate = operation({
  name: 'pacing.expire',
  input: { slot_key: 'text', before: 'int' },
  key: ['slot_key'],
  sql: `delete from pacing where slot_key in (select slot_key from rows) and empty_at < (select min(before) from rows)`,
})
