import type { Member } from '../../access/console-member.ts'
import type { DeliveryQuery } from '../../contract/deliveries.ts'
import { eventTypes } from '../../contract/events.ts'
import { readInstant } from '../../events/read-instant.ts'
import { latestOf } from '../../events/trace-events.ts'
import { maskText } from '../../lib/text/mask.ts'
import { hidesPeople } from '../../messages/console-privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { countReplayable } from '../../store/webhooks/webhook-replays.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { replayRange } from './replay-range.ts'

/** What was sent to a webhook, newest first, each with how its latest attempt ended. */
export async function describeDeliveries(rt: Runtime, { accountId }: Member, id: string, listing: DeliveryQuery) {
  const { deliveries, pagination } = await listDeliveries(rt, accountId, id, listing)
  const latest = await latestOf(
    rt,
    deliveries.map((delivery) => delivery.id),
  )
  return {
    deliveries: deliveries.map((delivery) => ({ delivery, ...(latest.get(delivery.id) ?? untried) })),
    pagination,
    attempts_max: rt.config.webhookRetryScheduleMs.length,
  }
}

const untried = { status_code: null, error_code: null, duration_ms: null }

/** One delivery with its attempts; people are taken out of it for roles that may not see them. */
export async function describeDelivery(rt: Runtime, member: Member, webhookId: string, id: string) {
  const delivery = await getDelivery(rt, member.accountId, webhookId, id)
  if (!(await hidesPeople(rt, member))) return delivery
  return {
    ...delivery,
    request_body: delivery.request_body === null ? null : withoutPeople(delivery.request_body),
    attempts: delivery.attempts.map((attempt) => ({
      ...attempt,
      response_body: attempt.response_body === null ? null : maskText(attempt.response_body),
    })),
  }
}

function withoutPeople(body: string): string {
  const event = JSON.parse(body) as { data?: Record<string, unknown> }
  const hidden = Object.fromEntries(['content', 'contact', 'user_id'].map((name) => [name, null]))
  return maskText(JSON.stringify({ ...event, data: { ...event.data, ...hidden } }))
}

const replayable = {
  failed: ['failed', 'skipped', 'cancelled', 'expired'],
  all: ['failed', 'skipped', 'cancelled', 'expired', 'delivered'],
}
const sampled = 3

/** How many a replay would send, and the newest of them, before anybody agrees to it. */
export async function previewReplay(
  rt: Runtime,
  { accountId }: Member,
  id: string,
  { since, status = 'failed' }: { since: string; status?: 'failed' | 'all' | undefined },
) {
  const listing = { since, status: replayable[status].join(','), limit: sampled }
  const { deliveries } = await listDeliveries(rt, accountId, id, listing)
  const range = replayRange({ since: readInstant('since', since) ?? 0, until: rt.clock.now() + 1 })
  const [count] = await rt.store.read(countReplayable[status], { webhook_id: id, ...range, types: [...eventTypes] })
  return { matched: count?.matched ?? 0, sample: deliveries }
}
