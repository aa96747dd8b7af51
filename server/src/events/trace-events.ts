import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import {
  deliveriesOfEvents,
  eventsAbout,
  forwardedOfEvents,
  latestAttempts,
  newestEvents,
} from '../store/webhooks/console-events.ts'

type FoundEvent = { id: string; type: string; subject: string | null; created_at: number }

/** The newest events of an account, and what became of each at every webhook and listener. */
export async function traceNewest(rt: Runtime, accountId: string, count: number) {
  return traced(rt, accountId, await rt.store.read(newestEvents, { account_id: accountId, count }))
}

/** Everything that was told about a message, oldest first. It may have been known by two ids. */
export async function traceMessage(rt: Runtime, accountId: string, ids: readonly string[]) {
  return traced(rt, accountId, await rt.store.read(eventsAbout, { account_id: accountId, subjects: [...ids] }))
}

async function traced(rt: Runtime, accountId: string, events: readonly FoundEvent[]) {
  const deliveries = await deliveriesOf(rt, accountId, events)
  const tried = await latestOf(
    rt,
    deliveries.map(({ id }) => id),
  )
  return events.map(({ id, type, subject, created_at }) => ({
    id,
    type,
    message_id: subject,
    at: formatInstant(created_at),
    deliveries: deliveries
      .filter(({ event_id }) => event_id === id)
      .map((row) => ({
        delivery_id: row.id,
        webhook_id: row.webhook_id,
        url: row.url,
        status: row.status,
        attempts: row.attempts,
        ...(tried.get(row.id) ?? untried),
        next_attempt_at: row.status === 'pending' ? formatInstant(row.due_at) : null,
      })),
  }))
}

async function deliveriesOf(rt: Runtime, accountId: string, events: readonly FoundEvent[]) {
  if (events.length === 0) return []
  const ids = events.map(({ id }) => id)
  const [told, forwarded] = await Promise.all([
    rt.store.read(deliveriesOfEvents, { ids }),
    rt.store.read(forwardedOfEvents, { account_id: accountId, ids }),
  ])
  return [...told, ...forwarded.map((row) => ({ ...row, url: 'postern listen' }))]
}

export type LatestAttempt = { status_code: number | null; error_code: string | null; duration_ms: number | null }
const untried: LatestAttempt = { status_code: null, error_code: null, duration_ms: null }

/** The result of each delivery's latest attempt; deliveries without attempts are omitted. */
export async function latestOf(rt: Runtime, deliveryIds: readonly string[]): Promise<Map<string, LatestAttempt>> {
  if (deliveryIds.length === 0) return new Map()
  const rows = await rt.store.read(latestAttempts, { ids: [...deliveryIds] })
  return new Map(
    rows.map(({ delivery_id, status_code, error_code, duration_ms }) => [
      delivery_id,
      { status_code, error_code, duration_ms },
    ]),
  )
}
