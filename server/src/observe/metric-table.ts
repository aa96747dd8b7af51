import { holdReasons, pauseReasons } from '../contract/broadcasts/broadcasts.ts'
import { relayTypes } from '../contract/connections.ts'
import { errorCodes } from '../contract/errors.ts'
import { eventTypes } from '../contract/events.ts'
import { sentTypes } from '../contract/messages/send-requests.ts'
import { planNames } from '../contract/plans.ts'

/**
 * The allowed values of a label. A list: exactly these values. `known`: any string may come in, others than these are counted as
 * `other`. `bounded`: names chosen in our own code (routes, jobs, queries), cut off at a fixed number of values. Never an
 * id, a phone number, an address or a template name: each new value is a new time series for ever.
 */
export type LabelRule = readonly string[] | { readonly known: readonly string[] } | 'bounded'
export type LabelRules = Readonly<Record<string, LabelRule>>

export type MetricRow<Kind extends 'counter' | 'gauge' | 'histogram', Rules extends LabelRules> = {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labels: Rules
  readonly buckets?: readonly number[]
  /**
   * Of a counter: the series that are there with 0 before anything is counted, because an alert rule watches them. A series
   * that begins with 1 has not grown for `increase`, and one that is missing is never equal to 0.
   */
  readonly atStart?: readonly Readonly<Record<keyof Rules, string>>[]
}

/** What deliveries carry. */
const deliveredTypes = [...eventTypes, ...relayTypes]

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const callSeconds = [...requestSeconds, 15]
const hoursInSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 172_800]
const querySeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
const bodyBytes = [256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 16_777_216, 104_857_600]
const methods = { known: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] } as const

/** Every status, category and quality of a template; `unknown` is a quality nobody has measured yet. */
const templateStates = [
  ...['draft', 'pending', 'approved', 'rejected', 'paused', 'disabled', 'archived', 'deleted'],
  ...['marketing', 'utility', 'authentication'],
  ...['high', 'medium', 'low', 'unknown'],
] as const

/** Every metric, once; the key is the handle in `Metrics`. Times are seconds, sizes are bytes. */
export const metricTable = {
  httpRequests: counter('postern_http_requests_total', 'Requests answered.', {
    method: methods,
    route: 'bounded',
    status: 'bounded',
  }),
  httpRequestDuration: histogram(
    'postern_http_request_duration_seconds',
    'Time from the request line to the end of the response.',
    { method: methods, route: 'bounded' },
    requestSeconds,
  ),
  httpRequestsInFlight: gauge('postern_http_requests_in_flight', 'Requests in progress.', {}),
  httpRequestSize: histogram(
    'postern_http_request_size_bytes',
    'Size of request bodies.',
    { route: 'bounded' },
    bodyBytes,
  ),
  httpResponseSize: histogram(
    'postern_http_response_size_bytes',
    'Size of response bodies.',
    { route: 'bounded' },
    bodyBytes,
  ),
  apiErrors: counter('postern_api_errors_total', 'Rejected requests by error code.', {
    code: errorCodes,
    route: 'bounded',
  }),

  authTokensIssued: counter('postern_auth_tokens_issued_total', 'Access tokens issued.', {
    kind: ['token', 'refresh'],
  }),
  authFailures: counter('postern_auth_failures_total', 'Rejected credentials and tokens.', { code: errorCodes }),
  rateLimited: counter('postern_rate_limited_total', 'Requests rejected by a limit.', {
    policy: ['hour', 'day', 'auth', 'channel', 'channel_concurrency', 'overload'],
    plan: [...planNames, 'none'],
  }),
  idempotencyReplays: counter('postern_idempotency_replays_total', 'Requests that repeated an idempotency key.', {
    outcome: ['replayed', 'conflict', 'waited'],
  }),

  graphRequests: counter(
    'postern_graph_requests_total',
    "Requests below /graph by Meta's code of their error; 0 is none.",
    { route: 'bounded', code: 'bounded' },
  ),
  graphAliases: counter(
    'postern_graph_aliases_total',
    "Sends below /graph whose outcome was not known when they were answered, with an id of Postern in place of Meta's.",
    {},
  ),
  graphRepeats: counter('postern_graph_repeats_total', 'Requests below /graph that were answered as repeats.', {}),

  messages: counter(
    'postern_messages_total',
    'Messages by the status they reached.',
    {
      direction: ['outbound', 'inbound'],
      type: 'bounded',
      status: ['queued', 'sent', 'delivered', 'read', 'failed', 'received'],
    },
    Object.keys(sentTypes).map((type) => ({ direction: 'outbound', type, status: 'sent' })),
  ),
  messageSendDuration: histogram(
    'postern_message_send_duration_seconds',
    'Time from the API call until Meta accepted the message.',
    { type: 'bounded' },
    callSeconds,
  ),
  messageDeliveryLatency: histogram(
    'postern_message_delivery_latency_seconds',
    'Time between two statuses of a message.',
    { stage: ['sent_to_delivered', 'delivered_to_read'] },
    [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400],
  ),
  messagesUnresolved: gauge(
    'postern_messages_unresolved',
    'Messages whose outcome at Meta is unknown, by age; young ones were sent within 15 minutes.',
    { age: ['young', 'old'] },
  ),
  waitingSends: gauge(
    'postern_waiting_sends',
    'Waiting messages: one-time codes, all others, and those held until a person releases them.',
    { priority: ['code', 'message', 'held'] },
  ),
  waitingOverdue: gauge(
    'postern_waiting_oldest_overdue_seconds',
    'Time since the most overdue waiting message was due.',
    {},
  ),
  broadcastRecipients: counter('postern_broadcast_recipients_total', 'Processed recipients of broadcasts, by result.', {
    result: ['sent', 'failed', 'unknown', 'postponed', 'skipped'],
  }),
  broadcastStops: counter('postern_broadcast_stops_total', 'Holds and pauses that broadcasts made by themselves.', {
    reason: [...holdReasons, ...pauseReasons],
  }),
  broadcasts: gauge('postern_broadcasts', 'Broadcasts that run, are held or are paused.', {
    state: ['running', 'held', 'paused'],
  }),
  broadcastsWaiting: gauge('postern_broadcast_recipients_waiting', 'Recipients of running broadcasts who wait.', {}),
  budgets: gauge('postern_budgets', 'Budgets whose period runs, by how much of them is used.', {
    state: ['open', 'warned', 'exceeded'],
  }),
  budgetRefusals: counter('postern_budget_refusals_total', 'Sends rejected because a budget is used up.', {}),
  messagesGivenUp: counter(
    'postern_messages_given_up_total',
    'Messages that ended as failed with send_outcome_unknown: nothing settled them in time.',
    {},
  ),

  channelRequests: counter('postern_channel_requests_total', 'Calls to Meta.', {
    operation: 'bounded',
    outcome: ['ok', 'rejected', 'throttled', 'error', 'timeout'],
  }),
  channelRequestDuration: histogram(
    'postern_channel_request_duration_seconds',
    'Time of a call to Meta.',
    { operation: 'bounded' },
    callSeconds,
  ),
  channelSendsInFlight: gauge('postern_channel_sends_in_flight', 'Sends in flight to Meta.', {}),
  channelNumbersAtLimit: gauge(
    'postern_channel_numbers_at_limit',
    'Numbers that have reached their limit of sends in flight.',
    {},
  ),
  channelEventsReceived: counter(
    'postern_channel_events_received_total',
    'Events Meta reported.',
    { kind: 'bounded', outcome: ['ok', 'bad_signature', 'duplicate', 'unknown'] },
    ['ok', 'unknown'].map((outcome) => ({ kind: 'status', outcome })),
  ),
  channelEventLag: histogram(
    'postern_channel_event_lag_seconds',
    "Time from Meta's own timestamp until the event was recorded.",
    {},
    [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600, 86_400],
  ),
  callbackOldestAge: gauge(
    'postern_callback_oldest_age_seconds',
    "Age of Meta's oldest callback that is stored but not applied yet.",
    {},
  ),
  channelAuthFailed: counter(
    'postern_channel_auth_failed_total',
    'Requests rejected with channel_auth_failed: Meta rejected the access token of a channel.',
    {},
  ),
  channelTokenExpiry: gauge(
    'postern_channel_token_expiry_timestamp_seconds',
    'When the first access token of a channel expires, in Unix time; 0 if none expires.',
    {},
  ),

  webhookAttempts: counter('postern_webhook_attempts_total', 'Delivery attempts.', {
    event: deliveredTypes,
    outcome: ['2xx', '3xx', '4xx', '5xx', 'timeout', 'dns', 'tls', 'blocked', 'connection', 'protocol'],
  }),
  webhookAttemptDuration: histogram(
    'postern_webhook_attempt_duration_seconds',
    'Time of a delivery attempt.',
    {},
    callSeconds,
  ),
  webhookConnections: counter(
    'postern_webhook_connections_total',
    'Deliveries with a response by their connection: reused or new.',
    { connection: ['kept', 'new'] },
  ),
  webhookDeliveries: counter(
    'postern_webhook_deliveries_total',
    'Finished deliveries.',
    { event: deliveredTypes, result: ['delivered', 'exhausted', 'rejected', 'cancelled', 'expired'] },
    deliveredTypes.map((event) => ({ event, result: 'exhausted' })),
  ),
  webhookEndToEnd: histogram(
    'postern_webhook_end_to_end_seconds',
    'Time from the event until its delivery.',
    {},
    hoursInSeconds,
  ),
  webhookQueueDepth: gauge('postern_webhook_queue_depth', 'Deliveries pending or in flight.', {
    state: ['ready', 'scheduled', 'leased'],
  }),
  webhookQueueOldestAge: gauge(
    'postern_webhook_queue_oldest_age_seconds',
    'Age of the oldest delivery that is due, without webhooks that fail or are paused.',
    {},
  ),
  webhookEndpoints: gauge('postern_webhook_endpoints', 'Webhooks by state.', {
    state: ['active', 'unverified', 'disabled'],
  }),

  templates: gauge('postern_templates', 'Templates by status.', { status: 'bounded' }),
  templateChanges: counter(
    'postern_template_changes_total',
    'Templates that changed status, category or quality, by the new value.',
    { kind: ['status', 'category', 'quality'], to: templateStates },
    [
      ...['rejected', 'paused', 'disabled'].map((to) => ({ kind: 'status', to })),
      { kind: 'category', to: 'marketing' },
    ],
  ),
  mediaBytesStored: gauge('postern_media_bytes_stored', 'Bytes of stored media.', { kind: 'bounded' }),
  mediaStoreDuration: histogram(
    'postern_media_store_request_duration_seconds',
    'Time of a request to the bucket of `POSTERN_MEDIA_STORE`, including retries.',
    { operation: ['put', 'get', 'delete'], outcome: ['ok', 'missing', 'throttled', 'rejected', 'failed'] },
    callSeconds,
  ),
  mediaStoreFailing: gauge(
    'postern_media_store_failing',
    '1 while the last request to the bucket of `POSTERN_MEDIA_STORE` failed, otherwise 0.',
    {},
  ),
  mediaUploads: counter('postern_media_uploads_total', 'Media uploads.', {
    kind: 'bounded',
    outcome: ['stored', 'refused', 'failed'],
  }),

  dbQueryDuration: histogram(
    'postern_db_query_duration_seconds',
    'Time of a database statement, by its name.',
    { query: 'bounded' },
    querySeconds,
  ),
  dbPoolConnections: gauge('postern_db_pool_connections', 'Database connections.', {
    state: ['active', 'idle', 'waiting'],
  }),

  jobRuns: counter('postern_job_runs_total', 'Runs of background jobs.', { job: 'bounded' }),
  jobDuration: histogram(
    'postern_job_duration_seconds',
    'Time of a run of a background job.',
    { job: 'bounded' },
    [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  ),
  jobLastSuccess: gauge(
    'postern_job_last_success_timestamp_seconds',
    'When a job last succeeded in this process, in Unix time; of a regular job that has not yet: when the process began to run jobs.',
    { job: 'bounded' },
  ),
  jobOldestAge: gauge('postern_job_oldest_age_seconds', 'Time that the most overdue job has been due.', {
    lane: ['main', 'media'],
  }),
  partitionDaysAhead: gauge(
    'postern_partition_days_ahead',
    'Days after today that have partitions in PostgreSQL, up to 7; SQLite needs none and always has 7.',
    {},
  ),
  retentionPausedUntil: gauge(
    'postern_retention_paused_until_timestamp_seconds',
    'Until when retention is paused because a clock jumped, in Unix time; 0 if it never was.',
    {},
  ),
  feedLag: gauge(
    'postern_feed_lag_seconds',
    'How long events have been held back from the feed by a transaction that does not end; 0, 10, 30, 60 and so on.',
    {},
  ),
  diskFree: gauge('postern_disk_free_bytes', 'Free bytes on the disk of the data folder.', {}),
  diskSize: gauge('postern_disk_size_bytes', 'Size of the disk of the data folder.', {}),

  consoleLogins: counter('postern_console_logins_total', 'Sign-ins to the console.', {
    outcome: ['ok', 'failed', 'limited'],
  }),
  buildInfo: gauge('postern_build_info', 'Always 1; the labels say what is running.', {
    version: 'bounded',
    commit: 'bounded',
    node: 'bounded',
  }),
  signingKeyExpiry: gauge(
    'postern_signing_key_expiry_timestamp_seconds',
    'When the signing key is due, in Unix time.',
    {},
  ),
} as const

function counter<const Rules extends LabelRules>(
  name: string,
  help: string,
  labels: Rules,
  atStart: readonly Readonly<Record<keyof Rules, string>>[] = [],
): MetricRow<'counter', Rules> {
  return { kind: 'counter', name, help, labels, atStart }
}

function gauge<const Rules extends LabelRules>(name: string, help: string, labels: Rules): MetricRow<'gauge', Rules> {
  return { kind: 'gauge', name, help, labels }
}

function histogram<const Rules extends LabelRules>(
  name: string,
  help: string,
  labels: Rules,
  buckets: readonly number[],
): MetricRow<'histogram', Rules> {
  return { kind: 'histogram', name, help, labels, buckets }
}
