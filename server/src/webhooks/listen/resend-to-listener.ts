import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findDelivery } from '../../store/webhooks/deliveries.ts'
import { insertEvent } from '../../store/webhooks/events.ts'
import type { ListenerRow } from '../../store/webhooks/listeners.ts'
import { deliveryView } from '../replay/delivery-view.ts'
import { noSuchDelivery } from '../replay/get-delivery.ts'
import { silentMsMax } from './trigger-event.ts'

/**
 * Hands an event to its listener once more; the answer becomes a delivery of its own. What is stored names the event and
 * copies nothing of it, so that a customer who is erased meanwhile is not sent again.
 */
export async function resendToListener(rt: Runtime, listener: ListenerRow, deliveryId: string) {
  const [delivery] = await rt.store.read(findDelivery, { id: deliveryId, webhook_id: listener.id })
  if (!delivery?.body) throw noSuchDelivery(deliveryId)
  const now = rt.clock.now()
  if (listener.seen_at <= now - silentMsMax) {
    throw new AppError(
      'webhook_inactive',
      'No client is listening at the moment: start postern listen, then send the event again.',
    )
  }
  const { type, event_id: subject } = delivery
  const unit = new Unit()
  const pointer = {
    id: rt.newId('evt'),
    account_id: listener.id,
    type,
    subject,
    sequence: 1,
    created_at: now,
    body: '',
  }
  unit.add(insertEvent, { ...pointer, traceparent: rt.tracer.current() ?? null })
  await rt.store.write(unit)
  return deliveryView(delivery)
}
