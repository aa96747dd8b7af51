import { operation, query, type RowOf } from '../engine/operation.ts'

const relayColumns = {
  webhook_id: 'text',
  connection_id: 'text',
  key_id: 'text',
  options: 'text',
  scopes: 'text',
  phone_number_ids: 'text?',
  expires_at: 'int?',
} as const

export type RelayRow = RowOf<typeof relayColumns>

/** Where the callbacks of an account go on to: addresses that passed the handshake, of tokens that still work. */
export const listRelays = query({
  name: 'relays.of_account',
  params: { account_id: 'text' },
  returns: relayColumns,
  sql: `select c.relay_id as webhook_id, c.id as connection_id, c.key_id, c.options, k.scopes, k.phone_number_ids,
          k.expires_at
        from connections c join webhooks w on w.id = c.relay_id join api_keys k on k.id = c.key_id
        where c.account_id = :account_id and c.relay_id is not null and w.verification = 'verified'
          and k.status = 'active'`,
})

/** Relays that are on although the token of their connection is not. */
export const listOrphanedRelays = query({
  name: 'relays.orphaned',
  params: { now: 'int' },
  returns: { id: 'text', url: 'text' },
  lane: 'list',
  sql: `select w.id, w.url from connections c join webhooks w on w.id = c.relay_id join api_keys k on k.id = c.key_id
        where c.relay_id is not null and w.active = 1 and (k.status <> 'active' or k.expires_at <= :now)
        order by w.id limit 100`,
})

/** A repeat of Meta has the same key and changes nothing. */
export const insertRelayItem = operation({
  name: 'relay_items.insert',
  input: { id: 'text', account_id: 'text', key_hash: 'text', body: 'text', facts: 'text' },
  key: ['account_id', 'key_hash'],
  sql: `insert into relay_items (id, account_id, key_hash, body, facts)
        select id, account_id, key_hash, body, facts from rows where true on conflict (account_id, key_hash) do nothing`,
})

/** The deliveries of an item that was stored a moment ago; of a repeat there are none. `place` makes their ids. */
export const fanOutRelay = operation({
  name: 'deliveries.fan_out_relay',
  input: {
    item_id: 'text',
    webhook_id: 'text',
    place: 'text',
    type: 'text',
    subject: 'text?',
    now: 'int',
    due_at: 'int',
  },
  key: ['item_id', 'webhook_id'],
  wakes: 'deliveries',
  sql: `insert into delivery_queue (id, webhook_id, account_id, type, subject, status, due_at, attempts, step, cause,
          created_at)
        select 'dlv_' || substr(rows.item_id, 5) || rows.place, w.id, w.account_id, rows.type, rows.subject,
          case when w.active = 1 and w.verification = 'verified' then 'pending' else 'skipped' end,
          rows.due_at, 0, 0, 'schedule', rows.now
        from rows join relay_items i on i.id = rows.item_id join webhooks w on w.id = rows.webhook_id
        where true on conflict (webhook_id, id) do nothing`,
})

export const expireRelayItems = operation({
  name: 'relay_items.expire',
  input: { first_kept: 'text', count: 'int' },
  returns: { deleted: 'int' },
  alone: true,
  ctes: `oldest as (select id from relay_items where id < (select first_kept from rows) order by id
    limit (select count from rows))`,
  sql: 'delete from relay_items where id {in:oldest} returning 1 as deleted',
})

/** The address passed its handshake, or a person answers for it. */
export const verifyRelay = operation({
  name: 'webhooks.verify_relay',
  input: { id: 'text', url: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'deliveries',
  sql: `update webhooks set verification = 'verified', verified_at = rows.now, verification_error = null, active = 1,
          disabled_at = null, disabled_reason = null, updated_at = rows.now, revision = webhooks.revision + 1
        from rows where webhooks.id = rows.id and webhooks.url = rows.url and webhooks.kind = 'relay'
        returning webhooks.id`,
})
