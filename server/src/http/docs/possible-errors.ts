import type { ErrorCode } from '../../contract/errors.ts'
import type { Operation } from './document.ts'

type Rule = { codes: readonly ErrorCode[]; when: (operation: Operation) => boolean }

const has = (name: string) => (operation: Operation) =>
  (operation.parameters ?? []).some((parameter) => parameter.name === name)
const named =
  (...ids: string[]) =>
  ({ operationId }: Operation) =>
    ids.includes(operationId)
const withBody = (type: string) => (operation: Operation) => operation.requestBody?.content[type] !== undefined
const withToken = ({ security }: Operation) => security !== undefined
const sends = ({ operationId }: Operation) => operationId.startsWith('send')
const submitsTemplate = named('createTemplate', 'updateTemplate', 'deleteTemplate')
const aboutNumber = named(
  'getProfile',
  'updateProfile',
  'listBlocked',
  'blockCustomers',
  'unblockCustomer',
  'controlConversation',
  'listLinks',
  'createLink',
  'updateLink',
  'deleteLink',
  'getAutomation',
  'setAutomation',
)
const callsMeta = (operation: Operation) =>
  sends(operation) ||
  submitsTemplate(operation) ||
  aboutNumber(operation) ||
  operation.operationId === 'markMessageRead'

const checksBroadcast = named(
  'createBroadcast',
  'updateBroadcast',
  'startBroadcast',
  'resumeBroadcast',
  'copyBroadcast',
  'uploadRecipients',
  'previewBroadcast',
  'testBroadcast',
)
const controlsBroadcast = (one: Operation) =>
  checksBroadcast(one) || named('deleteBroadcast', 'pauseBroadcast', 'cancelBroadcast')(one)

/** The errors that an operation can return. The rules that matter most to callers come first. */
const rules: readonly Rule[] = [
  { codes: ['customer_window_closed'], when: (one) => sends(one) && !named('sendTemplate')(one) },
  {
    codes: [
      'recipient_unreachable',
      'recipient_opted_out',
      'recipient_blocked',
      'recipient_not_allowed',
      'recipient_country_restricted',
      'recipient_is_sender',
      'recipient_number_required',
      'thread_owned_elsewhere',
      'message_type_not_supported',
    ],
    when: sends,
  },
  { codes: ['control_outcome_unknown'], when: named('controlConversation') },
  { codes: ['conversation_assigned_elsewhere'], when: named('assignConversation') },
  { codes: ['saved_reply_limit_reached'], when: named('createSavedReply') },
  { codes: ['saved_reply_not_found'], when: has('saved_reply_id') },
  { codes: ['budget_needs_rates', 'budget_limit_reached', 'api_key_not_found'], when: named('createBudget') },
  { codes: ['budget_not_found'], when: has('budget_id') },
  { codes: ['budget_exceeded'], when: sends },
  { codes: ['block_window_closed', 'block_list_full'], when: named('blockCustomers') },
  { codes: ['link_not_found'], when: has('link_id') },
  { codes: ['customer_not_found'], when: has('customer_id') },
  {
    codes: ['template_not_found', 'template_not_approved', 'template_paused', 'template_disabled'],
    when: named('sendTemplate', 'sendText'),
  },
  {
    codes: [
      'recipient_marketing_limited',
      'recipient_in_experiment',
      'max_price_not_available',
      'template_syncing',
      'channel_utility_limited',
      'channel_marketing_not_enabled',
    ],
    when: named('sendTemplate', 'sendText'),
  },
  { codes: ['flow_unavailable'], when: named('sendTemplate', 'sendText', 'sendInteractive') },
  { codes: ['template_parameter_mismatch'], when: named('sendTemplate', 'sendText', 'previewTemplate') },
  { codes: ['template_already_exists'], when: named('createTemplate') },
  { codes: ['template_invalid', 'template_locked'], when: submitsTemplate },
  { codes: ['template_not_found'], when: has('template_id') },
  {
    codes: ['media_type_not_supported', 'media_too_large', 'media_content_mismatch', 'media_link_unreachable'],
    when: named(
      'sendMedia',
      'sendSticker',
      'sendInteractive',
      'sendTemplate',
      'createTemplate',
      'updateTemplate',
      'updateProfile',
    ),
  },
  { codes: ['media_type_not_supported', 'media_too_large', 'media_content_mismatch'], when: named('uploadMedia') },
  { codes: ['plan_not_sufficient'], when: named('uploadMedia') },
  {
    codes: ['media_not_found'],
    when: (one) => has('media_id')(one) || sends(one) || named('createTemplate', 'updateProfile')(one),
  },
  { codes: ['message_not_found'], when: (one) => has('message_id')(one) && one.tags[0] === 'Messages' },
  { codes: ['message_not_found'], when: sends },
  { codes: ['message_not_cancelable', 'number_not_allowed'], when: named('cancelMessage') },
  { codes: ['queue_full'], when: sends },
  { codes: ['message_not_inbound'], when: named('markMessageRead') },
  { codes: ['webhook_url_not_allowed'], when: named('createWebhook', 'updateWebhook') },
  { codes: ['webhook_limit_reached'], when: named('createWebhook') },
  { codes: ['webhook_inactive'], when: named('testWebhook', 'retryDelivery', 'replayDeliveries') },
  {
    codes: ['webhook_verification_failed'],
    when: named('verifyWebhook', 'testWebhook', 'retryDelivery', 'replayDeliveries'),
  },
  { codes: ['webhook_not_found'], when: has('webhook_id') },
  { codes: ['broadcast_not_found'], when: has('broadcast_id') },
  { codes: ['upload_not_found'], when: has('upload_id') },
  { codes: ['broadcast_state', 'upload_in_progress', 'broadcast_empty'], when: controlsBroadcast },
  { codes: ['broadcast_changed', 'cost_limit_exceeded'], when: named('startBroadcast') },
  { codes: ['broadcast_too_large'], when: named('createBroadcast', 'uploadRecipients', 'copyBroadcast') },
  { codes: ['number_not_allowed', 'concurrent_change'], when: (one) => one.tags[0] === 'Broadcasts' },
  {
    codes: [
      'template_not_found',
      'template_not_approved',
      'template_paused',
      'template_disabled',
      'template_parameter_mismatch',
    ],
    when: checksBroadcast,
  },
  { codes: ['channel_not_connected'], when: checksBroadcast },
  { codes: ['delivery_not_found'], when: (one) => has('delivery_id')(one) || named('reportForwarded')(one) },
  {
    codes: ['invalid_date_range'],
    when: named('getAnalytics', 'listMessages', 'listEvents', 'listDeliveries', 'replayDeliveries'),
  },
  { codes: ['too_many_streams'], when: named('listenToEvents') },
  { codes: ['invalid_cursor'], when: has('cursor') },
  { codes: ['channel_not_connected'], when: callsMeta },
  { codes: ['number_not_allowed'], when: sends },
  { codes: ['channel_rejected', 'channel_account_restricted'], when: aboutNumber },
  {
    codes: [
      'channel_rejected',
      'channel_account_restricted',
      'channel_spam_limited',
      'channel_payment_missing',
      'channel_payment_terms_missing',
      'channel_display_name_needed',
      'channel_number_gone',
      'channel_number_not_registered',
      'channel_number_not_verified',
      'business_not_verified',
      'send_outcome_unknown',
    ],
    when: sends,
  },
  {
    codes: ['channel_rate_limited', 'channel_auth_failed', 'channel_permission_missing', 'upstream_unavailable'],
    when: callsMeta,
  },
  {
    codes: ['idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_in_progress'],
    when: has('Idempotency-Key'),
  },
  { codes: ['malformed_json'], when: withBody('application/json') },
  {
    codes: ['payload_too_large', 'unsupported_media_type', 'unsupported_content_encoding'],
    when: ({ requestBody }) => requestBody !== undefined,
  },
  { codes: ['validation_failed', 'malformed_request'], when: () => true },
  { codes: ['invalid_credentials', 'too_many_attempts'], when: () => true },
  { codes: ['missing_credentials', 'api_key_inactive', 'ip_not_allowed', 'account_suspended'], when: () => true },
  {
    codes: ['invalid_token', 'token_expired', 'token_revoked', 'api_key_not_accepted', 'cross_site_request'],
    when: withToken,
  },
  { codes: ['token_refresh_window_closed', 'token_reused'], when: named('refreshToken') },
  {
    codes: ['insufficient_scope'],
    when: (one) => one['x-scope'] !== undefined || named('createToken', 'getMedia', 'getMediaContent')(one),
  },
  { codes: ['rate_limit_exceeded'], when: (one) => one['x-counts-against-plan'] === true },
  { codes: ['internal_error', 'service_unavailable'], when: () => true },
]

export function possibleErrors(operation: Operation): ErrorCode[] {
  return [...new Set(rules.filter(({ when }) => when(operation)).flatMap(({ codes }) => codes))]
}
