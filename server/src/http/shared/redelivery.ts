import { Delivery, DeliveryPath, Replay, ReplayRequest } from '../../contract/deliveries.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { replayDeliveries, retryDelivery } from '../../webhooks/replay/replay-deliveries.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Webhooks')

/** Having deliveries made again: one now, or past events in bulk. */
export function addRedeliveryRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.root}/webhooks/:webhook_id/deliveries/:delivery_id/retry`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'retryDelivery',
      summary: 'Retry a delivery',
      description: 'Sends it again now, with the same event id.',
      params: DeliveryPath,
      response: { 200: answer(ref(Delivery)) },
    }),
    async (request) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params
      const principal = mount.principalOf(rt, request)
      return ok(await retryDelivery(rt, principal.accountId, webhookId, deliveryId, principal))
    },
  )

  app.post(
    `${mount.root}/webhooks/:webhook_id/replay`,
    route({
      config: mount.may('webhooks:write', { idempotent: true }),
      operationId: 'replayDeliveries',
      summary: 'Replay events to a webhook',
      params: WebhookPath,
      body: ref(ReplayRequest),
      response: { 200: answer(ref(Replay)) },
    }),
    async (request) => {
      const { accountId, author } = mount.principalOf(rt, request)
      return ok(await replayDeliveries(rt, accountId, request.params.webhook_id, request.body, await author()))
    },
  )
}
