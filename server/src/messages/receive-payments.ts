import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-items.ts'
import { tellStates } from '../channels/tell-state.ts'
import type { EventData } from '../contract/events.ts'
import { erasedIds } from '../events/masked-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { PaymentItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { findMessagesByChannelId, type MessageRow } from '../store/messages/messages.ts'
import { customerBy, customerSubject } from './customers/find-customer.ts'
import { isErased, publicId } from './message-record.ts'

type Entry = ItemInContext<PaymentItem>

/** Payments of orders. One after another: two words about one payment may be in a batch. */
export async function receivePayments(rt: Runtime, batch: readonly Entry[]): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = []
  for (const entry of batch) outcomes.push(await receivePayment(rt, entry))
  return outcomes
}

/** Told once for each state of a payment, in the order of Meta's times; the status of the message is another matter. */
async function receivePayment(rt: Runtime, { item, context }: Entry): Promise<ItemOutcome> {
  const { accountId, number } = context
  if (!number) return 'unhandled'
  const message = await messageOf(rt, accountId, item.channelMessageId)
  const wasErased = message !== null && isErased(message)
  const { phone, userId } = wasErased ? { phone: null, userId: null } : item.customer
  const address = phone ?? userId
  const known = address === null ? null : await customerBy(rt, accountId, address)
  const at = item.at ?? context.receivedAt
  // By a keyed hash: the reference is the caller's own text, and may name the customer.
  const subject = `payment_${rt.recipients.hash(accountId, `${number.id} ${item.referenceId}`)}`
  const data: EventData<'payment.updated'> = {
    reference_id: item.referenceId,
    status: item.status,
    amount: item.amount,
    currency: item.currency,
    transaction: item.transaction,
    message_id: message && publicId(message),
    customer_id: known?.id ?? null,
    customer: phone,
    user_id: userId,
    phone_number: number.phoneNumber,
    timestamp: formatInstant(at),
  }
  const about = known?.id ?? (address === null ? subject : customerSubject(rt, accountId, address))
  await tellStates(rt, accountId, [
    {
      subject,
      topic: 'payment',
      value: `${at} ${item.status}`,
      event: (previous) => (timeOf(previous) > at ? 'late' : { type: 'payment.updated', data, about }),
    },
  ])
  return wasErased ? 'erased' : 'applied'
}

function timeOf(told: string | null): number {
  return Number(told?.split(' ', 1)[0] ?? 0)
}

async function messageOf(rt: Runtime, accountId: string, channelMessageId: string | null): Promise<MessageRow | null> {
  if (channelMessageId === null) return null
  const ids = [channelMessageId, (await erasedIds(rt, accountId))(channelMessageId)]
  const [row] = await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids })
  return row?.direction === 'outbound' ? row : null
}
