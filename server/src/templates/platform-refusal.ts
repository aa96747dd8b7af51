import { AppError } from '../contract/app-error.ts'
import { PlatformError, type TemplateRule } from '../platform/platform-error.ts'

/** A call about a template that failed at the platform, as the caller is told; anything else comes through unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  const { code, upstream, retryAfterMs, rule } = error
  // "Unknown" is about sends; a template that may or may not have arrived shows up in the next sync.
  const told = code === 'send_outcome_unknown' ? 'upstream_unavailable' : code
  const detail = upstream.code === null ? '' : ` (platform code ${upstream.code})`
  const retryAfterSeconds = retryAfterMs === undefined ? retrySeconds[told] : Math.ceil(retryAfterMs / 1_000)
  const sentence = (rule && ruleSentences[rule]) ?? sentences[told] ?? 'The platform refused the template.'
  return new AppError(told, `${sentence}${detail}`, {
    upstream,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  })
}

const retrySeconds: Partial<Record<PlatformError['code'], number>> = {
  channel_rate_limited: 60,
  upstream_unavailable: 5,
}

const sentences: Partial<Record<PlatformError['code'], string>> = {
  template_already_exists: 'The platform has a template with this name and language.',
  template_locked: 'The platform does not let this template be changed in its present state.',
  template_invalid: 'The template breaks a rule of the platform that it does not name.',
  template_not_found: 'The platform does not know this template.',
  channel_rate_limited: 'The platform takes no more template changes right now.',
  upstream_unavailable: 'The platform did not answer. If the template arrived there, the next sync will find it.',
  channel_auth_failed: "The platform rejects the gateway's access token. The operator must reconnect the channel.",
  channel_permission_missing:
    "The gateway's token lacks the management permission at Meta. The operator must reconnect the channel.",
}

/** What our own check lets through because only the platform knows it, or measures it differently. */
const ruleSentences: Readonly<Record<TemplateRule, string>> = {
  template_limit:
    'The business account has as many templates as it may have: 250, or 6,000 once it is verified. Delete some first.',
  name_in_deletion:
    'A template of this name was deleted; the platform blocks the name for 30 days. Use another name until then.',
  not_editable:
    'The platform does not let this template be changed now: it is under review, disabled, or was edited too often. An ' +
    'approved one can be edited once in 24 hours and ten times in 30 days, and keeps its category.',
  too_long: 'The platform takes a text of the template for too long.',
  header: 'The platform does not take the header: its format, its variable, or the sample for it.',
  body: 'The platform does not take the body: its variables, their examples, or words that another template has already.',
  footer: 'The platform does not take the footer: at most 60 characters, without variables.',
  buttons: 'The platform does not take the buttons: their kinds, number, order or labels.',
  too_many_variables: 'The platform wants more words of its own in a body with so many variables.',
  variable_at_edge: 'The platform takes no body that starts or ends with a variable.',
}
