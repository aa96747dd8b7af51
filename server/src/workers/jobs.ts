import { expireOldRequests } from '../access/request-log/expire-requests.ts'
import { expireOldTokens } from '../access/tokens/expire-tokens.ts'
import { rotateSigningKeyByAge } from '../access/tokens/signing-keys.ts'
import { expireAnalytics } from '../analytics/expire-analytics.ts'
import { foldRegularly } from '../analytics/fold-steps.ts'
import { expireOldAudit } from '../audit/expire-audit.ts'
import { expireOldCallbacks } from '../channels/callbacks/expire-callbacks.ts'
import { refreshChannel, refreshJobKind } from '../channels/refresh-channel.ts'
import { expireOldEvents } from '../events/expire-events.ts'
import { dayMs, minuteMs } from '../lib/durations.ts'
import { fetchInboundMedia } from '../media/fetch-inbound-media.ts'
import { tidyMedia } from '../media/tidy-media.ts'
import { retainMessages } from '../messages/retain-messages.ts'
import { recoverMessages } from '../messages/send/recover-messages.ts'
import { giveUpUnknown } from '../messages/unknown/give-up-unknown.ts'
import { pollTemplates } from '../templates/sync/poll-templates.ts'
import { watchWebhooks } from '../webhooks/delivery/sweep-deliveries.ts'
import { operatorNoticeKind, tellOperator } from '../webhooks/tell-operator.ts'
import type { JobDefinition } from './job.ts'

/** Everything that happens by itself. */
export const jobDefinitions: readonly JobDefinition[] = [
  { kind: 'tokens.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldTokens(rt) },
  { kind: 'requests.expire', everyMs: 60 * minuteMs, deletesByAge: true, run: (rt) => expireOldRequests(rt) },
  { kind: 'audit.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireOldAudit(rt) },
  { kind: 'signing_keys.rotate', everyMs: 60 * minuteMs, deletesByAge: true, run: (rt) => rotateSigningKeyByAge(rt) },
  { kind: 'messages.recover', everyMs: 10_000, run: (rt) => recoverMessages(rt) },
  // Not deleted, but told by its age: a clock that jumped must not end what Meta still reports.
  { kind: 'messages.give_up', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => giveUpUnknown(rt) },
  { kind: 'messages.retain', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => retainMessages(rt) },
  { kind: 'templates.poll', everyMs: minuteMs, run: (rt) => pollTemplates(rt) },
  { kind: 'analytics.fold', everyMs: 10_000, run: (rt) => foldRegularly(rt) },
  { kind: 'analytics.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireAnalytics(rt) },
  { kind: 'callbacks.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldCallbacks(rt) },
  { kind: refreshJobKind, attemptsMax: 1_000, run: refreshChannel },
  { kind: 'events.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldEvents(rt) },
  { kind: 'webhooks.watch', everyMs: minuteMs, run: (rt) => watchWebhooks(rt) },
  { kind: operatorNoticeKind, run: tellOperator },
  // Tried for 7 days, then given up by the job itself.
  { kind: 'media.fetch', attemptsMax: 10_000, run: fetchInboundMedia },
  { kind: 'media.tidy', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => tidyMedia(rt) },
]
