import { answer, ok } from '../../contract/envelope.ts'
import {
  AssigneeChange,
  AssigneeList,
  ControlQuery,
  ControlRequest,
  Conversation,
  ConversationControl,
  ConversationList,
  ConversationPath,
  ConversationsQuery,
} from '../../contract/messages/conversations.ts'
import { ServiceTimes, ServiceTimesQuery } from '../../contract/messages/service-times.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { assign, close, reopen } from '../../messages/conversations/assign-conversation.ts'
import { listAssignees } from '../../messages/conversations/conversation-line.ts'
import { getConversationState, listConversations } from '../../messages/conversations/list-conversations.ts'
import { describeServiceTimes } from '../../messages/conversations/service-times.ts'
import { controlThread, getControl } from '../../messages/threads/thread-owner.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Conversations')
const masked =
  'Without the scope `messages:read`, names and previews are null and addresses have only their first and last digits.'

/** The inbox: who waits for a reply, and who of the team gives it. */
export function addConversationListRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/conversations`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'listConversations',
      summary: 'List conversations',
      description: `Customers who wrote, and customers a person wrote to. ${masked}`,
      querystring: ConversationsQuery,
      ...furtherChecks('assignee'),
      response: { 200: answer(ref(ConversationList)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, ...filters } = request.query
      return ok(await listConversations(rt, mount.principalOf(rt, request), { limit, cursor, ...filters }))
    },
  )

  app.get(
    `${mount.chat}/assignees`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'listAssignees',
      summary: 'List who can be assigned to conversations',
      response: { 200: answer(ref(AssigneeList)) },
    }),
    async (request) => ok({ assignees: await listAssignees(rt, mount.principalOf(rt, request).accountId) }),
  )

  app.get(
    `${mount.chat}/service-times`,
    route({
      config: mount.may('analytics:read'),
      operationId: 'getServiceTimes',
      summary: 'Get how long customers wait for a reply',
      description: 'Replies by people, by day and by person.',
      querystring: ServiceTimesQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(ServiceTimes)) },
    }),
    async (request) => ok(await describeServiceTimes(rt, mount.principalOf(rt, request).accountId, request.query)),
  )

  app.get(
    `${mount.chat}/conversations/:customer_id`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'getConversation',
      summary: 'Get a conversation',
      description: masked,
      params: ConversationPath,
      ...furtherChecks('customer_id'),
      response: { 200: answer(ref(Conversation)) },
    }),
    async (request) => ok(await getConversationState(rt, mount.principalOf(rt, request), request.params.customer_id)),
  )
  addConversationChangeRoutes(app, rt, mount)
}

function addConversationChangeRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.put(
    `${mount.chat}/conversations/:customer_id/assignee`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'assignConversation',
      summary: 'Assign a conversation to a person, or to nobody',
      description:
        'With `if_assignee`, a conversation never gets two assignees: if two people assign it at the same time, the second call is rejected with `conversation_assigned_elsewhere`.',
      params: ConversationPath,
      body: ref(AssigneeChange),
      ...furtherChecks('assignee', 'if_assignee', 'customer_id'),
      response: { 200: answer(ref(Conversation)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const wanted = { ...request.body, customerId: request.params.customer_id }
      return ok(await assign(rt, principal, wanted, await principal.author()))
    },
  )

  app.post(
    `${mount.chat}/conversations/:customer_id/close`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'closeConversation',
      summary: 'Close a conversation',
      description: 'The next message of the customer opens it again, with the same assignee. Safe to repeat.',
      params: ConversationPath,
      ...furtherChecks('customer_id'),
      response: { 200: answer(ref(Conversation)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await close(rt, principal, request.params.customer_id, await principal.author()))
    },
  )

  app.post(
    `${mount.chat}/conversations/:customer_id/reopen`,
    route({
      config: mount.may('conversations:write'),
      operationId: 'reopenConversation',
      summary: 'Reopen a conversation',
      description: 'Safe to repeat.',
      params: ConversationPath,
      ...furtherChecks('customer_id'),
      response: { 200: answer(ref(Conversation)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await reopen(rt, principal, request.params.customer_id, await principal.author()))
    },
  )
}

/** Control of a conversation, for numbers with several responders. */
export function addConversationControlRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/conversations/:customer_id/control`,
    route({
      config: mount.may('conversations:read'),
      operationId: 'getConversationControl',
      summary: 'See who handles a conversation',
      description: "Meta has no call for this, so the owner is derived from Meta's callbacks.",
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
        'Meta is called once. After `control_outcome_unknown`, check the owner of the conversation before you try again.',
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
