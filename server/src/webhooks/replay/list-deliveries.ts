import type { DeliveryQuery } from '../../contract/deliveries.ts'
import { readInstant } from '../../events/read-feed.ts'
import { idsOf, withOwnIds } from '../../messages/privacy/own-ids.ts'
import { openCursor, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { eventsAbout } from '../../store/webhooks/console-events.ts'
import { deliveriesQuery } from '../../store/webhooks/webhook-lists.ts'
import { receiverOf } from '../find-webhook.ts'
import { deliveryView } from './delivery-view.ts'

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
  const wanted = {
    webhookId,
    statuses: filters.status?.split(',') ?? null,
    type: filters.type ?? null,
    since: readInstant('since', filters.since),
    until: readInstant('until', filters.until),
    eventIds: about?.map(({ id }) => id) ?? null,
    before: position === null ? null : String(position[0]),
    count: limit + 1,
  }
  // What waits first: it may end meanwhile, and is found in the other place then.
  const waiting = await rt.store.list(deliveriesQuery(rt.store.engine, 'delivery_queue', wanted), accountId)
  const ended = await rt.store.list(deliveriesQuery(rt.store.engine, 'deliveries', wanted), accountId)
  const byId = new Map([...waiting, ...ended].map((row) => [row.id, row]))
  const rows = [...byId.values()].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit + 1)
  const { shown, pagination } = toPage(
    rt,
    { rows, edge: null },
    { limit, boundTo, positionOf: ({ id }) => [id], timeOf: ({ created_at: at }) => at },
  )
  const deliveries = shown.map(deliveryView)
  return { deliveries: seesPeople ? deliveries : await withOwnIds(rt, accountId, deliveries), pagination }
}
