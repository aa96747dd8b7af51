import { secretAdvice, secretPattern } from '../contract/webhooks.ts'
import { isRange } from '../lib/guarded-http/address-guard-ranges.ts'
import { databaseUrl } from './config-database.ts'
import {
  bool,
  countOrAuto,
  int,
  isHostName,
  isOrigin,
  type Kind,
  list,
  listen,
  listenOrOff,
  masterKey,
  oneOf,
  path,
  schedule,
  seconds,
  secondsToMs,
  string,
  url,
} from './config-kinds.ts'

/**
 * Every setting of the gateway, once. `Config`, the flags of the command line, `postern config print` and
 * docs/configuration.md come from this table: a new setting is one new row. The key is the field of `Config`.
 */
export const settings = {
  env: setting({
    name: 'POSTERN_ENV',
    group: 'process',
    kind: oneOf('development', 'production'),
    default: 'development',
    description:
      '`production` rejects convenient but unsafe settings: a generated master key, private webhook addresses.',
  }),
  role: setting({
    name: 'POSTERN_ROLE',
    flag: 'role',
    group: 'process',
    kind: oneOf('all', 'api', 'worker'),
    default: 'all',
    description: 'What this process does: serve requests, run jobs and deliver webhooks, or both.',
  }),
  processes: setting({
    name: 'POSTERN_PROCESSES',
    flag: 'processes',
    group: 'process',
    kind: countOrAuto(64),
    default: '1',
    description:
      'Number of processes that share the port and the work; `auto` is one per core. More than 1 needs PostgreSQL.',
  }),
  shutdownTimeoutMs: setting({
    name: 'POSTERN_SHUTDOWN_TIMEOUT',
    group: 'process',
    kind: secondsToMs(3600),
    default: '25',
    description: 'Seconds for running requests and deliveries to finish after SIGTERM.',
  }),
  shutdownDelayMs: setting({
    name: 'POSTERN_SHUTDOWN_DELAY',
    group: 'process',
    kind: secondsToMs(600),
    default: { development: '0', production: '5' },
    description: 'Seconds between "not ready" and closing the listener, so that load balancers notice.',
  }),

  listen: setting({
    name: 'POSTERN_LISTEN',
    flag: 'port',
    group: 'addresses',
    kind: listen(),
    default: { development: '127.0.0.1:8080', production: '0.0.0.0:8080' },
    description: 'Address of the API and the console. `--port` changes the port only.',
  }),
  adminListen: setting({
    name: 'POSTERN_ADMIN_LISTEN',
    flag: 'admin-port',
    group: 'addresses',
    kind: listen(),
    default: '127.0.0.1:9090',
    description: 'Address of metrics and verbose health. It has no login: keep it private.',
  }),
  sandboxListen: setting({
    name: 'POSTERN_SANDBOX_LISTEN',
    flag: 'sandbox-port',
    group: 'addresses',
    kind: listenOrOff(),
    default: { development: '127.0.0.1:8081', production: 'off' },
    description: 'Address of the sandbox platform, or `off`. Never started in production.',
  }),
  baseUrl: optional({
    name: 'POSTERN_BASE_URL',
    group: 'addresses',
    kind: url({ credentials: false }),
    unset: '`http://localhost` with the port of `POSTERN_LISTEN`',
    description:
      'Public address of the API, used in links. The SDK and the command line also use it as the address to call.',
  }),
  consoleUrl: optional({
    name: 'POSTERN_CONSOLE_URL',
    group: 'addresses',
    kind: url({ credentials: false }),
    unset: 'the base url',
    description: 'Public address of the console, used in links.',
  }),
  trustProxy: setting({
    name: 'POSTERN_TRUST_PROXY',
    group: 'addresses',
    kind: list('must be a list of addresses or ranges, such as 10.0.0.0/8,192.168.1.7', isRange),
    default: '',
    description:
      'Addresses of reverse proxies whose `X-Forwarded-For` is trusted. Required behind a proxy: see SECURITY.md.',
  }),
  corsOrigins: setting({
    name: 'POSTERN_CORS_ORIGINS',
    group: 'addresses',
    kind: list('must be a list of exact origins, such as https://app.example.com, without wildcards', isOrigin),
    default: '',
    description: 'Browser origins that may call the API. Empty: none, because API secrets do not belong in browsers.',
  }),
  bodyTimeoutMs: setting({
    name: 'POSTERN_BODY_TIMEOUT_MS',
    group: 'addresses',
    kind: int(100, 600_000),
    default: '10000',
    description:
      'Milliseconds for a JSON body to arrive completely, and for the rest of a body after its request was rejected. The same limit applies to headers, at most 10 seconds.',
  }),

  dataDir: setting({
    name: 'POSTERN_DATA_DIR',
    flag: 'data',
    group: 'data',
    kind: path(),
    default: './data',
    description: 'Folder of the embedded database, media, the control socket and first-run files.',
  }),
  databaseUrl: optional({
    name: 'POSTERN_DATABASE_URL',
    group: 'data',
    kind: databaseUrl(),
    secret: true,
    unset: 'the embedded database in the data folder',
    description:
      'PostgreSQL connection string. With it, any number of processes can share the work. If it lists several servers, Postern uses the one that accepts writes, also after a fail-over.',
  }),
  databasePoolReadMax: setting({
    name: 'POSTERN_DATABASE_POOL_READ',
    group: 'data',
    kind: int(1, 200),
    default: '8',
    description: 'PostgreSQL connections for reading, per process.',
  }),
  databasePoolWriteMax: setting({
    name: 'POSTERN_DATABASE_POOL_WRITE',
    group: 'data',
    kind: int(1, 64),
    default: '4',
    description:
      'PostgreSQL connections for group commits, per process. Five more are used for counters, single rows, clean-up and signals.',
  }),
  migrate: setting({
    name: 'POSTERN_MIGRATE',
    flag: 'migrate',
    group: 'data',
    kind: bool(),
    default: 'true',
    description: 'Migrate the schema at start. With `--no-migrate`, run `postern migrate up` instead.',
  }),
  masterKey: optional({
    name: 'POSTERN_MASTER_KEY',
    group: 'data',
    kind: masterKey(),
    secret: true,
    unset: 'generated into the data folder in development; required in production',
    description: 'Encrypts secrets at rest: 32 random bytes as 64 hex digits or base64. Never part of a backup.',
  }),
  mediaStore: optional({
    name: 'POSTERN_MEDIA_STORE',
    group: 'data',
    kind: string(
      'must be s3://bucket or s3://bucket/prefix',
      /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.{1,2}(\/|$))[\w.-]{1,100}){0,5}$/,
    ),
    unset: 'with the database: in the data folder on SQLite, in PostgreSQL otherwise',
    description:
      'S3-compatible bucket for new files, such as `s3://postern-media/prod`. Existing files stay where they are: see [media outside the database](media-store.md).',
  }),
  mediaStoreEndpoint: optional({
    name: 'POSTERN_MEDIA_STORE_ENDPOINT',
    group: 'data',
    kind: url({ credentials: false }),
    unset: "Amazon's, in the region",
    description: 'Address of the store, such as `https://minio.example.com`. It may be a private address.',
  }),
  mediaStoreRegion: setting({
    name: 'POSTERN_MEDIA_STORE_REGION',
    group: 'data',
    kind: string('must be a region such as eu-central-1, or auto', /^[a-z0-9-]{2,40}$/),
    default: 'us-east-1',
    description: 'Region of the bucket. Stores without regions accept any.',
  }),
  mediaStoreAccessKeyId: optional({
    name: 'POSTERN_MEDIA_STORE_ACCESS_KEY_ID',
    group: 'data',
    kind: string('must be the id of an access key', /^[\x21-\x7e]{3,128}$/),
    secret: true,
    unset: 'required with `POSTERN_MEDIA_STORE`',
    description: 'Id of the access key. It must be allowed to put, get and delete objects below the prefix.',
  }),
  mediaStoreSecretAccessKey: optional({
    name: 'POSTERN_MEDIA_STORE_SECRET_ACCESS_KEY',
    group: 'data',
    kind: string('must be the secret of an access key', /^[\x21-\x7e]{8,256}$/),
    secret: true,
    unset: 'required with `POSTERN_MEDIA_STORE`',
    description: 'Secret of the access key.',
  }),
  retentionContentDays: setting({
    name: 'POSTERN_RETENTION_CONTENT_DAYS',
    group: 'data',
    kind: int(1, 3650),
    default: '30',
    description: 'Days that message contents and media are kept, including all copies.',
  }),
  retentionMetadataDays: setting({
    name: 'POSTERN_RETENTION_METADATA_DAYS',
    group: 'data',
    kind: int(1, 3650),
    default: '400',
    description: 'Days that message records and the audit log are kept.',
  }),
  outcomeUnknownDays: setting({
    name: 'POSTERN_OUTCOME_UNKNOWN_DAYS',
    group: 'data',
    kind: int(1, 365),
    default: '8',
    description:
      'Days after which a message whose outcome is still unknown ends as `failed` with `send_outcome_unknown`. Meta reports statuses late by up to 7 days. The record of the message is kept until then.',
  }),
  retentionDeliveriesDays: setting({
    name: 'POSTERN_RETENTION_DELIVERIES_DAYS',
    group: 'data',
    kind: int(1, 3650),
    default: '14',
    description:
      'Days that events, webhook deliveries and their attempts are kept, and can be replayed; at most POSTERN_RETENTION_CONTENT_DAYS.',
  }),

  tokenTtlSeconds: setting({
    name: 'POSTERN_TOKEN_TTL',
    group: 'tokens',
    kind: seconds(1, 86_400),
    default: '3600',
    description: 'Seconds an access token is valid.',
  }),
  tokenRefreshGraceSeconds: setting({
    name: 'POSTERN_TOKEN_REFRESH_GRACE',
    group: 'tokens',
    kind: seconds(0, 2_592_000),
    default: '86400',
    description: 'Seconds after its expiry that a token can still be refreshed. 0: not at all.',
  }),
  tokenChainMaxAgeSeconds: setting({
    name: 'POSTERN_TOKEN_CHAIN_MAX_AGE',
    group: 'tokens',
    kind: seconds(1, 31_536_000),
    default: '2592000',
    description: 'Seconds after the first token of a chain until which its tokens can be refreshed.',
  }),

  oidcIssuer: optional({
    name: 'POSTERN_OIDC_ISSUER',
    group: 'people',
    kind: string('must be the address of an issuer, such as https://id.acme.example', /^https?:\/\/[^\s?#@]{1,500}$/),
    unset: 'people sign in with a password',
    description:
      'Issuer of the OpenID Connect provider for console sign-in. Register `<console>/console/api/oidc/callback` there as the redirect URI.',
  }),
  oidcClientId: optional({
    name: 'POSTERN_OIDC_CLIENT_ID',
    group: 'people',
    kind: string('must be 1 to 300 characters without spaces', /^\S{1,300}$/),
    unset: 'required with an issuer',
    description: 'Client ID of this installation at the provider.',
  }),
  oidcClientSecret: optional({
    name: 'POSTERN_OIDC_CLIENT_SECRET',
    group: 'people',
    kind: string('must be 1 to 1000 characters without spaces', /^\S{1,1000}$/),
    secret: true,
    unset: 'a public client, which proves itself by PKCE alone',
    description: 'Client secret of this installation at the provider.',
  }),
  oidcDomains: setting({
    name: 'POSTERN_OIDC_DOMAINS',
    group: 'people',
    kind: list('must be domains such as acme.example', isHostName),
    default: '',
    description:
      'Members with a verified address in these domains are linked at their first sign-in. All others need an invitation, or link their account under Settings, Security.',
  }),
  passwordSignIn: setting({
    name: 'POSTERN_PASSWORD_SIGN_IN',
    group: 'people',
    kind: bool(),
    default: 'true',
    description:
      '`false` turns off password sign-in; needs an OpenID Connect provider. If the provider is unavailable, use `postern users sign-in-link`.',
  }),
  smtpUrl: optional({
    name: 'POSTERN_SMTP_URL',
    group: 'people',
    kind: string('must be smtp://user:password@host:port or smtps://…', /^smtps?:\/\/[^\s?#]{1,1000}$/),
    secret: true,
    unset: 'no mail is sent: links are shown to be passed on',
    description: 'Mail server for invitations, password resets and alerts.',
  }),
  mailFrom: optional({
    name: 'POSTERN_MAIL_FROM',
    group: 'people',
    kind: string('must be one address such as postern@acme.example', /^[^\s@,;:<>]{1,64}@[^\s@,;:<>]{1,189}$/),
    unset: 'required with a mail server',
    description: 'Sender address of these mails.',
  }),

  windowPolicy: setting({
    name: 'POSTERN_WINDOW_POLICY',
    group: 'channel',
    kind: oneOf('auto', 'strict', 'platform'),
    default: 'auto',
    description:
      'What happens when the 24-hour window is unknown: `auto` asks Meta, `strict` rejects the message, `platform` never rejects it and leaves the decision to Meta.',
  }),
  marketingOptOut: setting({
    name: 'POSTERN_MARKETING_OPT_OUT',
    group: 'channel',
    kind: oneOf('refuse', 'platform'),
    default: 'refuse',
    description:
      'Marketing templates to customers who opted out: `refuse` rejects them before the call, `platform` leaves the decision to Meta.',
  }),
  channelBaseUrl: setting({
    name: 'POSTERN_CHANNEL_BASE_URL',
    group: 'channel',
    kind: url({ credentials: false }),
    default: 'https://graph.facebook.com',
    description:
      "Address of Meta's Graph API for channels that are connected from now on. A channel keeps the address it was connected with.",
  }),
  channelMediaHosts: setting({
    name: 'POSTERN_CHANNEL_MEDIA_HOSTS',
    group: 'channel',
    kind: list('must be a list of host names, such as files.example.com,.example.net', (entry) =>
      isHostName(entry.replace(/^\./, '')),
    ),
    default: 'lookaside.fbsbx.com,.fbcdn.net,.whatsapp.net',
    description:
      "WhatsApp hosts from which customers' files are fetched, in addition to that of POSTERN_CHANNEL_BASE_URL. A leading dot includes all subdomains.",
  }),
  sharedAppId: optional({
    name: 'POSTERN_SHARED_APP_ID',
    group: 'channel',
    kind: string('must be the digits of an app id', /^\d{1,32}$/),
    unset: 'every account brings an app of its own',
    description: "ID of the operator's Meta app, through which any account can connect without knowing its secret.",
  }),
  sharedAppSecret: optional({
    name: 'POSTERN_SHARED_APP_SECRET',
    group: 'channel',
    kind: string('must be the app secret', /^\S{8,200}$/),
    secret: true,
    unset: 'every account brings an app of its own',
    description: 'App secret of `POSTERN_SHARED_APP_ID`. Never shown to an account.',
  }),
  signupConfigId: optional({
    name: 'POSTERN_SIGNUP_CONFIG_ID',
    group: 'channel',
    kind: string('must be the digits of a configuration id', /^\d{1,32}$/),
    unset: 'numbers are connected with a token',
    description:
      'Configuration of Facebook Login for Business for the app of `POSTERN_SHARED_APP_ID`. With it, accounts connect numbers through Embedded Signup.',
  }),
  signupUrl: setting({
    name: 'POSTERN_SIGNUP_URL',
    group: 'channel',
    kind: url({ credentials: false }),
    default: 'https://www.facebook.com',
    description:
      "Start page of Embedded Signup: the host of Facebook Login, or the address of Meta's hosted page, `https://business.facebook.com/messaging/whatsapp/onboard/`.",
  }),
  channelGraphVersion: setting({
    name: 'POSTERN_CHANNEL_GRAPH_VERSION',
    group: 'channel',
    kind: string('must be a version such as v26.0', /^v\d{1,3}\.\d{1,2}$/),
    default: 'v26.0',
    description: "Version of Meta's Graph API for all channels except those of a sandbox.",
  }),
  channelConnectTimeoutMs: setting({
    name: 'POSTERN_CHANNEL_CONNECT_TIMEOUT_MS',
    group: 'channel',
    kind: int(10, 60_000),
    default: '3000',
    description: 'Milliseconds to connect to Meta.',
  }),
  channelTimeoutMs: setting({
    name: 'POSTERN_CHANNEL_TIMEOUT_MS',
    group: 'channel',
    kind: int(10, 300_000),
    default: '15000',
    description: 'Milliseconds for a whole call to Meta; sends end with `POSTERN_SEND_TIMEOUT_MS`.',
  }),
  sendTimeoutMs: setting({
    name: 'POSTERN_SEND_TIMEOUT_MS',
    group: 'channel',
    kind: int(100, 60_000),
    default: '10000',
    description:
      'Milliseconds from the arrival of a send until its response: at most 30% is spent waiting for the rate limit, Meta has until 80%, the status of a lost response until 92%, and a first request with the same key until 95%.',
  }),
  graphAnswerMs: setting({
    name: 'POSTERN_GRAPH_ANSWER_MS',
    group: 'channel',
    kind: int(100, 60_000),
    default: '4500',
    description:
      'Milliseconds until a send under `/graph` gets a response, even if Meta has not responded yet: its clients give up after five seconds. The call to Meta continues.',
  }),
  sendSettleWaitMs: setting({
    name: 'POSTERN_SEND_SETTLE_WAIT_MS',
    group: 'channel',
    kind: int(0, 60_000),
    default: '5000',
    description:
      "Milliseconds that a send waits for Meta's status after a lost response before it reports an unknown outcome; never beyond 92% of `POSTERN_SEND_TIMEOUT_MS`.",
  }),

  webhookVerification: setting({
    name: 'POSTERN_WEBHOOK_VERIFICATION',
    group: 'webhooks',
    kind: oneOf('enforce', 'warn', 'off'),
    default: 'enforce',
    description:
      '`enforce` holds events until the receiver has returned the challenge, `warn` delivers anyway, `off` sends no challenges.',
  }),
  webhookVerificationScheduleMs: setting({
    name: 'POSTERN_WEBHOOK_VERIFICATION_SCHEDULE',
    group: 'webhooks',
    kind: schedule(),
    default: '0s,5s,30s,2m,10m,1h',
    description: 'Delay before each verification attempt.',
  }),
  webhookVerificationTimeoutMs: setting({
    name: 'POSTERN_WEBHOOK_VERIFICATION_TIMEOUT_MS',
    group: 'webhooks',
    kind: int(10, 300_000),
    default: '10000',
    description: 'Milliseconds for a whole verification attempt.',
  }),
  webhookRetryScheduleMs: setting({
    name: 'POSTERN_WEBHOOK_RETRY_SCHEDULE',
    group: 'webhooks',
    kind: schedule(),
    default: '0s,5s,30s,2m,10m,30m,2h,6h,12h,24h',
    description: 'Delay before each delivery attempt, counted from the one before. A jitter of 10% is added.',
  }),
  webhookBacklogHours: optional({
    name: 'POSTERN_WEBHOOK_BACKLOG_HOURS',
    group: 'webhooks',
    kind: int(1, 87_600),
    unset: 'as long as events are kept',
    description:
      'Hours that a delivery waits for an unavailable receiver before it expires; at most POSTERN_RETENTION_DELIVERIES_DAYS.',
  }),
  webhookConnectTimeoutMs: setting({
    name: 'POSTERN_WEBHOOK_CONNECT_TIMEOUT_MS',
    group: 'webhooks',
    kind: int(10, 300_000),
    default: '5000',
    description: 'Milliseconds to resolve the name, connect and complete TLS.',
  }),
  webhookHeadersTimeoutMs: setting({
    name: 'POSTERN_WEBHOOK_HEADERS_TIMEOUT_MS',
    group: 'webhooks',
    kind: int(10, 300_000),
    default: '10000',
    description: "Milliseconds until the receiver's status line.",
  }),
  webhookTotalTimeoutMs: setting({
    name: 'POSTERN_WEBHOOK_TOTAL_TIMEOUT_MS',
    group: 'webhooks',
    kind: int(10, 300_000),
    default: '15000',
    description: 'Milliseconds for a whole delivery attempt.',
  }),
  webhookConcurrencyMax: setting({
    name: 'POSTERN_WEBHOOK_CONCURRENCY',
    group: 'webhooks',
    kind: int(1, 10_000),
    default: '256',
    description:
      'Maximum delivery attempts in flight, per process, plus the same number of hanging ones. One account gets at most three quarters.',
  }),
  webhookConcurrencyPerEndpointMax: setting({
    name: 'POSTERN_WEBHOOK_CONCURRENCY_PER_ENDPOINT',
    group: 'webhooks',
    kind: int(1, 1000),
    default: '16',
    description: 'Default `max_in_flight` of a webhook: its delivery attempts in flight at once, at most 64.',
  }),
  webhookDevAllow: setting({
    name: 'POSTERN_WEBHOOK_DEV_ALLOW',
    group: 'webhooks',
    kind: list(
      'must be a list of addresses, ranges or host names, such as 127.0.0.0/8,host.docker.internal',
      (entry) => isRange(entry) || isHostName(entry),
    ),
    default: '',
    description: 'Addresses that webhooks may reach although they use http or are private. Not allowed in production.',
  }),
  relayAllow: setting({
    name: 'POSTERN_RELAY_ALLOW',
    group: 'webhooks',
    kind: list(
      'must be a list of host names, such as chatwoot,n8n.internal',
      (entry) => isHostName(entry) && !isRange(entry),
    ),
    default: '',
    description: 'Hosts of tools in your own network, which callbacks may reach over http and at private addresses.',
  }),
  webhookCaFile: optional({
    name: 'POSTERN_WEBHOOK_CA_FILE',
    group: 'webhooks',
    kind: path(),
    unset: 'public authorities only',
    description: 'Certificates (PEM) trusted for webhooks in addition to the public authorities.',
  }),
  webhookEgressProxy: optional({
    name: 'POSTERN_WEBHOOK_EGRESS_PROXY',
    group: 'webhooks',
    kind: url({ credentials: true }),
    secret: true,
    unset: 'direct connections',
    description: 'Proxy for outgoing webhook deliveries, links, and downloads from WhatsApp media hosts.',
  }),

  operatorCallbackUrl: optional({
    name: 'POSTERN_OPERATOR_CALLBACK_URL',
    group: 'webhooks',
    kind: string('must be an address that begins with https://', /^https?:\/\/[^\s#]+$/),
    secret: true,
    unset: 'no callbacks',
    description:
      'Receives a POST when a webhook of any account is failing or was disabled. Public, or listed in POSTERN_WEBHOOK_DEV_ALLOW.',
  }),
  operatorCallbackSecret: optional({
    name: 'POSTERN_OPERATOR_CALLBACK_SECRET',
    group: 'webhooks',
    kind: string(secretAdvice, new RegExp(secretPattern)),
    secret: true,
    unset: 'no signature',
    description: 'Signs the requests to POSTERN_OPERATOR_CALLBACK_URL, like the secret of a webhook.',
  }),

  jobLeaseMs: setting({
    name: 'POSTERN_JOB_LEASE_MS',
    group: 'webhooks',
    kind: int(100, 3_600_000),
    default: '60000',
    description:
      'Milliseconds after which other processes take over the webhook deliveries of a process that died. Must be longer than an attempt. Jobs and callbacks renew their lease while they run, and are taken over after at most 15 s.',
  }),

  logLevel: setting({
    name: 'POSTERN_LOG_LEVEL',
    flag: 'log-level',
    group: 'observation',
    kind: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    default: 'info',
    description: 'Minimum level of log lines.',
  }),
  logFormat: setting({
    name: 'POSTERN_LOG_FORMAT',
    flag: 'log-format',
    group: 'observation',
    kind: oneOf('auto', 'json', 'pretty'),
    default: 'auto',
    description: '`auto` is `pretty` on a terminal and `json` everywhere else.',
  }),
  requestLog: setting({
    name: 'POSTERN_REQUEST_LOG',
    group: 'observation',
    kind: oneOf('all', 'refused', 'off'),
    default: 'refused',
    description:
      "Which API calls appear in the console's request log and in `postern logs tail`: `refused` keeps rejected requests and sends.",
  }),
  otelEndpoint: optional({
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'observation',
    kind: url({ credentials: false }),
    unset: 'no tracing',
    description:
      'OTLP/HTTP collector of traces: requests (continuing `traceparent`), sends, commits, webhook attempts.',
  }),
  otelServiceName: setting({
    name: 'OTEL_SERVICE_NAME',
    group: 'observation',
    kind: string('must be 1 to 100 visible characters', /^[\x21-\x7e]{1,100}$/),
    default: 'postern',
    description: 'Name of this service in traces.',
  }),
} as const

export const groupTitles = {
  process: 'Process',
  addresses: 'Addresses and HTTP',
  data: 'Data',
  tokens: 'Access tokens',
  people: 'People',
  channel: 'Channel',
  webhooks: 'Webhooks',
  observation: 'Logs and tracing',
} as const

export type Environment = 'development' | 'production'
export type SettingKey = keyof typeof settings

export type Setting<Value> = RequiredSetting<Value> | OptionalSetting<Value>

/** The type of a row in `Config`: the value of its kind, or null if an optional setting is not set. */
export type ValueOf<Row> =
  Row extends OptionalSetting<infer Value> ? Value | null : Row extends RequiredSetting<infer Value> ? Value : never

/** Defaults are written as an operator would write them, so that the kind reads and the documentation prints them. */
type RequiredSetting<Value> = Row<Value> & { readonly default: string | { readonly [E in Environment]: string } }
type OptionalSetting<Value> = Row<Value> & { readonly default: null; readonly unset: string }

type Row<Value> = {
  readonly name: string
  /** `--flag` on the command line. Secrets have none: other users of the machine can read command lines. */
  readonly flag?: string
  readonly group: keyof typeof groupTitles
  readonly kind: Kind<Value>
  /** Never shown, never in an error message, and readable from the file named by `<name>_FILE`. */
  readonly secret?: true
  readonly description: string
}

function setting<Value>(row: RequiredSetting<Value>): RequiredSetting<Value> {
  return row
}

function optional<Value>(row: Omit<OptionalSetting<Value>, 'default'>): OptionalSetting<Value> {
  return { ...row, default: null }
}
