import type { Member } from '../../access/console-member.ts'
import { hidesPeople, ownIds } from '../../messages/privacy.ts'
import type { Runtime } from '../../runtime.ts'
import { deliveriesBetween, messageOfEvent } from '../../store/webhooks/console-events.ts'

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
