import { expireOldRequests } from '../access/request-log.ts'
import { expireOldTokens } from '../access/tokens/token-chain.ts'
import { rotateSigningKeyByAge } from '../access/tokens/token-codec.ts'
import { expireAnalytics, foldRegularly } from '../analytics/fold-steps.ts'
import { expireOldAudit } from '../audit/audit.ts'
import { retainBroadcasts } from '../broadcasts/retain-broadcasts.ts'
import { followBudgets } from '../budgets/follow-budgets.ts'
import { expireOldCallbacks } from '../channels/callbacks/retry-items.ts'
import { refreshChannel, refreshJobKind } from '../channels/refresh-channel.ts'
import { fetchReported } from '../channels/reported-costs.ts'
import { expireOldSignups, syncBusinessApps } from '../connect/sync-business-app.ts'
import { expireOldEvents } from '../events/read-feed.ts'
import { deleteDueAccounts } from '../installation/delete-account.ts'
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts'
import { tidyMedia } from '../media/delete-media.ts'
import { fetchInboundMedia } from '../media/inbound-media.ts'
import { expireOldReplies, foldOldReplies } from '../messages/conversations/service-times.ts'
import { moveMerged } from '../messages/customers/as-customer.ts'
import { retainMessages } from '../messages/retain-messages.ts'
import { giveUpUnknown, recoverMessages } from '../messages/unknown.ts'
import { alertJobKind, tellPeople } from '../people/alerts.ts'
import { expireOldMails, mailAttemptsMax, mailJobKind, sendMail } from '../people/mail.ts'
import type { Runtime } from '../runtime.ts'
import { type ClaimedJob, nextJobAt } from '../store/jobs/jobs.ts'
import { pollTemplates } from '../templates/sync/sync-templates.ts'
import { watchWebhooks } from '../webhooks/delivery/sweep-deliveries.ts'
import { operatorNoticeKind, tellOperator } from '../webhooks/disable-webhook.ts'

/** Everything that happens by itself. */
export const jobDefinitions: readonly JobDefinition[] = [
  { kind: 'days.make', everyMs: 60 * minuteMs, run: (rt) => makeDays(rt) },
  { kind: 'disk.give_back', everyMs: 60 * minuteMs, run: (rt) => giveBackDisk(rt) },
  { kind: 'tokens.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldTokens(rt) },
  { kind: 'accounts.delete', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => deleteDueAccounts(rt) },
  { kind: 'requests.expire', everyMs: 60 * minuteMs, deletesByAge: true, run: (rt) => expireOldRequests(rt) },
  { kind: 'audit.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireOldAudit(rt) },
  { kind: 'signing_keys.rotate', everyMs: 60 * minuteMs, deletesByAge: true, run: (rt) => rotateSigningKeyByAge(rt) },
  { kind: 'messages.recover', everyMs: 10_000, run: (rt) => recoverMessages(rt) },
  // Not deleted, but told by its age: a clock that jumped must not end what Meta still reports.
  { kind: 'messages.give_up', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => giveUpUnknown(rt) },
  { kind: 'customers.merge', everyMs: minuteMs, run: (rt) => moveMerged(rt) },
  { kind: 'messages.retain', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => retainMessages(rt) },
  { kind: 'broadcasts.retain', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => retainBroadcasts(rt) },
  { kind: 'templates.poll', everyMs: minuteMs, run: (rt) => pollTemplates(rt) },
  { kind: 'analytics.fold', everyMs: 10_000, run: (rt) => foldRegularly(rt) },
  { kind: 'replies.fold', everyMs: 10 * minuteMs, run: (rt) => foldOldReplies(rt) },
  { kind: 'replies.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireOldReplies(rt) },
  { kind: 'costs.report', everyMs: dayMs, run: (rt) => fetchReported(rt) },
  { kind: 'budgets.follow', everyMs: 10_000, run: (rt) => followBudgets(rt) },
  { kind: 'analytics.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireAnalytics(rt) },
  { kind: 'callbacks.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldCallbacks(rt) },
  { kind: refreshJobKind, attemptsMax: 1_000, run: refreshChannel },
  { kind: 'signups.sync', everyMs: minuteMs, run: (rt) => syncBusinessApps(rt) },
  { kind: 'signups.expire', everyMs: 60 * minuteMs, deletesByAge: true, run: (rt) => expireOldSignups(rt) },
  { kind: 'events.expire', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => expireOldEvents(rt) },
  { kind: 'webhooks.watch', everyMs: minuteMs, run: (rt) => watchWebhooks(rt) },
  { kind: operatorNoticeKind, run: tellOperator },
  { kind: mailJobKind, attemptsMax: mailAttemptsMax + 1, run: sendMail },
  { kind: alertJobKind, run: tellPeople },
  { kind: 'mails.expire', everyMs: dayMs, deletesByAge: true, run: (rt) => expireOldMails(rt) },
  // Tried for 7 days, then given up by the job itself.
  { kind: 'media.fetch', attemptsMax: 10_000, run: fetchInboundMedia },
  { kind: 'media.tidy', everyMs: 10 * minuteMs, deletesByAge: true, run: (rt) => tidyMedia(rt) },
]

/** The result of one run: finished, or to be run again at a time. A throw means: try again with back-off. */
export type JobOutcome = 'done' | { againAt: number }

export type JobDefinition = {
  readonly kind: string
  run(rt: Runtime, job: ClaimedJob): Promise<JobOutcome>
  /** A regular job: put there at start, due again this long after each run. */
  readonly everyMs?: number
  /** Deletes what is old: does not run for a day after the clock has jumped. */
  readonly deletesByAge?: boolean
  /** Tries before the job is given up; a regular job is never given up. */
  readonly attemptsMax?: number
}

/** Room for the days to come in the tables that go by age. */
export async function makeDays(rt: Runtime): Promise<JobOutcome> {
  await rt.store.days.make(rt.clock.now())
  return 'done'
}

/** After retention was shortened or much was deleted: what nothing needs soon. */
async function giveBackDisk(rt: Runtime): Promise<JobOutcome> {
  await rt.store.giveBack()
  return 'done'
}

const renewedLeaseMsMax = 15_000

/**
 * Of work that renews its claim while it goes on, as jobs and callbacks do. After a crash a customer's message must not wait for
 * the lease that a webhook's whole attempt needs.
 */
export function renewedLeaseMs({ config }: Pick<Runtime, 'config'>): number {
  return Math.min(config.jobLeaseMs, renewedLeaseMsMax)
}

const backoffBaseMs = 1_000
const backoffMaxMs = hourMs

/** 1 s, 2 s, 4 s … one hour, a tenth more or less, so that many failures of one cause do not return together. */
export function backoffMs(attempts: number, chance: number): number {
  const base = Math.min(backoffBaseMs * 2 ** Math.max(attempts - 1, 0), backoffMaxMs)
  return Math.round(base * (0.9 + chance * 0.2))
}

/** For the operator's gauge: jobs that are due and that nobody takes. */
export async function measureJobs(rt: Runtime): Promise<void> {
  for (const lane of ['main', 'media'] as const) {
    const [row] = await rt.store.read(nextJobAt[lane], {})
    const at = row?.at ?? null
    rt.metrics.jobOldestAge.set({ lane }, at === null ? 0 : Math.max(0, rt.clock.now() - at) / 1_000)
  }
  rt.metrics.partitionDaysAhead.set({}, await rt.store.days.ahead(rt.clock.now()))
}
