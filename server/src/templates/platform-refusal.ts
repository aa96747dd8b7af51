import { platformRefusal } from '../channels/ask-platform.ts'
import { PlatformError, type TemplateRule } from '../platform/platform-error.ts'

/** A call about a template that failed at the platform, as the caller is told; anything else comes through unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  const { rule } = error
  return platformRefusal(
    error,
    (code) => (rule && ruleSentences[rule]) ?? sentences[code] ?? 'Meta rejected the template.',
  )
}

const sentences: Partial<Record<PlatformError['code'], string>> = {
  template_already_exists: 'Meta has a template with this name and language.',
  template_locked: 'Meta does not allow changes to this template in its current state.',
  template_invalid: "The template breaks one of Meta's rules; Meta does not say which.",
  template_not_found: 'Meta does not know this template.',
  channel_rate_limited: 'Meta is rate-limiting template changes.',
  upstream_unavailable: 'Meta did not respond. If the template arrived there, the next sync will find it.',
  channel_auth_failed: "Meta rejects the gateway's access token. The operator must reconnect the channel.",
  channel_permission_missing:
    "The gateway's token lacks the management permission at Meta. The operator must reconnect the channel.",
}

/** What our own check lets through because only the platform knows it, or measures it differently. */
const ruleSentences: Readonly<Record<TemplateRule, string>> = {
  template_limit:
    'The WhatsApp Business account has reached its template limit: 250, or 6,000 once it is verified. Delete some first.',
  name_in_deletion:
    'A template of this name was deleted; Meta blocks the name for 30 days. Use another name until then.',
  not_editable:
    'Meta does not allow changes to this template now: it is under review, disabled, or was edited too often. An ' +
    'approved one can be edited once in 24 hours and ten times in 30 days, and keeps its category.',
  too_long: 'Meta says a text of the template is too long.',
  header: 'Meta does not accept the header: its format, its variable, or the sample for it.',
  body: 'Meta does not accept the body: its variables, their examples, or a text that another template already has.',
  footer: 'Meta does not accept the footer: at most 60 characters, without variables.',
  buttons: 'Meta does not accept the buttons: their kinds, number, order or labels.',
  too_many_variables: 'Meta requires more fixed text in a body with this many variables.',
  variable_at_edge: 'Meta accepts no body that starts or ends with a variable.',
}
