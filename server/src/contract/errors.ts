/**
 * Every refusal of the API, once. The HTTP answer, the enum in OpenAPI, the SDK's union and docs/errors.md all come from
 * this table. `title` says what happened, `help` what to do about it. A code is never renamed inside v1.
 */
export type ErrorType =
  | 'invalid_request'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'rate_limit'
  | 'channel'
  | 'server'

/** The closed status table of the specification: nothing under /v1 ever answers another error status. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 429 | 500

export type ErrorRow = {
  readonly status: ErrorStatus
  readonly type: ErrorType
  readonly retryable: boolean
  readonly title: string
  readonly help: string
}

const rowOf =
  (status: ErrorStatus, type: ErrorType, retryable = false) =>
  (title: string, help: string): ErrorRow => ({ status, type, retryable, title, help })
const invalid = rowOf(400, 'invalid_request')
const channel = rowOf(400, 'channel')
const unauthorized = rowOf(401, 'authentication')
const forbidden = rowOf(403, 'permission')
const blocked = rowOf(403, 'channel')
const missing = rowOf(404, 'not_found')
const limited = rowOf(429, 'rate_limit', true)
const server = (retryable: boolean, title: string, help: string) => rowOf(500, 'server', retryable)(title, help)
const later = (base: ErrorRow): ErrorRow => ({ ...base, retryable: true })

export const errorTable = {
  validation_failed: invalid(
    'One or more fields are invalid.',
    'Read `details`: each entry names a field, the problem, and the expected format.',
  ),
  malformed_json: invalid(
    'The body is not one valid JSON object.',
    'Send one JSON object in UTF-8, without duplicate keys, without U+0000 or unpaired surrogates, at most 16 levels deep.',
  ),
  malformed_request: invalid(
    'The HTTP request itself is damaged.',
    'Check the request line, the headers and that the whole body arrives. A proxy in between is a common cause.',
  ),
  unsupported_media_type: invalid(
    'This endpoint does not support the `Content-Type`.',
    'Send `Content-Type: application/json`; uploads use `multipart/form-data`.',
  ),
  unsupported_content_encoding: invalid(
    'The body is compressed; this API accepts uncompressed bodies only.',
    'Send the body without compression and without the `Content-Encoding` header.',
  ),
  payload_too_large: invalid(
    'The body is larger than this endpoint accepts.',
    'JSON bodies can have up to 256 KiB. Use the media upload for large files.',
  ),
  invalid_cursor: invalid(
    'The cursor is unknown, expired, belongs to other filters, or was created before the data was restored from a backup.',
    'If the message names filters, repeat them as they were; otherwise start again without `cursor`. To restart the event feed, pass `since` with the time of the last event you have.',
  ),
  invalid_date_range: invalid(
    'The time range is invalid.',
    '`from` must be before `to`. A range may cover at most 31 days by hour, 366 days by day, or 36 months by month.',
  ),
  rate_card_invalid: invalid(
    'The rate card could not be read; nothing was imported.',
    "Read `details`: each entry names a line of the file and the problem. Import Meta's CSV file unchanged.",
  ),
  budget_exceeded: invalid(
    'A budget is used up; nothing was sent.',
    'The message names the budget and when its next period starts. Raise its limit with `PUT /v1/chat/budgets/{budget_id}` or in the console under Costs, or send again in the next period.',
  ),
  budget_needs_rates: invalid(
    'There is no rate card in the currency of the budget.',
    'Import the rate card of the currency in which Meta bills one of your numbers, then set the budget: `postern rates import`, or Settings, Rate cards in the console.',
  ),
  budget_not_found: missing('There is no budget with this id.', 'List the budgets with `GET /v1/chat/budgets`.'),
  budget_limit_reached: invalid('The account has 20 budgets.', 'Delete one that is no longer needed.'),
  rate_card_not_found: missing(
    'There is no rate card in use with this id.',
    'List the rate cards. To remove one that the operator imported for all accounts, use `postern rates remove`.',
  ),
  idempotency_key_invalid: invalid(
    'The `Idempotency-Key` is invalid.',
    'Use 1 to 255 visible ASCII characters, for example a UUID or your order number.',
  ),
  idempotency_key_reused: invalid(
    'This `Idempotency-Key` was used with another body.',
    'Use a new key for a new request, or repeat the first body exactly.',
  ),
  idempotency_in_progress: limited(
    'The first request with this `Idempotency-Key` is still running.',
    'Wait `Retry-After` seconds and repeat the same request with the same key.',
  ),
  concurrent_change: invalid(
    'Someone else changed the same object at the same time.',
    'Read the object again, then apply your change to its current version.',
  ),
  two_factor_already_on: invalid(
    'Two-factor sign-in is already on, or its setup was restarted in another window.',
    'To move to another phone, turn it off and on again.',
  ),
  two_factor_not_on: invalid('Two-factor sign-in is not on.', 'Turn it on in the console under Settings, Security.'),
  api_key_revoked: invalid('The API key is revoked and can no longer be changed.', 'Create a new API key.'),
  message_not_inbound: invalid(
    'Only a message from a customer can be marked as read.',
    'Use the `message_id` of a `message.received` event.',
  ),
  message_not_resendable: invalid(
    'The message cannot be sent again.',
    'Only messages that you sent can be sent again, and only while their content is stored. Send a new message.',
  ),
  message_not_cancelable: invalid(
    'Only a waiting message can be canceled, and this one is no longer waiting.',
    'Check its `status`. A message cannot be recalled once Meta was called.',
  ),
  message_expired: invalid(
    'The message could not be sent before its `expires_at`.',
    '`waiting_for` says why it waited. If it is still needed, send a new message, with a longer `valid_for` if it can wait longer.',
  ),
  broadcast_state: invalid(
    'The state of the broadcast does not allow this.',
    'The message names the state and what is possible in it.',
  ),
  broadcast_empty: invalid('The broadcast has no recipients.', 'Upload recipients first.'),
  broadcast_too_large: invalid(
    'The broadcast has more recipients than the plan allows.',
    'Split the recipients among several broadcasts, or ask the operator of this gateway for another plan.',
  ),
  broadcast_changed: invalid(
    'The number of recipients differs from the one in the request.',
    'Read the broadcast again, and start it with its current number of recipients.',
  ),
  cost_limit_exceeded: invalid(
    'The broadcast would cost more than `max_cost`, or its cost cannot be estimated.',
    'Read `GET /v1/chat/broadcasts/{broadcast_id}/estimate`. Without a rate card there is no amount.',
  ),
  upload_in_progress: later(
    invalid(
      'Recipients are being uploaded to this broadcast.',
      'Wait until the upload has finished. An interrupted upload ends after a minute.',
    ),
  ),
  customer_window_closed: channel(
    'The customer last wrote more than 24 hours ago, so only templates can be sent.',
    'Send an approved template, or wait until the customer writes again. A text with a `fallback` template does this automatically.',
  ),
  recipient_unreachable: channel(
    'The recipient is not on WhatsApp or cannot receive messages.',
    'Check the number. Not retryable.',
  ),
  recipient_opted_out: channel(
    'The customer opted out of this kind of message.',
    'Do not send this kind again until the customer opts back in.',
  ),
  recipient_blocked: channel(
    'You blocked this customer, so no messages can be sent to them.',
    'Unblock the customer first: DELETE /v1/chat/blocked/{customer}, or in the console.',
  ),
  block_window_closed: channel(
    'Only a customer who wrote in the last 24 hours can be blocked.',
    'Block the customer when they write again. Meta also returns this error for numbers that are not on WhatsApp.',
  ),
  block_list_full: channel(
    'The block list of the number is full: it has 64,000 customers.',
    'Unblock customers who no longer write; GET /v1/chat/blocked lists them.',
  ),
  recipient_marketing_limited: channel(
    'Meta did not deliver the marketing message, because it limits how many this customer gets.',
    'Do not send it again within 24 hours: Meta restricts accounts that keep trying. Once the customer writes, you can send them a text.',
  ),
  recipient_in_experiment: channel(
    'Meta did not deliver the marketing message, because the customer is part of an experiment.',
    'Do not send it again. Messages of other categories reach the customer.',
  ),
  recipient_country_restricted: channel(
    "Meta does not let this account message customers in the recipient's country.",
    'Check the country and the category of the template; Meta documents the rules of each country.',
  ),
  recipient_is_sender: channel('The recipient is the business number itself.', 'Send to or from another number.'),
  recipient_number_required: channel(
    'This message needs a phone number; Meta does not send it to a user id.',
    "Send it to the customer's phone number, or ask for the number first. This applies to login codes and to templates with a maximum price.",
  ),
  recipient_not_allowed: channel(
    'The business number is a test number and the recipient is not on its allow list.',
    "Add the recipient to the test number's list at Meta, or use a production number.",
  ),
  message_type_not_supported: channel(
    'WhatsApp, the number or this gateway does not support this type of message.',
    'Send another type, for example text with a link, or another template.',
  ),
  thread_owned_elsewhere: channel(
    'Another responder, such as another app or an agent of Meta, handles this conversation. Nothing was sent.',
    'Send a template, which needs no ownership, or wait until the conversation is handed over.',
  ),
  max_price_not_available: channel(
    'Meta does not accept the maximum price of this template here.',
    "Use a template without a maximum price: the endpoint or the recipient's country does not support it.",
  ),
  flow_unavailable: channel(
    'Meta has blocked or throttled the Flow of this message.',
    'Fix the Flow in WhatsApp Manager, or send a message without it. A throttled Flow allows 10 messages an hour.',
  ),
  template_not_approved: channel(
    'The template is not approved.',
    'Wait for the review, or fix the template and submit it again; its `status_reason` says why.',
  ),
  template_paused: channel(
    'Meta paused the template for its quality.',
    'Wait until the pause ends, improve the template, or use another one.',
  ),
  template_disabled: channel(
    'Meta permanently disabled the template.',
    'Create a new template with better content; this one cannot be sent again.',
  ),
  template_syncing: limited(
    'Meta is still preparing the template for its Marketing Messages API. Nothing was sent.',
    'Wait `Retry-After` seconds, usually 10 minutes, and repeat with the same `Idempotency-Key`.',
  ),
  template_parameter_mismatch: invalid(
    'The values do not match the variables of the template.',
    '`details` contains the variables in order and a complete `components` to copy.',
  ),
  template_already_exists: invalid(
    'A template with this name and language exists.',
    'Edit it with PUT, or choose another name.',
  ),
  template_invalid: invalid(
    "The template violates WhatsApp's format rules.",
    '`details` lists each violated rule and its location.',
  ),
  template_locked: invalid(
    'The template cannot be changed in its current state.',
    'An approved template can be edited once a day, a pending one after its review, and a deleted one never.',
  ),
  media_type_not_supported: invalid(
    'WhatsApp does not support this file type.',
    'Images: JPEG, PNG. Documents: PDF, Word, Excel, PowerPoint, plain text. Audio: AAC, AMR, M4A, MP3, OGG (Opus). Video: MP4, 3GP. Stickers: WebP.',
  ),
  media_too_large: invalid(
    'The file is larger than its type allows.',
    'Images 5 MB, audio and video 16 MB, documents 100 MB, stickers 100 KB (animated 500 KB).',
  ),
  media_content_mismatch: invalid(
    'The bytes of the file do not match its declared type.',
    'Upload the file unchanged; its type is detected from its first bytes.',
  ),
  media_link_unreachable: later(
    channel(
      'The file behind `link` could not be fetched.',
      'Make it reachable without a login or redirect to a private address, or upload it and send the `media_id`.',
    ),
  ),
  customer_media_unavailable: channel(
    'WhatsApp could not deliver a file that the customer sent.',
    'Ask the customer to send it again.',
  ),
  webhook_url_not_allowed: invalid(
    'The webhook `url` is not allowed.',
    'Use a public https address without user name, password or fragment. On your own machine use `postern listen`, or for development POSTERN_WEBHOOK_DEV_ALLOW.',
  ),
  webhook_inactive: invalid('The webhook is inactive.', 'Activate it with PUT {"active": true}, then retry or replay.'),
  connection_limit_reached: invalid(
    'The account has reached its limit of connections.',
    'Delete a connection that is no longer used.',
  ),
  connection_secret_not_prepared: invalid(
    'No new app secret has been prepared.',
    'Prepare one, enter it in the tool, then switch.',
  ),
  connection_callback_missing: invalid(
    'The connection has no callback address.',
    'Set one first, with `postern connections callback`.',
  ),
  connection_handshake_failed: invalid(
    'The tool did not complete the handshake for its callback address.',
    'Check the address and the verify token: the tool must respond to the GET with the challenge and nothing else. Then verify again.',
  ),
  conversation_assigned_elsewhere: invalid(
    'The conversation has been assigned to someone else in the meantime.',
    'Read the conversation again. To assign it anyway, pass its current assignee as `if_assignee`.',
  ),
  saved_reply_limit_reached: invalid(
    'The account has 200 saved replies, which is the limit.',
    'Delete saved replies that nobody uses.',
  ),
  webhook_limit_reached: invalid(
    "The account has reached its plan's limit of webhooks.",
    'Delete a webhook that is no longer needed, or subscribe one webhook to several event types.',
  ),
  webhook_verification_failed: later(
    invalid(
      'The receiver did not return the challenge.',
      'Respond to the POST of type `webhook.verification` with status 200 and the value of `challenge` within 10 seconds.',
    ),
  ),
  channel_rejected: channel('Meta rejected the request.', "`upstream` contains Meta's code and message."),
  missing_credentials: unauthorized(
    'The request has no credentials.',
    'Send `Authorization: Bearer <access token>`; POST /v1/auth/token issues one for `api_key` and `api_secret`. Or send both as `Authorization: Basic base64(api_key:api_secret)`.',
  ),
  invalid_credentials: unauthorized(
    'The credentials are wrong: API key and secret, or email and password.',
    'Check both for missing characters. A lost secret cannot be shown again: rotate the key.',
  ),
  two_factor_required: unauthorized(
    'The email and password are correct; the two-factor code is missing.',
    'Repeat the request with `code`: the six digits from your authenticator app, or a recovery code.',
  ),
  two_factor_code_invalid: unauthorized(
    'The two-factor code is wrong or was already used.',
    'Use the current code from your app; each works once. Check that the clock of your phone is correct. A recovery code works too.',
  ),
  setup_link_invalid: unauthorized(
    'The one-time link was already used or has expired.',
    'Ask an owner for a new one under Settings › Members, or the operator: `postern setup-link` for the first owner, `postern users reset-password` for anyone who has signed in before.',
  ),
  api_key_inactive: unauthorized(
    'The API key was revoked or has expired.',
    'Create a new API key in the console or with `postern keys create`.',
  ),
  api_key_not_accepted: unauthorized(
    'An API key or secret was sent instead of an access token.',
    'Exchange key and secret at POST /v1/auth/token and send the access token as bearer, or send both as `Authorization: Basic base64(api_key:api_secret)`.',
  ),
  invalid_token: unauthorized(
    'The access token was not issued by this gateway.',
    'Get a new one at POST /v1/auth/token.',
  ),
  token_expired: unauthorized(
    'The access token has expired.',
    'Refresh it at POST /v1/auth/refresh or get a new one, then repeat the request.',
  ),
  token_revoked: unauthorized(
    'The access token, its chain or its API key was revoked.',
    'Get a new token at POST /v1/auth/token.',
  ),
  token_refresh_window_closed: unauthorized(
    'The token expired too long ago, its chain is older than 30 days, or more than 100 newer tokens were refreshed from it.',
    'Get a new token at POST /v1/auth/token.',
  ),
  token_reused: unauthorized(
    'No longer sent: a token may be refreshed as often as needed.',
    'Get a new token at POST /v1/auth/token.',
  ),
  insufficient_scope: forbidden(
    'The API key, or the access token issued for it, lacks a permission that this call needs.',
    '`required_scope` names it; add it to the key in the console. A token keeps the scopes it was issued with: get a new one afterwards.',
  ),
  number_not_allowed: forbidden(
    'The API key is limited to other numbers.',
    'Use a key that includes this number, or add the number to the key.',
  ),
  insufficient_role: forbidden(
    'Your role in the console does not allow this.',
    '`required_scope` names the permission; ask an owner of the account.',
  ),
  recent_sign_in_required: forbidden(
    'This action needs a password confirmation from the last 5 minutes.',
    'Confirm your password in the console, then repeat the action.',
  ),
  account_switched: forbidden(
    'This page belongs to a different account than the one you are signed in to.',
    'You switched accounts in another tab. Reload the page, or switch back.',
  ),
  two_factor_setup_required: forbidden(
    'The account requires two-factor sign-in, and yours is not set up.',
    'Set it up in the console; the setup opens automatically after you sign in.',
  ),
  password_sign_in_off: forbidden(
    'Password sign-in is turned off.',
    'Use the provider shown on the sign-in page. If it is unavailable, the operator can create a link with `postern users sign-in-link`.',
  ),
  cross_site_request: forbidden(
    'The request comes from another site.',
    "The console's API accepts calls only from the console's own pages, and /v1 does not accept Basic credentials from other sites. Use an access token as bearer.",
  ),
  last_owner: forbidden('An account needs an owner who can sign in.', 'Make someone else an owner first.'),
  signup_not_available: forbidden(
    'This gateway has no app for Embedded Signup.',
    'The operator sets `POSTERN_SHARED_APP_ID`, `POSTERN_SHARED_APP_SECRET` and `POSTERN_SIGNUP_CONFIG_ID`. Or connect with a token.',
  ),
  signup_rejected: forbidden(
    "The signup can't be finished here.",
    'Start it again, and return from Meta in the same browser, signed in as the same user.',
  ),
  sandbox_not_available: forbidden(
    'This gateway does not run a sandbox.',
    'Start the gateway with POSTERN_SANDBOX_LISTEN set. There is no sandbox in production.',
  ),
  ip_not_allowed: forbidden(
    'The API key is not allowed from this address.',
    'Add the address to the allow list of the key, or call from a listed one.',
  ),
  account_suspended: forbidden('The account is suspended.', 'Ask the operator of this gateway.'),
  operator_only_here: forbidden(
    'An operator of the gateway is a member of this account only, and could not sign in without it.',
    'Invite them to another account first, or end their role with `postern operators remove`.',
  ),
  plan_not_sufficient: forbidden(
    'The plan of the account does not include this.',
    'Ask the operator of this gateway for a larger plan. If file storage is the limit, you can also delete files.',
  ),
  channel_not_connected: forbidden(
    'No WhatsApp Business account is connected.',
    'Connect one in the console under Channel; the message has the link. Operators can use `postern channels connect`.',
  ),
  business_not_verified: forbidden(
    'Meta requires a verified business for this.',
    'Finish the business verification in Meta Business settings, under Security Center.',
  ),
  channel_account_restricted: blocked(
    'Meta has locked or restricted the WhatsApp Business account or the number.',
    'Open the account in WhatsApp Manager; the console shows what Meta reported.',
  ),
  channel_spam_limited: blocked(
    'Meta restricts how many messages the number can send, mostly because customers blocked or reported it.',
    'Check the quality and the messaging limit of the number in WhatsApp Manager. Retrying does not help.',
  ),
  channel_utility_limited: blocked(
    'Meta limits the utility messages of this account, because templates had the wrong category.',
    'Correct the categories of the templates; Meta lifts the limit after 7 days at the earliest.',
  ),
  channel_payment_missing: blocked(
    'Meta does not send messages because the payment method of the WhatsApp Business account is missing or was declined.',
    "Add or fix the payment method in Meta's Billing Hub.",
  ),
  channel_payment_terms_missing: blocked(
    'The terms for WhatsApp payments have not been accepted.',
    "Accept them at Meta; the link is in Meta's message under `upstream`.",
  ),
  channel_marketing_not_enabled: blocked(
    "Neither of Meta's two endpoints sends marketing templates for this account.",
    'Finish the onboarding to the Marketing Messages API in WhatsApp Manager, or allow marketing templates on the Cloud API there.',
  ),
  channel_display_name_needed: blocked(
    'Meta has not approved the display name of the number.',
    'Give the number a display name in WhatsApp Manager and wait for its approval.',
  ),
  endpoint_not_found: missing(
    'This path or method does not exist.',
    'Compare with the API reference at /docs/api. Paths have no trailing slash; the `Allow` header lists the methods.',
  ),
  member_not_found: missing('This member does not exist.', 'The members page of the console lists them.'),
  account_not_found: missing(
    'The account does not exist, or you are not a member of it.',
    'Choose one of the accounts in the menu of the console.',
  ),
  session_not_found: missing('This session does not exist.', 'It has already ended; the console lists open sessions.'),
  api_key_not_found: missing('This API key does not exist.', 'The console and `postern keys list` show them.'),
  signup_not_found: missing(
    'The account has no such signup.',
    'Start it again in the console: signups are kept for 7 days.',
  ),
  link_not_found: missing(
    'The number has no such short link.',
    'List the short links of the number: GET /v1/chat/links.',
  ),
  channel_not_found: missing(
    'The account has no such channel or number.',
    'GET /v1/auth/me lists the connected numbers.',
  ),
  customer_not_found: missing(
    'This customer does not exist.',
    'Find the customer by an address: GET /v1/chat/customers?address=…. Erased customers cannot be found.',
  ),
  saved_reply_not_found: missing('This saved reply does not exist.', 'GET /v1/chat/saved-replies lists them.'),
  message_not_found: missing(
    'This message does not exist.',
    'Use a `message_id` that a send returned, percent-encoded.',
  ),
  template_not_found: missing(
    'This template does not exist in this language.',
    '`details` lists the languages the template has. `en` and `en_US` are different.',
  ),
  media_not_found: missing('This file does not exist, was deleted or has expired.', 'Upload the file again.'),
  webhook_not_found: missing('This webhook does not exist.', 'GET /v1/webhooks lists them.'),
  broadcast_not_found: missing('This broadcast does not exist.', 'GET /v1/chat/broadcasts lists them.'),
  upload_not_found: missing('This upload does not exist.', 'The response of the upload has its `upload_id`.'),
  connection_not_found: missing('This connection does not exist.', '`postern connections list` shows them.'),
  delivery_not_found: missing(
    'This delivery does not exist.',
    'GET /v1/webhooks/{webhook_id}/deliveries lists those of the last 14 days.',
  ),
  rate_limit_exceeded: limited(
    'Too many requests in this window.',
    "Wait `Retry-After` seconds. If it is the plan's quota, `limit` names it; every response shows the remaining quota in its headers.",
  ),
  too_many_streams: limited(
    'Too many event streams are open at once.',
    'Close a listening client or page, then try again.',
  ),
  queue_full: limited(
    "The plan's limit of waiting messages is reached.",
    'Wait until some have been sent, or cancel some. Sends without `queue` and `send_at` are not affected.',
  ),
  too_many_attempts: limited(
    'Too many attempts with credentials, mostly failed ones.',
    'Check the key and secret, wait `Retry-After` seconds, then try again.',
  ),
  channel_rate_limited: limited(
    'Meta is rate-limiting this number, or messages to this customer.',
    'Wait `Retry-After` seconds and repeat with the same `Idempotency-Key`.',
  ),
  internal_error: server(
    true,
    'Something went wrong in the gateway.',
    'Try again later. If it happens again, send the request id to the operator.',
  ),
  service_unavailable: server(
    true,
    'The gateway cannot accept the request right now.',
    'Repeat after `Retry-After` seconds with the same `Idempotency-Key`.',
  ),
  sign_in_provider_unavailable: server(
    true,
    'The sign-in provider did not respond.',
    'Try again in a moment. The operator finds the reason in the log, as `oidc.unavailable`.',
  ),
  upstream_unavailable: server(
    true,
    'Meta cannot be reached; nothing was sent.',
    'Repeat later with the same `Idempotency-Key`.',
  ),
  control_outcome_unknown: server(
    false,
    'Meta was called, but did not confirm the new owner of the conversation.',
    'Check the conversation before you try again: another responder may have it.',
  ),
  send_outcome_unknown: server(
    false,
    'Meta was called, but did not confirm the message: it did not respond, or returned an error after which the message may still have been accepted.',
    'Do not repeat the call: the message may have been sent. Look it up by `message_id`; it is resolved when Meta reports its status.',
  ),
  channel_auth_failed: server(
    false,
    "Meta rejects the gateway's access token.",
    'The operator must reconnect the channel.',
  ),
  channel_permission_missing: server(
    false,
    "The gateway's token lacks a permission at Meta, or has no access to the WhatsApp Business account.",
    'The operator must give the system user access to the account and a token with both WhatsApp permissions, then reconnect the channel.',
  ),
  channel_number_gone: server(
    false,
    'The number or its WhatsApp Business account no longer exists at Meta, or the token has no access to it.',
    'The operator must check the number in WhatsApp Manager and give the system user access to its account, then reconnect the channel.',
  ),
  channel_number_not_registered: server(
    false,
    'The number is not registered with the Cloud API.',
    'The operator must register it: `postern channels connect` with its six-digit PIN in `POSTERN_CHANNEL_PIN`.',
  ),
  channel_number_not_verified: server(
    false,
    'Meta requires the number to be verified again before it can be registered.',
    'The operator must verify it by SMS or call in WhatsApp Manager, then reconnect the channel.',
  ),
  channel_pin_rejected: server(
    false,
    'Meta does not accept the two-step verification PIN of the number.',
    'The operator must repeat with the correct PIN, or set a new one in WhatsApp Manager under two-step verification.',
  ),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable
export const errorCodes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]
