import type { Privacy } from '../contract/privacy.ts'
import type { attemptColumns } from './accounts/guesses.ts'
import type { requestLogColumns } from './accounts/request-log.ts'
import { messagePrivacy } from './messages/messages.ts'

/** The stored response of an attempt: a receiver may echo the event. */
export const attemptPrivacy = {
  id: 'kept',
  delivery_id: 'kept',
  webhook_id: 'kept',
  number: 'kept',
  cause: 'kept',
  url: 'kept',
  started_at: 'kept',
  duration_ms: 'kept',
  status_code: 'kept',
  error_code: 'kept',
  error_message: 'kept',
  remote_ip: 'kept',
  response_headers: 'personal',
  response_body: 'personal',
  next_attempt_at: 'kept',
} as const satisfies Record<keyof typeof attemptColumns, Privacy>

export const requestPrivacy = {
  id: 'kept',
  account_id: 'kept',
  key_id: 'kept',
  at: 'kept',
  method: 'kept',
  route: 'kept',
  status: 'kept',
  code: 'kept',
  duration_ms: 'kept',
  body: 'personal',
  path: 'personal',
  answer: 'personal',
} as const satisfies Record<keyof typeof requestLogColumns, Privacy>

type Columns = Readonly<Record<string, string>>
type ColumnPrivacy = Readonly<Record<string, Privacy>>

export function personalColumnsOf(privacy: ColumnPrivacy): string[] {
  return Object.entries(privacy).flatMap(([column, kind]) => (kind === 'personal' ? [column] : []))
}

/** The value of a personal column after an erasure: null, or an empty record if it must have a value. */
const emptyOf = (columns: Columns, column: string) => (columns[column]?.endsWith('?') ? 'null' : "'{}'")

/** Sets every personal column of a table to nothing. */
export function emptied(columns: Columns, privacy: ColumnPrivacy): string {
  return personalColumnsOf(privacy)
    .map((column) => `${column} = ${emptyOf(columns, column)}`)
    .join(', ')
}

/** Whether a personal column of a row holds something; `row` is the name of its table in the statement. */
export function holdsPersonal(row: string, columns: Columns, privacy: ColumnPrivacy): string {
  const held = personalColumnsOf(privacy).map((column) => {
    const empty = emptyOf(columns, column)
    return `${row}.${column} ${empty === 'null' ? 'is not' : '<>'} ${empty}`
  })
  return `(${held.join(' or ')})`
}

/**
 * The personal data in each table. `none`: nothing. `row`: an erasure deletes the rows of the customer. Otherwise
 * each column is declared. test/store/table-privacy.test.ts compares this with the schema of both engines.
 */
export const tablePrivacy: Readonly<Record<string, 'none' | 'row' | Readonly<Record<string, unknown>>>> = {
  messages: messagePrivacy,
  attempts: { ...attemptPrivacy, late: 'kept' },
  request_log: requestPrivacy,
  customers: 'row',
  customer_addresses: 'row',
  contacts: 'row',
  conversations: 'row',
  threads: 'row',
  pacing: 'row',
  waiting_sends: 'row',
  broadcast_recipients: 'row',
  callback_items: 'row',
  relay_items: 'row',
  media: 'row',
  media_uploads: 'row',
  audit_heads: 'none',
  guesses: 'none',
  message_files: 'row',
  blobs: 'row',
  blob_chunks: 'row',
  loose_blobs: 'row',
  callback_queue: kept('account_id id channel_id size received_at attempts claim lease_until', { body: 'personal' }),
  callback_seen: 'none',
  events: kept('seq tx id account_id type sequence created_at traceparent', {
    subject: 'sent_message',
    body: 'personal',
  }),
  idempotency_keys: kept('account_id endpoint idempotency_key fingerprint message_id lease_until expires_at', {
    outcome: 'personal',
  }),
  ...Object.fromEntries(
    `accounts alert_choices analytics_folds analytics_steps api_keys audit_anchors audit_log broadcast_groups broadcast_problems
     broadcast_skips broadcast_uploads broadcasts channel_app_wabas channel_apps channels connections
     deliveries delivery_claims delivery_queue identities installation jobs key_calls keywords listeners mails media_usage members message_rollups nodes numbers people
     budget_periods budgets price_days probes quota_usage quota_warnings quotas rate_cards
     recipient_days recipient_gaps reported_days recovery_codes replies reply_days saved_replies retention_clock rollup_values schema_migrations send_lanes sessions setup_links
     sign_in_flows signing_keys signups size_days template_changes template_days template_syncs templates told_states token_chains tokens volume_tiers webhook_places
     webhook_states webhooks`
      .split(/\s+/)
      .map((table) => [table, 'none' as const]),
  ),
}

function kept(columns: string, others: Readonly<Record<string, Privacy>>): Readonly<Record<string, Privacy>> {
  return { ...Object.fromEntries(columns.split(' ').map((column) => [column, 'kept' as const])), ...others }
}
