import type { Member } from '../../access/console-member.ts'
import { relayTypes } from '../../contract/connections.ts'
import type { DeliveryQuery } from '../../contract/deliveries.ts'
import { eventTypes } from '../../contract/events.ts'
import { readInstant } from '../../events/read-feed.ts'
import { latestOf } from '../../events/trace-events.ts'
import { hidesPeople, idsOf, ownIds, withOwnIds } from '../../messages/privacy.ts'
import { mergeFound, openCursor, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { type Found, readLists } from '../../store/engine/list.ts'
import { deliveriesBetween, eventsAbout, messageOfEvent } from '../../store/webhooks/console-events.ts'
import type { DeliveryRow } from '../../store/webhooks/deliveries.ts'
import { deliveriesOf, deliveryListing } from '../../store/webhooks/webhook-lists.ts'
import { countReplayable } from '../../store/webhooks/webhook-replays.ts'
import { deliveryView } from '../delivery/delivery-view.ts'
import { receiverOf } from '../find-webhook.ts'
import { getDelivery } from './get-delivery.ts'
import { replayRange } from './replay-deliveries.ts'

const limitDefault = 25

/** What was sent to a webhook, newest first. */
export async function listDeliveries(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  listing: DeliveryQuery,
  { seesPeople }: { seesPeople: boolean } = { seesPeople: true },
) {
  await receiverOf(rt, accountId, webhookId)
  const { cursor, limit = limitDefault, ...filters } = listing
  const boundTo = [accountId, webhookId, filters]
  const position = openCursor(rt, cursor, boundTo)
  const messageIds = filters.message_id ? await idsOf(rt, accountId, filters.message_id) : null
  const about = messageIds && (await rt.store.read(eventsAbout, { account_id: accountId, subjects: messageIds }))
  const wanted: Wanted = {
    filters: {
      webhookId,
      statuses: filters.status?.split(',') ?? null,
      type: filters.type ?? null,
      since: readInstant('since', filters.since),
      until: readInstant('until', filters.until),
    },
    before: position === null ? null : String(position[0]),
    count: limit + 1,
  }
  const eventIds = about?.map(({ id }) => id) ?? null
  const found = eventIds === null ? await readAll(rt, accountId, wanted) : await readOf(rt, accountId, wanted, eventIds)
  const { shown, pagination } = toPage(rt, found, {
    limit,
    boundTo,
    positionOf: ({ id }) => [id],
    timeOf: ({ created_at: at }) => at,
  })
  const deliveries = shown.map(deliveryView)
  return { deliveries: seesPeople ? deliveries : await withOwnIds(rt, accountId, deliveries), pagination }
}

type Wanted = { filters: Parameters<typeof deliveryListing>[1]; before: string | null; count: number }

const newestFirst = (a: DeliveryRow, b: DeliveryRow) => (a.id < b.id ? 1 : -1)

async function readAll(
  rt: Runtime,
  accountId: string,
  { filters, before, count }: Wanted,
): Promise<Found<DeliveryRow>> {
  const stretch = { after: before === null ? null : [before], count }
  const tables = ['delivery_queue', 'deliveries'] as const
  const founds = await readLists(
    rt.store,
    accountId,
    tables.map((table) => [deliveryListing(table, filters), stretch] as const),
  )
  return mergeFound(founds, newestFirst)
}

async function readOf(
  rt: Runtime,
  accountId: string,
  { filters, before, count }: Wanted,
  eventIds: readonly string[],
): Promise<Found<DeliveryRow>> {
  const read = (table: 'delivery_queue' | 'deliveries') =>
    rt.store.list(deliveriesOf(rt.store.engine, table, filters, { eventIds, before, count }), accountId)
  // What waits first: it may end meanwhile, and is found in the other place then.
  const waiting = await read('delivery_queue')
  const byId = new Map([...waiting, ...(await read('deliveries'))].map((row) => [row.id, row]))
  return { rows: [...byId.values()].sort(newestFirst).slice(0, count), edge: null }
}

/**
 * Where to look for an id of an event or of a delivery, without knowing the webhook. The id of a delivery is that of
 * its event with digits behind it, so a range of the primary key holds all deliveries of an event.
 */
export async function findDeliveries(rt: Runtime, member: Pick<Member, 'accountId' | 'role'>, id: string) {
  const { accountId } = member
  const isEvent = id.startsWith('evt_')
  const first = isEvent ? `dlv_${id.slice(4)}` : id
  const range = { first, last: isEvent ? `${first}z` : id }
  const [deliveries, [event]] = await Promise.all([
    rt.store.read(deliveriesBetween, { account_id: accountId, ...range }),
    isEvent ? rt.store.read(messageOfEvent, { account_id: accountId, id }) : [],
  ])
  const messageId = event?.message_id ?? null
  const hidden = messageId !== null && (await hidesPeople(rt, member))
  return { deliveries, message_id: hidden ? (await ownIds(rt, accountId, [messageId]))(messageId) : messageId }
}

/** Deliveries of a webhook, newest first, each with the result of its latest attempt. */
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

/** Preview of a replay: the number of deliveries, and the newest of them. */
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
