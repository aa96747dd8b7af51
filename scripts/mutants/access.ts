import { type Mutant, mutantsOf } from './mutant.ts'

const matrix = 'test/console/console-tenants.test.ts'
const matrixOfV1 = 'test/access/access-matrix.test.ts'
const tokens = 'server/src/store/accounts/tokens.ts'
const refresh = 'server/src/access/tokens/refresh-token.test.ts'
const checkToken = 'server/src/access/tokens/check-token.ts'
const auth = 'server/src/http/v1/auth.test.ts'
const attempts = 'server/src/limits/sign-in.ts'
const attemptsTest = 'server/src/limits/attempts.test.ts'
const quota = 'server/src/limits/quota.ts'
const memoryGate = 'server/src/limits/quota-memory.ts'
const gate = 'server/src/limits/gate.test.ts'
const overload = 'server/src/http/edge/load/overload.ts'
const overloadTest = 'server/src/http/edge/load/overload.test.ts'
const turns = 'server/src/http/edge/load/fair-turns.ts'
const turnsTest = 'server/src/http/edge/load/fair-turns.test.ts'

export const accessMutants: readonly Mutant[] = [
  ...mutantsOf('tenants', [
    [
      'tn1',
      'server/src/store/messages/messages.ts',
      'from messages where id = :id and account_id = :account_id',
      'from messages where id = :id',
      matrixOfV1,
    ],
    [
      'tn10',
      'server/src/store/webhooks/deliveries.ts',
      'from rows join webhooks w on w.account_id = rows.account_id\n          where (w',
      'from rows join webhooks w on true\n          where (w',
      'test/webhooks/webhooks-tenants.test.ts',
    ],
    [
      'tn12',
      'server/src/store/messages/customers.ts',
      'where o.account_id = :account_id and o.address in',
      'where o.address in',
      matrix,
    ],
    [
      'tn13',
      'server/src/store/accounts/setup-links.ts',
      '(s.account_id = :account_id and :all = 1)',
      ':all = 1',
      matrix,
    ],
    [
      'tn20',
      'server/src/store/messages/customers.ts',
      'from customers where account_id = :account_id and id = coalesce(',
      'from customers where id = coalesce(',
      matrix,
    ],
  ]),
  ...mutantsOf('tokens', [
    ['tk5', tokens, '          and c.revoked_at is null and c.refresh_closed_at is null\n', '', refresh],
    [
      'tk6',
      tokens,
      'where p.revoked_at is null and p.refresh_closed_at is null',
      'where p.refresh_closed_at is null',
      refresh,
    ],
    ['tk8', checkToken, '.filter((scope) => keyScopes.includes(scope))', '', auth],
    ['tk9', checkToken, 'return epoch === known.row.epoch ? known :', 'return known.row.epoch ? known :', auth],
    ['tk10', checkToken, '  requireAddress(standing, options.ip)\n', '', auth],
    [
      'tk11',
      'server/src/access/tokens/token-chain.ts',
      'const refreshableMax = 100',
      'const refreshableMax = 101',
      refresh,
    ],
    [
      'tk12',
      attempts,
      'everyMs: fiveMinutesMs / 10, burst: 10',
      'everyMs: fiveMinutesMs / 10, burst: 11',
      attemptsTest,
    ],
    ['tk13', attempts, 'if (place === null) return [{', 'if (place !== null) return [{', attemptsTest],
  ]),
  ...mutantsOf('quota', [
    [
      'qu2',
      'server/src/store/messages/admission.ts',
      '} <= rows.day_quota',
      '} >= 0',
      'server/src/store/messages/admission.test.ts',
    ],
    ['qu4', quota, 'b.resetsAt - a.resetsAt', 'a.resetsAt - b.resetsAt', 'server/src/limits/quota.test.ts'],
    [
      'qu5',
      'server/src/http/edge/access.ts',
      'reply.statusCode >= 500 && ',
      'reply.statusCode > 500 && ',
      'server/src/http/edge/refund.test.ts',
    ],
    [
      'qu6',
      memoryGate,
      'windows.every(({ used, quota }) => used < quota)',
      'windows.every(({ used, quota }) => used <= quota)',
      gate,
    ],
    ['qu7', memoryGate, '    counts.dayUsed++\n', '', gate],
    [
      'qu9',
      'server/src/create-runtime.ts',
      'sharedRate: createLimiter()',
      'sharedRate: createMemoryRateLimiter(tools)',
      'server/src/limits/throttles.test.ts',
    ],
    ['qu8', quota, 'used: Math.min(used, quota)', 'used', 'server/src/limits/quota.test.ts'],
  ]),
  ...mutantsOf('overload', [
    [
      'ov3',
      overload,
      "startsWith('text/event-stream')) leave(request)",
      "startsWith('text/event-stream')) void request",
      'server/src/http/edge/load/overload-streams.test.ts',
    ],
    [
      'ov4',
      'server/src/http/edge/load/overload.ts',
      'performance.now() - busySince > lastsMs',
      'performance.now() - busySince > 20 * lastsMs',
      'server/src/http/edge/load/watch-load.test.ts',
    ],
    ['ov5', overload, 'return underWay(owner) >= share', 'return underWay(owner) > share', overloadTest],
    ['ov6', overload, 'if (overloaded && usedUp) return false', 'if (usedUp) return false', overloadTest],
    ['ov7', overload, 'if (left > 0) running.set(owner, left)', 'if (left > 1) running.set(owner, left)', overloadTest],
    ['ov8', turns, 'if (!queue && !wentOn.has(owner))', 'if (!queue)', turnsTest],
    ['ov9', turns, 'waitedMs - first.at > queueMaxMs', 'waitedMs - first.at > waitMaxMs', turnsTest],
  ]),
]
