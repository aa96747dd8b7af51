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
const throttled = (retryAfterMs: number): Verdict => ({
  ...refused('throttled', 'channel_rate_limited'),
  retryAfterMs,
})

export const rejected = refused('rejected', 'channel_rejected')
export const authFailed = refused('auth', 'channel_auth_failed')
export const notProcessed: Verdict = { kind: 'unreachable', outcome: 'not_sent', code: 'upstream_unavailable' }
export const outcomeUnknown: Verdict = { kind: 'unreachable', outcome: 'unknown', code: 'send_outcome_unknown' }
export const throttledBriefly = throttled(1_000)
const restricted = refused('auth', 'channel_account_restricted')
const permissionMissing = refused('auth', 'channel_permission_missing')
const parameterMismatch = refused('rejected', 'template_parameter_mismatch')
const templateInvalid = refused('rejected', 'template_invalid')
const templatePaused = refused('rejected', 'template_paused')

/** Every `error.code` of the platform we know, and what it means for us. 200 to 299 are added by `verdictOfCode`. */
const verdicts: Readonly<Record<number, Verdict>> = {
  131047: refused('recipient', 'customer_window_closed'),
  131026: refused('recipient', 'recipient_unreachable'),
  131021: refused('recipient', 'recipient_unreachable'),
  137000: refused('recipient', 'recipient_unreachable'),
  131050: refused('recipient', 'recipient_opted_out'),
  130403: refused('recipient', 'recipient_blocked'),
  131030: refused('recipient', 'recipient_not_allowed'),
  131051: refused('rejected', 'message_type_not_supported'),
  131062: refused('rejected', 'message_type_not_supported'),

  132000: parameterMismatch,
  132008: parameterMismatch,
  132012: parameterMismatch,
  132018: parameterMismatch,
  132001: refused('rejected', 'template_not_found'),
  132005: templateInvalid,
  132007: templateInvalid,
  132015: templatePaused,
  132016: templatePaused,

  131052: refused('rejected', 'media_link_unreachable'),
  131053: refused('rejected', 'media_content_mismatch'),

  4: throttled(minuteMs),
  17: throttled(minuteMs),
  32: throttled(minuteMs),
  613: throttled(minuteMs),
  80007: throttled(minuteMs),
  80008: throttled(minuteMs),
  130429: throttledBriefly,
  // One message per 6 s to the same customer.
  131056: throttled(6_000),
  // A quality limit because of blocks and reports: it does not lift within minutes.
  131048: throttled(hourMs),
  131064: throttled(hourMs),
  132069: throttled(hourMs),
  133008: throttled(hourMs),
  133009: throttled(minuteMs),
  133015: throttled(5 * minuteMs),
  133016: throttled(72 * hourMs),

  368: restricted,
  130497: restricted,
  131031: restricted,
  131037: refused('auth', 'channel_display_name_needed'),
  131042: refused('auth', 'channel_payment_missing'),
  131063: restricted,
  134011: restricted,

  0: authFailed,
  3: permissionMissing,
  10: permissionMissing,
  33: authFailed,
  104: authFailed,
  190: authFailed,
  131005: permissionMissing,
  131045: authFailed,
  133000: authFailed,
  133006: refused('auth', 'channel_number_not_verified'),
  133010: refused('auth', 'channel_number_not_registered'),

  // A throughput upgrade of the number: the platform turns everything away for up to a minute.
  131057: throttled(20_000),

  // No page of the platform says that nothing was done. A send that gets one of these may have gone out.
  1: outcomeUnknown,
  2: outcomeUnknown,
  131000: outcomeUnknown,
  131016: outcomeUnknown,
  133004: outcomeUnknown,
  139103: outcomeUnknown,

  100: rejected,
  130472: rejected,
  131008: rejected,
  131009: rejected,
  131041: rejected,
  131049: rejected,
  131055: rejected,
  131060: rejected,
  132068: rejected,
  133005: refused('rejected', 'channel_pin_rejected'),
  134100: rejected,
  134101: rejected,
  134102: rejected,
  135000: rejected,
  136024: rejected,
  139100: rejected,
  139101: refused('rejected', 'block_list_full'),
  // The list changed while it was read page by page.
  139102: refused('rejected', 'invalid_cursor'),
}

/** `error_subcode` under code 100 when a template is created or edited; the other 2388xxx are format rules. */
const templateSubcodes: Readonly<Record<number, Verdict>> = {
  2388019: { ...templateInvalid, rule: 'template_limit' },
  2388023: { ...templateInvalid, rule: 'name_in_deletion' },
  2388024: refused('rejected', 'template_already_exists'),
  2388039: { ...refused('rejected', 'template_locked'), rule: 'not_editable' },
  2388040: { ...templateInvalid, rule: 'too_long' },
  2388047: { ...templateInvalid, rule: 'header' },
  2388060: { ...templateInvalid, rule: 'buttons' },
  2388072: { ...templateInvalid, rule: 'body' },
  2388073: { ...templateInvalid, rule: 'footer' },
  2388293: { ...templateInvalid, rule: 'too_many_variables' },
  2388299: { ...templateInvalid, rule: 'variable_at_edge' },
}

export function verdictOfCode(code: number): Verdict | null {
  return verdicts[code] ?? (code >= 200 && code <= 299 ? permissionMissing : null)
}

export function verdictOfTemplateSubcode(subcode: number): Verdict | null {
  if (Math.floor(subcode / 1_000) !== 2_388) return null
  return templateSubcodes[subcode] ?? templateInvalid
}
