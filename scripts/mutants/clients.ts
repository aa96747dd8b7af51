import { type Mutant, mutantsOf } from './mutant.ts'

const throttle = 'sandbox/src/messages/throttle.ts'
const limits = 'sandbox/src/messages/limits.test.ts'
const retry = 'sdk/src/http/retry.ts'
const retryTest = 'sdk/src/http/retry.test.ts'
const token = 'sdk/src/http/token.ts'
const tokenTest = 'sdk/src/http/token.test.ts'
const joinChecks = 'cli/src/processes/supervisor.ts'
const joinChecksTest = 'cli/src/processes/join-checks.test.ts'
const postLocal = 'cli/src/listen/post-local.ts'
const postLocalTest = 'cli/src/listen/post-local.test.ts'
const filter = 'console/src/pages/messages/log-filter.ts'
const filterTest = 'console/src/pages/messages/log-filter.test.ts'

export const clientMutants: readonly Mutant[] = [
  ...mutantsOf('sandbox', [
    [
      'sb5',
      'sandbox/src/messages/post-message.ts',
      'media?.numberId === number.id && media.expiresAtMs',
      'media !== undefined && media.expiresAtMs',
      'sandbox/src/media/media.test.ts',
    ],
    [
      'sb6',
      'sandbox/src/world.ts',
      'nowMs - customer.lastInboundAtMs < WINDOW_MS',
      'nowMs - customer.lastInboundAtMs <= WINDOW_MS',
      'sandbox/src/messages/delivery.test.ts',
    ],
    ['sb7', throttle, '!reached.has(customer) && reached.size >= max', 'reached.size >= max', limits],
    ['sb8', throttle, '    pair.tokens--\n', '', limits],
    [
      'sb9',
      'sandbox/src/messages/delivery.ts',
      'if (template === null && order.direct === null && !inWindow) return 131047\n',
      '',
      'sandbox/src/messages/delivery.test.ts',
    ],
    [
      'sb10',
      'sandbox/src/accounts/auth.ts',
      'if (isOver(platform, token)) throw expiredToken()\n',
      '',
      'sandbox/src/accounts/auth.test.ts',
    ],
  ]),
  ...mutantsOf('sdk', [
    ['sk1', retry, 'failures > maxRetries', 'failures >= maxRetries', retryTest],
    ['sk2', retry, 'if (!error.retryable || ', 'if (', 'sdk/src/http/request.test.ts'],
    ['sk3', token, 'const RENEW_AT_SHARE = 0.8', 'const RENEW_AT_SHARE = 1', tokenTest],
    ['sk4', token, 'this.#pending ??= ', 'this.#pending = ', tokenTest],
    [
      'sk5',
      'sdk/src/http/path.ts',
      'return encodeURIComponent(id)',
      'return encodeURI(id)',
      'sdk/src/http/path.test.ts',
    ],
    [
      'sk6',
      'sdk/src/webhooks/webhooks.ts',
      '  checkAge(timestamp, toleranceSeconds)\n',
      '',
      'sdk/src/webhooks/webhooks.test.ts',
    ],
    [
      'sk7',
      'sdk/src/http/pagination.ts',
      'while (cursor !== undefined)',
      'while (false)',
      'sdk/src/http/pagination.test.ts',
    ],
  ]),
  ...mutantsOf('cli', [
    ['cl1', joinChecks, 'answered === count', 'answered > 0', joinChecksTest],
    ['cl2', joinChecks, 'Math.max(check.duration_ms, known?.duration_ms ?? 0)', 'check.duration_ms', joinChecksTest],
    ['cl3', postLocal, "filter(([name]) => name !== 'set-cookie')", 'filter(() => true)', postLocalTest],
    ['cl4', postLocal, 'const bodyBytesKept = 4_096', 'const bodyBytesKept = 8_192', postLocalTest],
    [
      'cl5',
      'cli/src/output/progress.ts',
      'screen.isTTY === true && !quiet',
      'screen.isTTY === true',
      'cli/src/output/progress.test.ts',
    ],
    [
      'cl6',
      'cli/src/listen/forward-events.ts',
      'if (seen.since === undefined || !isPassing(error)) throw error\n',
      '',
      'cli/src/listen/forward-events.test.ts',
    ],
  ]),
  ...mutantsOf('console', [
    [
      'co6',
      'console/src/pages/home/send-health.ts',
      'Math.max(1, created + notSent)',
      'Math.max(1, created)',
      'console/src/pages/home/send-health.test.ts',
    ],
    [
      'co7',
      'console/src/components/compare.ts',
      'Number(a === null) - Number(b === null)',
      'Number(b === null) - Number(a === null)',
      'console/src/components/compare.test.ts',
    ],
    [
      'co8',
      'console/src/components/relative-time.ts',
      'formatter.format(Math.trunc(seconds / length), unit)',
      'formatter.format(Math.round(seconds / length), unit)',
      'console/src/components/relative-time.test.ts',
    ],
    [
      'co9',
      'console/src/components/window-left.ts',
      'if (left < 1) return',
      'if (left <= 1) return',
      'console/src/components/window-left.test.ts',
    ],
    ['co10', filter, "status !== 'not_sent'", "status !== 'failed'", filterTest],
    ['co11', 'console/src/ask-again.ts', 'if (round.again) query.invalidate()\n', '', 'console/src/ask-again.test.ts'],
  ]),
]
