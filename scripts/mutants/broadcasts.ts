import { type Mutant, mutantsOf } from './mutant.ts'

const turn = 'server/src/broadcasts/turn'
const sends = 'test/broadcasts/broadcast-sends.test.ts'
const reasons = 'test/broadcasts/broadcast-reasons.test.ts'
const failing = 'test/messages/accepted-then-failed-later.test.ts'
const due = 'server/src/messages/waiting/send-due.ts'
const waiting = 'test/messages/waiting-sends.test.ts'
const races = 'test/messages/waiting-races.test.ts'
const retention = 'test/messages/content-retention.test.ts'

/** What is sent later, and for how long it is kept. */
export const broadcastMutants: readonly Mutant[] = [
  ...mutantsOf('broadcasts', [
    ['bc1', `${turn}/draft-recipients.ts`, 'if (blocked.has(key)) excluded', 'if (key === null) excluded', sends],
    ['bc2', `${turn}/draft-recipients.ts`, 'at !== null && respectsOptOut', 'at === null', sends],
    ['bc3', `${turn}/draft-recipients.ts`, 'customer.reached === 1 || seen', 'seen.size < 0 && seen', sends],
    ['bc4', `${turn}/stop-broadcast.ts`, "failure.outcome !== 'refused'", "failure.outcome === 'not_sent'", sends],
    [
      'bc5',
      `${turn}/stop-broadcast.ts`,
      "{ pause: 'payment_missing' },\n  channel_payment_terms",
      "{ hold: 'channel', forMs: minuteMs },\n  channel_payment_terms",
      sends,
    ],
    ['bc6', 'server/src/broadcasts/count-results.ts', "isOpen === 1 ? 'under_way' : 'unknown'", "'under_way'", failing],
    ['bc7', 'server/src/messages/erase/erase-by-address.ts', 'unit.add(eraseRecipient, ...rows)', '', sends],
    ['bc8', 'server/src/broadcasts/create-broadcast.ts', ", 'waiting']", ']', sends],
    ['bc9', 'server/src/broadcasts/create-broadcast.ts', "seen.code === 'duplicate'", "seen.code === 'twice'", sends],
    ['bc10', `${turn}/turn-limits.ts`, 'quotaShare = 0.8', 'quotaShare = 1', reasons],
    [
      'bc11',
      `${turn}/ready-to-send.ts`,
      "if (quality === 'low' && wasBetter) return { pause: 'quality_low' }",
      '',
      reasons,
    ],
    [
      'bc12',
      'server/src/store/broadcasts/broadcasts.ts',
      `taken + rows.count
        from rows where broadcasts.id = rows.id and broadcasts.status = 'running'`,
      `taken + rows.count
        from rows where broadcasts.id = rows.id`,
      'test/broadcasts/broadcast-races.test.ts',
    ],
    [
      'bc13',
      'server/src/broadcasts/create-broadcast.ts',
      "left.status !== 'draft'",
      "left.status === 'never'",
      reasons,
    ],
  ]),
  ...mutantsOf('waiting', [
    [
      'ws1',
      due,
      "if (failure.outcome === 'unknown') return recordUnknown",
      'if (row.attempts < 0) return recordUnknown',
      failing,
    ],
    [
      'ws2',
      'server/src/messages/waiting/retry-send.ts',
      "outcome === 'not_sent' || failure.passesSoon",
      "outcome === 'not_sent'",
      waiting,
    ],
    ['ws3', 'server/src/messages/send/accept-waiting.ts', 'if (at > now + days * dayMs)', 'if (at < 0)', waiting],
    [
      'ws4',
      'server/src/store/messages/waiting.ts',
      'due_at <= :now\n          order by',
      'due_at <= :now + 60000\n          order by',
      waiting,
    ],
    ['ws5', 'server/src/messages/waiting/hold-waiting.ts', 'held = await holdAll(rt)', 'held = 0', races],
    [
      'ws6',
      'server/src/messages/erase/erase-customer.ts',
      'await cancelAllTo(rt, accountId, person.customerIds)',
      '',
      races,
    ],
    [
      'ws7',
      'server/src/messages/waiting/take-turn.ts',
      'if (error instanceof StoreUnavailable) throw error\n          const',
      'if (error) throw error\n          const',
      races,
    ],
  ]),
  ...mutantsOf('content', [
    [
      'ct1',
      'server/src/config/config.ts',
      'Math.min(values.retentionDeliveriesDays, values.retentionContentDays)',
      'values.retentionDeliveriesDays',
      retention,
    ],
    ['ct2', 'server/src/messages/retain-messages.ts', 'unit.add(forgetThreadWords, content),', '', retention],
    [
      'ct3',
      'server/src/channels/callbacks/retry-items.ts',
      'Math.min(repeatsMs, rt.config.retentionContentDays * dayMs)',
      'repeatsMs',
      retention,
    ],
    [
      'ct4',
      'server/src/access/request-log.ts',
      'Math.min(daysMax, rt.config.retentionContentDays)',
      'daysMax',
      retention,
    ],
    [
      'ct5',
      'server/src/broadcasts/retain-broadcasts.ts',
      'now - rt.config.retentionContentDays * dayMs',
      'now - rt.config.retentionMetadataDays * dayMs',
      retention,
    ],
  ]),
]
