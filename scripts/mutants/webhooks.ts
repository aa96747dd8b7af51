import { type Mutant, mutantsOf } from './mutant.ts'

const retry = 'server/src/webhooks/delivery/retry.ts'
const retryTest = 'server/src/webhooks/delivery/retry.test.ts'
const judge = 'server/src/webhooks/delivery/judge-answer.ts'
const judgeTest = 'server/src/webhooks/delivery/judge-answer.test.ts'
const claimDue = 'server/src/webhooks/queue/claim-due.ts'
const dispatcherTest = 'server/src/webhooks/queue/dispatcher.test.ts'
const eventBody = 'server/src/events/publish-event.ts'
const eventBodyTest = 'server/src/events/event-body.test.ts'
const feedTest = 'server/src/events/read-feed.test.ts'
const feed = 'server/src/events/read-feed.ts'
const api = 'test/webhooks/webhooks-api.test.ts'

export const webhookMutants: readonly Mutant[] = [
  ...mutantsOf('webhooks', [
    [
      'wh17',
      'server/src/webhooks/update-webhook.ts',
      'rotation.overlap_seconds ?? ',
      'rotation.overlap_seconds || ',
      api,
    ],
    [
      'wh19',
      'server/src/webhooks/replay/replay-deliveries.ts',
      '  if (running.replay) return running.replay\n',
      '',
      'test/webhooks/webhooks-delivery.test.ts',
    ],
    [
      'da1',
      'server/src/webhooks/delivery/sweep-deliveries.ts',
      'config.webhookBacklogHours === null ? keptMs',
      'config.webhookBacklogHours === null ? 12 * hourMs',
      'test/webhooks/webhooks-day-away.test.ts',
    ],
    ['lc1', claimDue, 'return false\n', 'return true\n', dispatcherTest],
    ['lc2', claimDue, ' && !returning.has(known)', '', dispatcherTest],
    ['eb1', eventBody, 'data.message_id === subject && ', '', eventBodyTest],
    ['eb2', eventBody, 'own.length === names.length && ', '', eventBodyTest],
    ['eb3', eventBody, ' && isOurInstant(data.timestamp)', '', eventBodyTest],
    [
      'eb4',
      'server/src/store/webhooks/webhook-lists.ts',
      "firstIdAt('evt', from - dayMs)",
      "firstIdAt('evt', from + dayMs)",
      feedTest,
    ],
    [
      'eb5',
      'server/src/messages/erase/erase-by-message.ts',
      ', erased: true }',
      ' }',
      'test/messages/message-erasure.test.ts',
    ],
    ['wh20', retry, 'failures < failuresMax', 'failures <= failuresMax', retryTest],
    ['wh21', retry, "now >= circuit.openUntil ? 'probing'", "now >= circuit.openUntil ? 'closed'", retryTest],
    ['wh22', retry, 'Math.min(circuit.restMs * 2, restMsMax)', 'circuit.restMs * 2', retryTest],
    ['wh23', judge, 'statusCode >= 200 && statusCode <= 299', 'statusCode >= 200 && statusCode <= 399', judgeTest],
    ['wh24', judge, 'statusCode === 410', 'statusCode === 404', judgeTest],
    ['wh25', retry, 'scheduleMs[step]', 'scheduleMs[step - 1]', retryTest],
    [
      'wh26',
      'server/src/webhooks/delivery/sign-delivery.ts',
      '(signer.previous_secret_until ?? 0) > now',
      '(signer.previous_secret_until ?? 0) >= 0',
      'server/src/webhooks/delivery/sign-delivery.test.ts',
    ],
    [
      'wh27',
      'server/src/webhooks/queue/webhook-queue.ts',
      "if (state === 'probing') return 1",
      "if (state === 'probing') return this.#maxInFlight",
      'server/src/webhooks/queue/webhook-queue.test.ts',
    ],
  ]),
  ...mutantsOf('events', [
    ['ev2', feed, 'as const) : mark.position', 'as const) : feedStart', feedTest],
    ['ev4', feed, 'rows.length > limit', 'rows.length >= limit', feedTest],
    ['ev5', feed, 'if (madeIn !== epoch) {', 'if (madeIn === undefined) {', 'server/src/events/reset-feed.test.ts'],
    ['ev6', feed, 'mark.at, since: mark.since }, boundTo', 'mark.at, since: 0 }, boundTo', feedTest],
    ['ev7', feed, 'Math.max(lifeMsMin, keptMs - (', 'Math.max(0, keptMs - (', feedTest],
    ['ev8', feed, 'given.expiresAt - now > keptMs / 2) return', 'given.expiresAt > now) return', feedTest],
    ['ev9', feed, "const boundTo = [accountId, 'feed', filters]", "const boundTo = [accountId, 'feed']", feedTest],
  ]),
]
