import { type Mutant, mutantsOf } from './mutant.ts'

const reports = 'test/messages/status-reports.test.ts'
const machine = 'server/src/messages/status-machine.ts'
const machineTest = 'server/src/messages/status-machine.test.ts'
const applyStatuses = 'server/src/messages/apply-statuses.ts'
const window = 'server/src/messages/window.ts'
const windowTest = 'server/src/messages/window.test.ts'
const fromMemory = 'test/messages/send-from-memory-sqlite.test.ts'
const rate = 'server/src/limits/send-limits.ts'
const rateTest = 'server/src/limits/send-limits.test.ts'
const templateStatus = 'server/src/templates/template-status.ts'
const templateStatusTest = 'server/src/templates/template-status.test.ts'
const checkTemplate = 'server/src/templates/check/check-template.test.ts'
const failureTable = 'server/src/platform/cloud/failure-table.ts'
const failureTest = 'server/src/platform/cloud/classify-failure.test.ts'
const count = 'server/src/analytics/count-message.ts'
const analytics = 'test/analytics/analytics.test.ts'

const unknown = 'server/src/messages/unknown.ts'
const unknownTest = 'test/messages/unknown-outcomes.test.ts'
const classify = 'server/src/platform/cloud/classify-failure.ts'
const classifyTest = 'server/src/platform/cloud/classify-failure.test.ts'
const otherResponders = 'test/messages/other-responders.test.ts'
const operatorNews = 'test/channels/operator-news.test.ts'
const payments = 'test/messages/payments.test.ts'
const conversations = 'server/src/store/messages/conversations.ts'
const inbox = 'test/messages/conversations.test.ts'

export const messageMutants: readonly Mutant[] = [
  ...mutantsOf('the inbox', [
    [
      'in5',
      'server/src/store/messages/customer-merges.ts',
      ',\n          blocked_at = coalesce(excluded.blocked_at, contacts.blocked_at)`',
      '`',
      'test/store/merged-rows.test.ts',
    ],
    [
      'in1',
      conversations,
      '          and conversations.assignee_id is not distinct from rows.previous_id\n        returning',
      '        returning',
      inbox,
    ],
    ['in2', conversations, "case when excluded.unread > 0 then 'open' else", "case when false then 'open' else", inbox],
    ['in3', 'server/src/messages/send/record-outcome.ts', "else if (type !== 'template')", 'else', inbox],
    ['in4', 'server/src/messages/receive-messages.ts', " && item.content.type !== 'reaction'", '', inbox],
  ]),
  ...mutantsOf('codes of Meta', [
    [
      'mc1',
      failureTable,
      "'Service temporarily unavailable', outcomeUnknown",
      "'Service temporarily unavailable', notProcessed",
      failureTest,
    ],
    ['mc2', failureTable, "account('channel_spam_limited')", 'wait(hourMs)', failureTest],
    ['mc3', failureTable, 'wait(20_000)', 'wait(1_000)', failureTest],
    ['mc4', failureTable, "request('thread_owned_elsewhere')", 'outcomeUnknown', failureTest],
  ]),
  ...mutantsOf('send', [
    ['sd1', window, 'facts.now < expiresAt) return', 'facts.now <= expiresAt) return', windowTest],
    ['sd2', window, "policy === 'platform' || window.state !== 'closed'", "window.state !== 'closed'", windowTest],
    ['sd3', window, '(listening && !possiblyOpen)', 'listening', windowTest],
    ['sd4', rate, 'const customerBurst = 45', 'const customerBurst = 46', 'test/messages/message-duties.test.ts'],
    ['sd5', rate, 'now - known.at < onceMs', 'now - known.at > onceMs', rateTest],
    ['sd6', rate, 'customer}`, everyMs', 'numberId}`, everyMs', rateTest],
    [
      'sd7',
      'server/src/access/send-deadline.ts',
      'const callShare = 0.8',
      'const callShare = 1.2',
      'server/src/access/send-deadline.test.ts',
    ],
    ['sd8', 'server/src/messages/send/draft.ts', 'if (recalled) throw', 'if (recalled === null) throw', fromMemory],
    ['sd9', 'server/src/messages/send/grant-send.ts', '    taken?.undo()\n', '', fromMemory],
    [
      'id4',
      'server/src/access/idempotency.ts',
      'return row && row.expires_at > rt.clock.now() ? row : undefined',
      'return row',
      'server/src/http/edge/idempotency.test.ts',
    ],
    [
      'id5',
      'server/src/access/idempotency.ts',
      'if (row.fingerprint === request.fingerprint) return',
      'if (row) return',
      'server/src/http/edge/idempotency.test.ts',
    ],
    [
      'id6',
      'server/src/access/idempotency.ts',
      'if (lease_until >= rt.clock.now()) return null',
      'return null',
      'test/messages/message-duties.test.ts',
    ],
    [
      'id7',
      'server/src/store/accounts/idempotency.ts',
      'expires_at <= (select before from rows)',
      'true or expires_at <= (select before from rows)',
      'server/src/messages/retain-messages.test.ts',
    ],
  ]),
  ...mutantsOf('platform', [
    [
      'pf1',
      'server/src/platform/cloud/failure-table.ts',
      "[131016, 'Service temporarily unavailable', outcomeUnknown]",
      "[131016, 'Service temporarily unavailable', notProcessed]",
      classifyTest,
    ],
    ['pf2', classify, 'failure.written ? outcomeUnknown', 'failure.cause ? notProcessed', classifyTest],
    ['pf3', classify, '(status >= 500 ? outcomeUnknown : rejected)', 'rejected', classifyTest],
    [
      'pf4',
      'server/src/platform/platform-error.ts',
      '80008, 130429, 131056]',
      '80008, 130429, 131056, 131057]',
      classifyTest,
    ],
    [
      'pf5',
      'server/src/platform/cloud/cloud-messages.ts',
      "error.outcome === 'not_sent'",
      "error.outcome !== 'refused'",
      'test/messages/lost-answers.test.ts',
    ],
    ['pf6', 'server/src/lib/retry-after.ts', 'Math.min(ms, dayMs)', 'ms', 'server/src/lib/retry-after.test.ts'],
    [
      'pf7',
      'server/src/messages/send/call-within-rate.ts',
      "      if (first && error.kind === 'rejected') throw first\n",
      '',
      'test/messages/other-address.test.ts',
    ],
  ]),
  ...mutantsOf('unknown', [
    ['un1', unknown, 'rt.config.outcomeUnknownDays * dayMs', 'dayMs', unknownTest],
    [
      'un2',
      unknown,
      "to.code === 'send_outcome_unknown' ? 'unknown' : null",
      "to.code === 'send_outcome_unknown' ? null : null",
      unknownTest,
    ],
    [
      'un3',
      'server/src/messages/send/send.ts',
      'if (!row || isGivenUp(row)) return outcome',
      'if (row) return outcome',
      unknownTest,
    ],
    [
      'un4',
      'server/src/messages/send/send.ts',
      '  if (repeatHelps(refusal)) await releaseKey(rt, key, row.id)\n',
      '',
      unknownTest,
    ],
    ['un5', unknown, 'const youngMs = 15 * minuteMs', 'const youngMs = 17 * minuteMs', unknownTest],
    ['un6', 'server/src/messages/unknown.ts', '    await recordUnknown(rt, row, () => {})\n', '', unknownTest],
  ]),
  ...mutantsOf('statuses', [
    ['ap1', applyStatuses, 'queued.filter((row) => row.account_id === accountId)', 'queued', reports],
    ['ap4', applyStatuses, '!arrived || known || ', '!arrived || ', reports],
    ['ap5', applyStatuses, 'if (!again) return', 'return', reports],
    ['st4', machine, "source === 'gateway' && status !== 'failed'", "source === 'gateway'", machineTest],
    [
      'st5',
      machine,
      "record.status === 'queued' || record.status === 'sent'",
      "record.status !== 'failed'",
      machineTest,
    ],
    ['st6', machine, 'if (unsent) climb.unshift', 'if (!unsent) climb.unshift', machineTest],
    ['st7', machine, 'ranks[step] > ranks[record.status]', 'ranks[step] >= ranks[record.status]', machineTest],
    ['st8', machine, "target === 'read' ? earliest(record.readAt, at)", "target === 'read' ? at", machineTest],
  ]),
  ...mutantsOf('templates', [
    [
      'tp4',
      'server/src/templates/check/check-buttons.ts',
      'const characters = Array.from(text).length',
      'const characters = text.length',
      checkTemplate,
    ],
    [
      'tp5',
      'server/src/templates/content/template-types.ts',
      'couponCharactersMax = 20',
      'couponCharactersMax = 21',
      checkTemplate,
    ],
    ['tp6', templateStatus, "!status || state.status === 'deleted'", '!status', templateStatusTest],
    ['tp7', templateStatus, "if (status === 'disabled') return 'template_disabled'", '', templateStatusTest],
    ['tp8', templateStatus, "previousStatus ?? 'approved'", "'approved'", templateStatusTest],
    [
      'tp9',
      'server/src/templates/values/match-parameters.ts',
      '[...parts.problems, ...carousel.problems]',
      'parts.problems',
      'test/templates/template-parts.test.ts',
    ],
  ]),
  ...mutantsOf('analytics', [
    ['an0', 'server/src/messages/receive-messages.ts', "? 'taps' : 'replies'", "? 'replies' : 'taps'", analytics],
    ['an1', count, "step === 'delivered' && latencyMs != null", "step === 'read' && latencyMs != null", analytics],
    ['an2', count, 'created: created ? 1 : 0', 'created: 1', analytics],
    [
      'an3',
      count,
      "step === 'sent' ? (facts.recipient ?? null)",
      "step === 'read' ? (facts.recipient ?? null)",
      analytics,
    ],
    ['an4', 'server/src/analytics/get-analytics.ts', 'rank > limitGroups', 'rank >= limitGroups', analytics],
    ['an5', 'server/src/analytics/get-analytics.ts', "kind === 'pricing'", "kind !== 'pricing'", analytics],
  ]),
  ...mutantsOf('media', [
    [
      'tn18',
      'server/src/store/media/media.ts',
      'where account_id = :account_id and link_hash',
      'where link_hash',
      'test/media/media-channel.test.ts',
    ],
    [
      'md1',
      'server/src/store/media/media.ts',
      'from media where id = :id and account_id = :account_id',
      'from media where id = :id',
      'test/media/media-channel.test.ts',
    ],
    [
      'md2',
      'server/src/media/fetch-link.ts',
      'const freshMs = 600_000',
      'const freshMs = 601_000',
      'test/media/media-channel.test.ts',
    ],
    ['md4', 'server/src/media/open-content.ts', "row.state === 'deleted' || ", '', 'test/media/media-channel.test.ts'],
    [
      'md5',
      'server/src/media/open-content.ts',
      "  if (row.direction === 'inbound' && !reads) throw missingScope('media:read')\n",
      '',
      'test/media/media-channel.test.ts',
    ],
    [
      'md3',
      'server/src/media/types/media-kinds.ts',
      "'image/webp', 'sticker', 'webp'), bytesMax: 100 * kilobyte",
      "'image/webp', 'sticker', 'webp'), bytesMax: 101 * kilobyte",
      'test/media/media-types.test.ts',
    ],
  ]),
  ...mutantsOf('callbacks', [
    [
      'mh1',
      'server/src/messages/message-record.ts',
      '(inferred ? 2 : 0)',
      '(inferred ? 1 : 0)',
      'server/src/messages/message-record.test.ts',
    ],
    [
      'cb3',
      'server/src/channels/callbacks/apply-callbacks.ts',
      '(a.id < b.id ? -1 : 1)',
      '(a.id < b.id ? 1 : -1)',
      'test/channels/callbacks.test.ts',
    ],
    [
      'cb4',
      'server/src/channels/callbacks/apply-callbacks.ts',
      'if (seen.has(key) || ',
      'if (',
      'test/channels/callbacks.test.ts',
    ],
    [
      'cb5',
      'server/src/channels/callbacks/apply-callbacks.ts',
      'noteSigns(unit, entries)',
      'noteSigns(unit, [])',
      'test/channels/callbacks.test.ts',
    ],
    [
      'cb6',
      'server/src/channels/callbacks/receive-callback.ts',
      '.update(body)',
      ".update(body).update(rt.newId('cbk'))",
      'test/channels/callbacks.test.ts',
    ],
    [
      'cb7',
      'server/src/channels/callbacks/receive-callback.ts',
      '!rt.platform.isSigned(headers, body, target.appSecret)',
      '!rt.platform',
      'test/channels/callbacks.test.ts',
    ],
  ]),
  ...mutantsOf('other responders', [
    [
      'or1',
      'server/src/messages/receive-messages.ts',
      "type: standby ? 'message.standby' : 'message.received',",
      "type: 'message.received',",
      otherResponders,
    ],
    [
      'or2',
      'server/src/messages/receive-messages.ts',
      'if (copy && !item.standby) await takeCopy(rt, copy, { item, context, answered })',
      '',
      otherResponders,
    ],
    [
      'or3',
      'server/src/messages/threads/receive-past.ts',
      'Math.min(Math.max(0, ...times), now - windowMs)',
      'Math.max(0, ...times)',
      otherResponders,
    ],
    ['or4', 'server/src/messages/window.ts', 'passed?.at ?? null', 'null', otherResponders],
    [
      'or5',
      'server/src/messages/threads/thread-owner.ts',
      "error.outcome !== 'unknown'",
      'error.outcome !== null',
      'test/messages/conversation-control.test.ts',
    ],
    ['or6', 'server/src/store/channels/told-states.ts', '  required: true,\n', '', operatorNews],
    [
      'py1',
      'server/src/messages/receive-payments.ts',
      'timeOf(previous) > at',
      'timeOf(previous) > at + 1e9',
      payments,
    ],
    ['py2', 'server/src/messages/receive-payments.ts', '.referenceId}`)', '.status}`)', payments],
    ['py3', 'server/src/channels/tell-state.ts', "previous === value ? 'late'", "tries < 0 ? 'late'", payments],
    [
      'or7',
      'server/src/channels/operator-news.ts',
      'ends < rt.clock.now() + noticeMs',
      'ends < rt.clock.now()',
      operatorNews,
    ],
  ]),
]
