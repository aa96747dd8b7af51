import type { DeliveryQuery } from '../../contract/deliveries.ts'
import { readInstant } from '../../events/read-feed.ts'
import { idsOf, withOwnIds } from '../../messages/privacy.ts'
import { mergeFound, openCursor, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { type Found, readLists } from '../../store/engine/list.ts'
import { eventsAbout } from '../../store/webhooks/console-events.ts'
import type { DeliveryRow } from '../../store/webhooks/deliveries.ts'
import { deliveriesOf, deliveryListing } from '../../store/webhooks/webhook-lists.ts'
import { deliveryView } from '../delivery/delivery-view.ts'
import { receiverOf } from '../find-webhook.ts'

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
