import type { FastifyReply } from 'fastify'
import { type QuotaState, secondsUntil, type Window } from '../../access/quota.ts'

/** Both policies in the standard form, and the tighter one in the older form that many clients know. */
export function setQuotaHeaders(reply: FastifyReply, quota: QuotaState, now: number): void {
  if (!quota) return
  const { windows } = quota
  const tightest = windows.reduce((a, b) => (share(b) < share(a) ? b : a))
  reply.headers({
    'ratelimit-policy': windows
      .map(({ policy, quota: q, windowMs }) => `"${policy}";q=${q};w=${windowMs / 1_000}`)
      .join(', '),
    ratelimit: windows
      .map((window) => `"${window.policy}";r=${left(window)};t=${secondsUntil(window.resetsAt, now)}`)
      .join(', '),
    'x-ratelimit-limit': String(tightest.quota),
    'x-ratelimit-remaining': String(left(tightest)),
    'x-ratelimit-reset': String(Math.ceil(tightest.resetsAt / 1_000)),
    'x-ratelimit-policy': tightest.policy,
  })
}

const left = ({ quota, used }: Window): number => Math.max(0, quota - used)
const share = (window: Window): number => left(window) / window.quota
