import { hourMs, minuteMs } from '../../lib/durations.ts'
import type { PlatformErrorCode, PlatformErrorKind, PlatformOutcome, TemplateRule } from '../platform-error.ts'

export type Verdict = {
  kind: PlatformErrorKind
  outcome: PlatformOutcome
  code: PlatformErrorCode
  /** The wait this code asks for when the answer names none. */
  retryAfterMs?: number
  rule?: TemplateRule
}

const refused = (kind: PlatformErrorKind, code: PlatformErrorCode): Verdict => ({ kind, outcome: 'refused', code })
const wait = (retryAfterMs: number, code: PlatformErrorCode = 'channel_rate_limited'): Verdict => ({
  ...refused('throttled', code),
  retryAfterMs,
})
const about = (code: PlatformErrorCode) => refused('recipient', code)
const account = (code: PlatformErrorCode) => refused('auth', code)
const request = (code: PlatformErrorCode) => refused('rejected', code)

export const rejected = request('channel_rejected')
export const authFailed = account('channel_auth_failed')
export const notProcessed: Verdict = { kind: 'unreachable', outcome: 'not_sent', code: 'upstream_unavailable' }
export const outcomeUnknown: Verdict = { kind: 'unreachable', outcome: 'unknown', code: 'send_outcome_unknown' }
const restricted = account('channel_account_restricted')
export const permissionMissing = account('channel_permission_missing')
const notRegistered = account('channel_number_not_registered')
const paymentMissing = account('channel_payment_missing')
const marketingNotEnabled = account('channel_marketing_not_enabled')
const mismatch = request('template_parameter_mismatch')
const templateInvalid = request('template_invalid')
const locked = request('template_locked')

export type FailureRow = readonly [code: number, meaning: string, verdict: Verdict]

const otherGroupCodes = [131201, 131202, 131203, 131205, 131206, 131209, 131210, 131212, 131213].map(
  (code): FailureRow => [code, 'A call about a group failed', rejected],
)

/**
 * Every `error.code` of the platform we know, what it means there, and what it means for us. The sources are Meta's page
 * "Error codes" of 11 September 2026 and the pages of each feature. 201 to 299 are added by `verdictOfCode`.
 */
export const failureRows: readonly FailureRow[] = [
  [0, 'The app user cannot be authenticated', authFailed],
  [3, 'Capability or permission missing', permissionMissing],
  [10, 'Permission not granted, or not eligible for this API', permissionMissing],
  [33, 'The business number or account was deleted, or the token cannot see it', account('channel_number_gone')],
  [104, 'Token missing', authFailed],
  [190, 'Token expired or invalid', authFailed],
  [200, 'No token given', authFailed],
  [131005, 'Permission missing', permissionMissing],

  // No page of the platform says that nothing was done. A send that gets one of these may have gone out.
  [1, 'Invalid request or server error', outcomeUnknown],
  [2, 'Temporary downtime or overload', outcomeUnknown],
  [131000, 'Unknown error', outcomeUnknown],
  [131016, 'Service temporarily unavailable', outcomeUnknown],
  [133004, 'Server temporarily unavailable', outcomeUnknown],
  [139103, 'Internal error of the block list', outcomeUnknown],

  [4, 'Limit of calls of the app', wait(minuteMs)],
  [17, 'Limit of calls of the user', wait(minuteMs)],
  [32, 'Limit of calls of the page', wait(minuteMs)],
  [613, 'Limit of calls of this kind', wait(minuteMs)],
  [80007, 'Limit of calls of the WhatsApp Business account', wait(minuteMs)],
  [80008, 'Limit of calls of the WhatsApp Business account', wait(minuteMs)],
  [130429, 'Throughput of the number reached', wait(1_000)],
  // One message per 6 s to the same customer.
  [131056, 'Too many messages to this customer', wait(6_000)],
  // A throughput upgrade of the number: the platform turns everything away for up to a minute.
  [131057, 'Number in maintenance for up to a minute', wait(20_000)],
  [131208, 'Too many groups in a short time', wait(minuteMs)],
  [133008, 'Too many wrong PINs', wait(hourMs)],
  [133009, 'PINs tried too fast', wait(minuteMs)],
  [133015, 'Registered again too soon after deregistering', wait(5 * minuteMs)],
  [133016, 'Registered or deregistered too often', wait(72 * hourMs)],
  [134101, 'The template is still being synchronised', wait(10 * minuteMs, 'template_syncing')],

  [100, 'Parameter unsupported or misspelt', rejected],
  [130403, 'You blocked this customer', about('recipient_blocked')],
  [130472, 'The customer is part of an experiment', about('recipient_in_experiment')],
  [130497, 'Customers in this country may not be messaged', about('recipient_country_restricted')],
  [131008, 'Parameter missing', rejected],
  [131009, 'Parameter invalid', rejected],
  [131021, 'Recipient and sender are the same number', about('recipient_is_sender')],
  [131026, 'Not on WhatsApp, terms not accepted, or an old app', about('recipient_unreachable')],
  [131030, 'Not on the list of the test number', about('recipient_not_allowed')],
  [131047, 'More than 24 hours since the customer wrote', about('customer_window_closed')],
  [
    131049,
    'Not delivered, because of the limit of marketing messages per person',
    about('recipient_marketing_limited'),
  ],
  [131050, 'The customer stopped marketing messages', about('recipient_opted_out')],
  [131051, 'Type of message unsupported', request('message_type_not_supported')],
  [131052, 'A file that the customer sent cannot be downloaded', request('customer_media_unavailable')],
  [131053, 'The file cannot be uploaded', request('media_content_mismatch')],
  [131055, 'Only marketing templates on this endpoint', rejected],
  [131060, 'Message of the customer not available to companion devices', rejected],
  [131061, 'A template with a maximum price on the wrong endpoint', request('max_price_not_available')],
  [131062, 'A user id is not possible for this message', request('recipient_number_required')],
  [131065, 'No maximum price in the country of the customer', request('max_price_not_available')],
  [131070, 'Another responder owns the thread', request('thread_owned_elsewhere')],
  [135000, 'Unknown error with your parameters', rejected],
  [136024, 'Number cannot be verified now', rejected],
  [137000, "The customer's identity key differs", rejected],

  [368, 'Account restricted for policy violations', restricted],
  [131031, 'Account locked, or data such as the PIN does not match', restricted],
  [131037, 'Number without an approved display name', account('channel_display_name_needed')],
  [131042, 'Payment method missing, or no funds', paymentMissing],
  [131044, 'Payment method missing for calls', paymentMissing],
  [131045, 'Number not registered correctly', notRegistered],
  [131048, 'Messages of the number restricted, mostly after blocks and reports', account('channel_spam_limited')],
  [131063, 'Marketing templates are turned off on this endpoint', marketingNotEnabled],
  [131064, 'Limit after misclassified templates', account('channel_utility_limited')],
  [133000, 'An earlier deregistration failed', notRegistered],
  [133005, 'PIN wrong', request('channel_pin_rejected')],
  [133006, 'Number must be verified first', account('channel_number_not_verified')],
  [133010, 'Number not registered', notRegistered],
  [134011, 'Terms of payments not accepted', account('channel_payment_terms_missing')],
  [134100, 'Only marketing templates on this endpoint', rejected],
  [134102, 'Not eligible for the Marketing Messages API', marketingNotEnabled],

  [132000, 'Number of values differs from the template', mismatch],
  [132001, 'Template missing in this language, or not approved', request('template_not_found')],
  [132005, 'Text too long with its values', templateInvalid],
  [132007, 'Content breaks a policy', templateInvalid],
  [132008, 'Format of a value differs from the template', mismatch],
  [132012, 'Format of a value differs from the template', mismatch],
  [132015, 'Template paused for its quality', request('template_paused')],
  [132016, 'Template permanently disabled', request('template_disabled')],
  [132018, 'Values of the template invalid', mismatch],
  [132021, 'Name of a direct send taken by a template', request('template_already_exists')],
  [132068, 'Flow blocked', request('flow_unavailable')],
  [132069, 'Flow limited to 10 messages an hour', request('flow_unavailable')],

  [131020, 'Group with one member', rejected],
  [131041, 'Group not found', rejected],
  [131059, 'Cursor of a list of groups invalid', request('invalid_cursor')],
  ...otherGroupCodes,
  [131204, 'Group full', rejected],
  [131207, 'Group suspended', rejected],
  [131211, 'Too many groups', rejected],
  [131214, 'Creating groups is paused', rejected],
  [131215, 'Number not eligible for groups', rejected],
  [138000, 'Calls are turned off', rejected],
  [138001, 'Customer cannot be called', rejected],
  [138002, 'Too many calls at once', rejected],
  [138003, 'A call is under way', rejected],
  [138004, 'Call cannot be connected', rejected],
  [138005, 'Limit of calls', rejected],
  [138006, 'Customer has not permitted calls', rejected],
  [138007, 'Call timed out', rejected],
  [138009, 'Limit of requests for permission', rejected],
  [138012, 'Limit of calls', rejected],
  [138013, 'Limit of status reads', rejected],
  [138018, 'Prerequisites of calls missing', rejected],
  [138038, 'Not the responder for calls', rejected],
  [139000, 'Flow failed its integrity check', rejected],
  [139001, 'Flow cannot be updated', rejected],
  [139002, 'Flow cannot be published', rejected],
  [139003, 'Flow cannot be deprecated', rejected],
  [139004, 'Flow cannot be deleted', rejected],
  [139100, 'Some customers could not be blocked', rejected],
  [139101, 'Block list full', request('block_list_full')],
  // The list changed while it was read page by page.
  [139102, 'Block list changed meanwhile', request('invalid_cursor')],
  [147001, 'Username taken', rejected],
  [147002, 'Username needs a higher messaging limit', rejected],
  [147003, 'Username needs a linked Page', rejected],
  [147004, 'Username needs a linked Instagram account', rejected],
  [147005, 'Username in use on another of your numbers', rejected],
  [200005, 'Template insights not available', rejected],
  [200006, 'Template insights cannot be turned off', rejected],
  [200007, 'Template insights not turned on', rejected],
  [1752041, 'Marketing Messages API requested already', rejected],
  [2046, 'Status of a payment cannot change like this', rejected],
  [2047, 'A paid order cannot be canceled', rejected],
  [2494100, 'Number in maintenance', rejected],
  [2494191, 'Thread cannot be taken by this responder', rejected],
  [2593107, 'Synchronised already', rejected],
  [2593108, 'Too late to synchronise', rejected],
  [2593109, 'The business does not share its history', rejected],

  [2388012, 'Number cannot be migrated', rejected],
  [2388019, 'Too many templates', { ...templateInvalid, rule: 'template_limit' }],
  [2388023, 'A template of this name is being deleted', { ...templateInvalid, rule: 'name_in_deletion' }],
  [2388024, 'Template exists already', request('template_already_exists')],
  [2388039, 'Template cannot be edited now', { ...locked, rule: 'not_editable' }],
  [2388040, 'Part of a template too long', { ...templateInvalid, rule: 'too_long' }],
  [2388047, 'Header of a template invalid', { ...templateInvalid, rule: 'header' }],
  [2388060, 'Buttons of a template invalid', { ...templateInvalid, rule: 'buttons' }],
  [2388072, 'Body of a template invalid', { ...templateInvalid, rule: 'body' }],
  [2388073, 'Footer of a template invalid', { ...templateInvalid, rule: 'footer' }],
  [2388091, 'Number cannot be migrated', rejected],
  [2388093, 'Number cannot be migrated', rejected],
  [2388103, 'Number cannot be migrated', rejected],
  [2388293, 'Too many variables for the text', { ...templateInvalid, rule: 'too_many_variables' }],
  [2388299, 'Variable at the start or end', { ...templateInvalid, rule: 'variable_at_edge' }],
  [2388318, 'Template of a direct send cannot be edited', locked],
  [2388330, 'Template of a direct send cannot be deleted', locked],
]

const verdicts: ReadonlyMap<number, Verdict> = new Map(failureRows.map(([code, , verdict]) => [code, verdict]))

/**
 * Templates have their codes both as `code` and as `error_subcode` under 100; those that are not listed are format rules.
 */
export function verdictOfCode(code: number): Verdict | null {
  const known = verdicts.get(code) ?? (code > 200 && code <= 299 ? permissionMissing : null)
  return known ?? (isTemplateRule(code) ? templateInvalid : null)
}

export function verdictOfTemplateSubcode(subcode: number): Verdict | null {
  return isTemplateRule(subcode) ? verdictOfCode(subcode) : null
}

function isTemplateRule(code: number): boolean {
  return Math.floor(code / 1_000) === 2_388
}

/** Who can resolve a failure; `nobody` if it resolves automatically or never. */
export type Actor = 'caller' | 'operator' | 'customer' | 'nobody'

export const actorOf: Readonly<Record<PlatformErrorCode, Actor>> = {
  customer_window_closed: 'caller',
  recipient_unreachable: 'caller',
  recipient_opted_out: 'customer',
  recipient_blocked: 'caller',
  recipient_not_allowed: 'operator',
  recipient_marketing_limited: 'nobody',
  recipient_in_experiment: 'nobody',
  recipient_country_restricted: 'nobody',
  recipient_is_sender: 'caller',
  recipient_number_required: 'caller',
  block_window_closed: 'customer',
  block_list_full: 'caller',
  invalid_cursor: 'caller',
  message_type_not_supported: 'caller',
  thread_owned_elsewhere: 'caller',
  max_price_not_available: 'caller',
  flow_unavailable: 'caller',
  template_parameter_mismatch: 'caller',
  template_not_found: 'caller',
  link_not_found: 'caller',
  template_not_approved: 'caller',
  template_invalid: 'caller',
  template_paused: 'caller',
  template_disabled: 'caller',
  template_syncing: 'nobody',
  template_already_exists: 'caller',
  template_locked: 'caller',
  media_link_unreachable: 'caller',
  media_content_mismatch: 'caller',
  media_too_large: 'caller',
  media_not_found: 'caller',
  customer_media_unavailable: 'customer',
  channel_rate_limited: 'nobody',
  channel_rejected: 'caller',
  channel_account_restricted: 'operator',
  channel_spam_limited: 'operator',
  channel_utility_limited: 'operator',
  channel_auth_failed: 'operator',
  channel_permission_missing: 'operator',
  channel_number_gone: 'operator',
  channel_number_not_registered: 'operator',
  channel_number_not_verified: 'operator',
  channel_pin_rejected: 'operator',
  channel_display_name_needed: 'operator',
  channel_payment_missing: 'operator',
  channel_payment_terms_missing: 'operator',
  channel_marketing_not_enabled: 'operator',
  upstream_unavailable: 'nobody',
  send_outcome_unknown: 'nobody',
}
