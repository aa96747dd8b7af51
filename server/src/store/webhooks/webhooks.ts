import { operation, query, type RowOf } from '../engine/operation.ts'

/** Settings of a webhook, and the state that follows from them. Counters are in webhook-states.ts. */
export const webhookColumns = {
  id: 'text',
  account_id: 'text',
  /** `events`, or `relay` for the callbacks of a connection. */
  kind: 'text',
  url: 'text',
  events: 'text',
  masked: 'int',
  active: 'int',
  description: 'text?',
  max_in_flight: 'int',
  max_per_second: 'int?',
  secret: 'text?',
  previous_secret: 'text?',
  previous_secret_until: 'int?',
  verification: 'text',
  verified_at: 'int?',
  verification_error: 'text?',
  verification_attempts: 'int',
  verification_due_at: 'int?',
  disabled_at: 'int?',
  disabled_reason: 'text?',
  created_at: 'int',
  updated_at: 'int',
  revision: 'int',
} as const

export type WebhookRow = RowOf<typeof webhookColumns>

const columnList = Object.keys(webhookColumns).join(', ')

export const stateColumns = {
  total_sent: 'int',
  total_failed: 'int',
  last_triggered: 'int?',
  last_success: 'int?',
  failing_since: 'int?',
} as const

export type WebhookWithState = WebhookRow & RowOf<typeof stateColumns>

const joined = `${Object.keys(webhookColumns)
  .map((column) => `w.${column}`)
  .join(', ')}, s.total_sent, s.total_failed, s.last_triggered, s.last_success, s.failing_since`

/** Counts a webhook against the plan of its account. The row is locked by it, so two at once cannot both take the last. */
export const reserveWebhook = operation({
  name: 'webhooks.take_place',
  input: { account_id: 'text', webhooks_max: 'int' },
  key: ['account_id'],
  returns: { account_id: 'text' },
  required: true,
  sql: `insert into webhook_places (account_id, taken) select account_id, 1 from rows where true
        on conflict (account_id) do update set taken = webhook_places.taken + 1
        where webhook_places.taken < (select webhooks_max from rows where rows.account_id = excluded.account_id)
        returning account_id`,
})

export const releaseWebhook = operation({
  name: 'webhooks.free_place',
  input: { account_id: 'text' },
  key: ['account_id'],
  sql: `update webhook_places set taken = taken - 1 from rows where webhook_places.account_id = rows.account_id`,
})

/** Wakes the engine: there is a challenge to send. */
export const insertWebhook = operation({
  name: 'webhooks.insert',
  input: webhookColumns,
  wakes: 'deliveries',
  sql: `insert into webhooks (${columnList}, verification_lease_until) select ${columnList}, 0 from rows`,
})

export const insertWebhookState = operation({
  name: 'webhook_states.insert',
  input: { webhook_id: 'text' },
  sql: `insert into webhook_states (webhook_id, total_sent, total_failed, paused_until, replay_matched)
        select webhook_id, 0, 0, 0, 0 from rows`,
})

/** Changes a webhook only if nobody else has since it was read. A challenge under way for the old url is disowned. */
export const updateWebhook = operation({
  name: 'webhooks.update',
  input: webhookColumns,
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'deliveries',
  sql: `update webhooks set url = rows.url, events = rows.events, masked = rows.masked, active = rows.active,
          description = rows.description, max_in_flight = rows.max_in_flight, max_per_second = rows.max_per_second,
          secret = rows.secret, previous_secret = rows.previous_secret,
          previous_secret_until = rows.previous_secret_until, verification = rows.verification,
          verified_at = rows.verified_at, verification_error = rows.verification_error,
          verification_attempts = rows.verification_attempts, verification_due_at = rows.verification_due_at,
          verification_claim = case when webhooks.url = rows.url then webhooks.verification_claim end,
          verification_lease_until = case when webhooks.url = rows.url then webhooks.verification_lease_until else 0 end,
          disabled_at = rows.disabled_at, disabled_reason = rows.disabled_reason, updated_at = rows.updated_at,
          revision = webhooks.revision + 1
        from rows
        where webhooks.id = rows.id and webhooks.account_id = rows.account_id and webhooks.revision = rows.revision
        returning webhooks.id`,
})

/** The service itself switches a webhook off. Required, so that what is announced with it is announced once. */
export const disableWebhook = operation({
  name: 'webhooks.disable',
  input: { id: 'text', url: 'text', reason: 'text', now: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'attempts',
  sql: `update webhooks set active = 0, disabled_at = rows.now, disabled_reason = rows.reason, updated_at = rows.now,
          revision = webhooks.revision + 1
        from rows where webhooks.id = rows.id and webhooks.url = rows.url and webhooks.active = 1
        returning webhooks.id, webhooks.account_id`,
})

export const deleteWebhook = operation({
  name: 'webhooks.delete',
  input: { id: 'text', account_id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  wakes: 'attempts',
  sql: `delete from webhooks where id in (select id from rows) and exists (
          select 1 from rows where rows.id = webhooks.id and rows.account_id = webhooks.account_id)
        returning id`,
})

export const deleteWebhookState = operation({
  name: 'webhook_states.delete',
  input: { webhook_id: 'text' },
  key: ['webhook_id'],
  sql: 'delete from webhook_states where webhook_id in (select webhook_id from rows)',
})

export const findWebhook = query({
  name: 'webhooks.find',
  params: { id: 'text', account_id: 'text' },
  returns: { ...webhookColumns, ...stateColumns },
  sql: `select ${joined} from webhooks w join webhook_states s on s.webhook_id = w.id
        where w.id = :id and w.account_id = :account_id`,
})

export const listWebhooks = query({
  name: 'webhooks.list',
  params: { account_id: 'text' },
  returns: { ...webhookColumns, ...stateColumns },
  sql: `select ${joined} from webhooks w join webhook_states s on s.webhook_id = w.id
        where w.account_id = :account_id and w.kind = 'events' order by w.id`,
})

export const targetColumns = {
  id: 'text',
  account_id: 'text',
  kind: 'text',
  url: 'text',
  active: 'int',
  masked: 'int',
  verification: 'text',
  max_in_flight: 'int',
  max_per_second: 'int?',
  secret: 'text?',
  previous_secret: 'text?',
  previous_secret_until: 'int?',
  paused_until: 'int',
  /** Of a relay: its connection, with the sealed secret that signs, and the key that decides what it may see. */
  connection_id: 'text?',
  app_secret: 'text?',
  key_id: 'text?',
  key_scopes: 'text?',
} as const

/** The webhook data of an attempt, read when it starts. */
export type DeliveryTarget = RowOf<typeof targetColumns>

export const findTargets = query({
  name: 'webhooks.targets',
  params: { ids: 'text[]' },
  returns: targetColumns,
  sql: `select w.id, w.account_id, w.kind, w.url, w.active, w.masked, w.verification, w.max_in_flight, w.max_per_second,
          w.secret, w.previous_secret, w.previous_secret_until, s.paused_until, c.id as connection_id, c.app_secret,
          k.id as key_id, k.scopes as key_scopes
        from webhooks w join webhook_states s on s.webhook_id = w.id
          left join connections c on w.kind = 'relay' and c.relay_id = w.id
          left join api_keys k on k.id = c.key_id and k.status = 'active'
        where w.id in {list:ids}`,
})

/** Only accounts that try things out may have their webhooks on this machine. */
export const hasSandboxChannel = query({
  name: 'webhooks.has_sandbox_channel',
  params: { account_id: 'text' },
  returns: { found: 'int' },
  sql: `select count(*) as found from channels
        where account_id = :account_id and kind = 'sandbox' and status <> 'disconnected'`,
})

export const countWebhooks = query({
  name: 'webhooks.count_by_state',
  params: {},
  returns: { active: 'int', unverified: 'int', disabled: 'int' },
  lane: 'list',
  sql: `select coalesce(sum(case when active = 1 and verification = 'verified' then 1 else 0 end), 0) as active,
          coalesce(sum(case when active = 1 and verification <> 'verified' then 1 else 0 end), 0) as unverified,
          coalesce(sum(case when active = 0 then 1 else 0 end), 0) as disabled
        from webhooks`,
})
