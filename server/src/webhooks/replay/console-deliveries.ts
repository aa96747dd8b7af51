import type { Member } from '../../access/console-member.ts'
import { relayTypes } from '../../contract/connections.ts'
import type { DeliveryQuery } from '../../contract/deliveries.ts'
import { eventTypes } from '../../contract/events.ts'
import { readInstant } from '../../events/read-feed.ts'
import { latestOf } from '../../events/trace-events.ts'
import { hidesPeople } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { countReplayable } from '../../store/webhooks/webhook-replays.ts'
import { getDelivery } from './get-delivery.ts'
import { listDeliveries } from './list-deliveries.ts'
import { replayRange } from './replay-deliveries.ts'

/** What was sent to a webhook, newest first, each with how its latest attempt ended. */
export async function describeDeliveries(rt: Runtime, member: Member, id: string, listing: DeliveryQuery) {
  const { deliveries, pagination } = await listDeliveries(rt, member.accountId, id, listing, await sightOf(rt, member))
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
  return getDelivery(rt, member.accountId, webhookId, id, await sightOf(rt, member))
}

async function sightOf(rt: Runtime, member: Member) {
  return { seesPeople: !(await hidesPeople(rt, member)) }
}

const replayable = {
  failed: ['failed', 'skipped', 'cancelled', 'expired'],
  all: ['failed', 'skipped', 'cancelled', 'expired', 'delivered'],
}
const sampled = 3

/** How many a replay would send, and the newest of them, before anybody agrees to it. */
export async function previewReplay(
  rt: Runtime,
  member: Member,
  id: string,
  { since, status = 'failed' }: { since: string; status?: 'failed' | 'all' | undefined },
) {
  const listing = { since, status: replayable[status].join(','), limit: sampled }
  const { deliveries } = await listDeliveries(rt, member.accountId, id, listing, await sightOf(rt, member))
  const range = replayRange({ since: readInstant('since', since) ?? 0, until: rt.clock.now() + 1 })
  const [count] = await rt.store.read(countReplayable[status], {
    webhook_id: id,
    ...range,
    types: [...eventTypes, ...relayTypes],
  })
  return { matched: count?.matched ?? 0, sample: deliveries }
}
