import {
  ControlQuery,
  ControlRequest,
  ConversationControl,
  ConversationPath,
} from '../../contract/conversation-control.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { controlThread, getControl } from '../../messages/threads/control-thread.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Conversations')

/** Who replies to a customer, where a number has several responders. */
export function addConversationControlRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/conversations/:customer_id/control`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'getConversationControl',
      summary: 'See who handles a conversation',
      description: 'Meta has no call for this: the response follows from what it reported.',
      params: ConversationPath,
      querystring: ControlQuery,
      ...furtherChecks('from', 'customer_id'),
      response: { 200: answer(ref(ConversationControl)) },
    }),
    async (request) => {
      const wanted = { customerId: request.params.customer_id, from: request.query.from ?? null }
      return ok(await getControl(rt, mount.principalOf(rt, request), wanted))
    },
  )

  app.post(
    `${mount.chat}/conversations/:customer_id/control`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'controlConversation',
      summary: 'Pass, release or take a conversation',
      description:
        'Meta is called once. Do not repeat a call that ended with `control_outcome_unknown` before you have looked who handles the conversation.',
      params: ConversationPath,
      body: ref(ControlRequest),
      ...furtherChecks('from', 'role', 'customer_id'),
      response: { 200: answer(ref(ConversationControl)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const wanted = { ...request.body, customerId: request.params.customer_id }
      return ok(await controlThread(rt, principal, wanted, await principal.author()))
    },
  )
}
