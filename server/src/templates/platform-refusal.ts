import { AppError } from '../contract/app-error.ts'
import { PlatformError } from '../platform/platform-error.ts'

/** A call about a template that failed at the platform, as the caller is told; anything else comes through unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  const { code, upstream, retryAfterMs } = error
  // "Unknown" is about sends; a template that may or may not have arrived shows up in the next sync.
  const told = code === 'send_outcome_unknown' ? 'upstream_unavailable' : code
  const detail = upstream.code === null ? '' : ` (platform code ${upstream.code})`
  const retryAfterSeconds = retryAfterMs === undefined ? retrySeconds[told] : Math.ceil(retryAfterMs / 1_000)
  return new AppError(told, `${sentences[told] ?? 'The platform refused the template.'}${detail}`, {
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
  template_not_found: 'The platform does not know this template.',
  channel_rate_limited: 'The platform takes no more template changes right now.',
  upstream_unavailable: 'The platform did not answer. If the template arrived there, the next sync will find it.',
  channel_auth_failed: "The platform rejects the gateway's access token. The operator must reconnect the channel.",
}
