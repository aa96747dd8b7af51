import {
  Conversation,
  ConversationSearch,
  ConversationSearchQuery,
  ConversationThreadQuery,
  CustomerChoice,
  CustomerDetail,
  CustomerQuery,
  ErasureReceipt,
  InboxCounts,
  MarkedConversation,
  PreferenceChoice,
  Presence,
  PresenceSignal,
} from '../../contract/console/conversations.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { markConversationRead, setPreference } from '../../messages/conversations/change-conversation.ts'
import { describeCustomer, eraseForMember } from '../../messages/conversations/describe-customer.ts'
import { describePresence, getConversation, signalPresence } from '../../messages/conversations/get-conversation.ts'
import { countInbox } from '../../messages/conversations/list-conversations.ts'
import { searchConversations } from '../../messages/conversations/search-conversations.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Conversations')

/** Customers and what was written with them. Answers are sent through the routes that programs use too. */
export function addConversationRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/conversation-search',
    route({
      config: { console: 'messages:read' },
      operationId: 'searchConversations',
      summary: 'Customers by a part of their name, their number, or of what was written',
      querystring: ConversationSearchQuery,
      response: { 200: answer(ref(ConversationSearch)) },
    }),
    async (request) => {
      const { search, limit = 25, cursor = null } = request.query
      return ok(await searchConversations(rt, memberOf(request), search.trim(), { limit, cursor }))
    },
  )

  app.get(
    '/console/api/inbox-counts',
    route({
      config: { console: 'conversations:read' },
      operationId: 'countInbox',
      summary: 'How many conversations are unread, mine, unassigned and waiting',
      response: { 200: answer(ref(InboxCounts)) },
    }),
    async (request) => ok(await countInbox(rt, memberOf(request))),
  )

  app.get(
    '/console/api/conversation',
    route({
      config: { console: 'messages:read' },
      operationId: 'getThread',
      summary: 'The conversation with one customer',
      querystring: ConversationThreadQuery,
      response: { 200: answer(ref(Conversation)) },
    }),
    async (request) => {
      const { customer, limit = 30, cursor = null } = request.query
      return ok(await getConversation(rt, memberOf(request), customer, { limit, cursor }))
    },
  )

  app.post(
    '/console/api/conversation/read',
    route({
      config: { console: 'messages:send' },
      operationId: 'markConversationRead',
      summary: 'Mark the messages of a customer as read',
      body: ref(CustomerChoice),
      response: { 200: answer(ref(MarkedConversation)) },
    }),
    async (request) => ok(await markConversationRead(rt, memberOf(request), request.body.customer)),
  )
  addPresenceRoutes(app, rt)
  addCustomerRoutes(app, rt)
}

function addPresenceRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/conversation/presence',
    route({
      config: { console: 'conversations:read' },
      operationId: 'describePresence',
      summary: 'Which other people have a conversation open',
      querystring: CustomerQuery,
      response: { 200: answer(ref(Presence)) },
    }),
    async (request) => ok(await describePresence(rt, memberOf(request), request.query.customer)),
  )

  app.post(
    '/console/api/conversation/presence',
    route({
      config: { console: 'conversations:read' },
      operationId: 'signalPresence',
      summary: 'Tell the others that you have a conversation open',
      description: 'One signal in 5 s counts; it lasts for 15 s and is stored nowhere.',
      body: ref(PresenceSignal),
      response: { 200: answer(ref(Presence)) },
    }),
    async (request) => ok(await signalPresence(rt, memberOf(request), request.body.customer, request.body.typing)),
  )
}

function addCustomerRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/customer',
    route({
      config: { console: 'messages:read' },
      operationId: 'describeCustomer',
      summary: 'Names, addresses and preferences of a customer',
      querystring: CustomerQuery,
      response: { 200: answer(ref(CustomerDetail)) },
    }),
    async (request) => ok(await describeCustomer(rt, memberOf(request), request.query.customer)),
  )

  app.post(
    '/console/api/customer/preference',
    route({
      config: { console: 'messages:send' },
      operationId: 'setPreference',
      summary: 'Stop marketing messages to a customer, or allow them again',
      body: ref(PreferenceChoice),
      response: { 200: answer(ref(CustomerDetail)) },
    }),
    async (request) => ok(await setPreference(rt, memberOf(request), request.body)),
  )

  app.post(
    '/console/api/customer/erase',
    route({
      config: { console: 'customers:erase', recent: true },
      operationId: 'eraseCustomer',
      summary: 'Erase a customer permanently',
      body: ref(CustomerChoice),
      response: { 200: answer(ref(ErasureReceipt)) },
    }),
    async (request) => ok(await eraseForMember(rt, memberOf(request), request.body.customer)),
  )
}
