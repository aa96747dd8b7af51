import { minuteMs } from '../../lib/durations.ts'
import { aDayAtMost, httpDateMs, retryAfterMs } from '../../lib/retry-after.ts'
import { listOf, numberOf, objectOf, parseObject } from './lenient-json.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long the platform asks us to stay away, from its usage header or a plain `Retry-After`; undefined if it does not. A
 * date is measured against the answer's own `Date`, so that our clock does not matter.
 */
export function retryAfterMsOf(headers: Headers): number | undefined {
  const usage = fromUsage(single(headers['x-business-use-case-usage']))
  return usage ?? retryAfterMs(headers['retry-after'], httpDateMs(single(headers.date) ?? '')) ?? undefined
}

/** `{"<business id>":[{"call_count":100,"estimated_time_to_regain_access":15}]}`, the last one in minutes. */
function fromUsage(header: string | undefined): number | undefined {
  const usage = header === undefined ? null : parseObject(header)
  if (!usage) return undefined
  const minutes = Object.values(usage)
    .flatMap(listOf)
    .map((entry) => numberOf(objectOf(entry)?.estimated_time_to_regain_access) ?? 0)
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? aDayAtMost(longest * minuteMs) : undefined
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
