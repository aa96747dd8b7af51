import type { Member } from '../access/console-member.ts'
import { plans } from '../contract/plans.ts'
import { hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listListeners } from '../store/webhooks/listeners.ts'
import { outcomesByHour, pendingOf, recentDurations } from '../store/webhooks/webhook-lists.ts'
import { listWebhooks, type WebhookWithState } from '../store/webhooks/webhooks.ts'
import { webhookOf, webhookView } from './find-webhook.ts'
import { silentMsMax } from './listen/trigger-event.ts'

const hoursShown = 24
const newest = 5_000
const measured = 200

export async function describeWebhooks(rt: Runtime, { accountId, plan }: Member) {
  const [rows, listeners] = await Promise.all([
    rt.store.read(listWebhooks, { account_id: accountId }),
    rt.store.read(listListeners, { account_id: accountId, since: 0 }),
  ])
  const silentSince = rt.clock.now() - silentMsMax
  return {
    webhooks: await standingsOf(rt, rows),
    webhooks_max: plans[plan].webhooks,
    listeners: listeners.map(({ seen_at: seenAt, ...listener }) => ({
      ...listener,
      connected: seenAt > silentSince,
      seen_at: formatInstant(seenAt),
    })),
  }
}

/** A webhook with what it did in the last 24 hours. */
export async function describeWebhook(rt: Runtime, { accountId }: Member, id: string) {
  const row = await webhookOf(rt, accountId, id)
  const [standing] = await standingsOf(rt, [row])
  if (!standing) throw new Error('A webhook without standing.')
  const until = row.previous_secret_until
  return {
    ...standing,
    previous_secret_until: until !== null && until > rt.clock.now() ? formatInstant(until) : null,
    hours: await readHours(rt, id),
    duration_ms_p95: await readP95(rt, id),
  }
}

async function standingsOf(rt: Runtime, rows: readonly WebhookWithState[]) {
  const waiting = rows.length > 0 ? await rt.store.read(pendingOf, { ids: rows.map(({ id }) => id) }) : []
  return rows.map((row) => {
    const own = waiting.find(({ webhook_id }) => webhook_id === row.id)
    return {
      webhook: webhookView(row),
      pending: own?.pending ?? 0,
      next_attempt_at: formatInstant(own?.next_at ?? null),
      failing_since: formatInstant(row.failing_since),
      last_success: formatInstant(row.last_success),
    }
  })
}

async function readHours(rt: Runtime, id: string) {
  const last = Math.floor(rt.clock.now() / hourMs)
  const first = last - hoursShown + 1
  const rows = await rt.store.read(outcomesByHour, { webhook_id: id, since: first * hourMs, newest, hour_ms: hourMs })
  return Array.from({ length: hoursShown }, (_, index) => {
    const own = rows.filter(({ hour }) => hour === first + index)
    const sum = (good: boolean) =>
      own.reduce((total, row) => total + ((row.status === 'delivered') === good ? row.total : 0), 0)
    return { start: formatInstant((first + index) * hourMs), delivered: sum(true), failed: sum(false) }
  })
}

async function readP95(rt: Runtime, id: string): Promise<number | null> {
  const rows = await rt.store.read(recentDurations, { webhook_id: id, newest: measured })
  return rows[Math.ceil(rows.length * 0.95) - 1]?.duration_ms ?? null
}
