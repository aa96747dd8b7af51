import type { Static } from 'typebox'
import { seesCosts } from '../../access/caller.ts'
import { validationFailed } from '../../contract/app-error.ts'
import { answer, ok } from '../../contract/envelope.ts'
import {
  CanceledMessage,
  CanceledMessages,
  CancelMessages,
  MarkedRead,
  MarkRead,
  Message,
  MessageList,
  MessagePath,
  MessageQuery,
} from '../../contract/messages/messages.ts'
import { type FieldProblem, furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import { parseInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { getMessage, type ListRequest, listMessages } from '../../messages/get-message.ts'
import { markRead } from '../../messages/mark-read.ts'
import { cancelByReference, cancelMessage } from '../../messages/waiting/end-waiting.ts'
import type { Runtime } from '../../runtime.ts'
import type { MessageFilters } from '../../store/messages/message-list.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'
import { isRead } from '../page.ts'

const route = routesOf('Messages')

/** One way to look, one to list, one to mark as read. */
export function addMessageRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/chat/messages',
    route({
      config: { access: { scope: 'messages:read' } },
      operationId: 'listMessages',
      summary: 'List messages',
      querystring: MessageQuery,
      ...furtherChecks('phone_number'),
      response: { 200: answer(ref(MessageList)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, status, ...others } = request.query
      const { order = status === 'waiting' ? 'asc' : 'desc', ...filters } = { ...others, ...(status ? { status } : {}) }
      const page = await listMessages(rt, callerOf(request).accountId, {
        ...toFilters(filters),
        limit,
        order,
        cursor,
      })
      return ok(page)
    },
  )

  addActions(app)
  // The channel's ids hold dots, slashes and equal signs, so the rest of the path is the id.
  app.get(
    '/v1/chat/messages/*',
    {
      constraints: { action: 'look' },
      ...route({
        config: { access: { scope: 'messages:read' }, documentedUrl: '/v1/chat/messages/{message_id}' },
        operationId: 'getMessage',
        summary: 'Get a message with its status and history',
        params: MessagePath,
        response: { 200: answer(ref(Message)) },
      }),
    },
    async (request) => {
      const caller = callerOf(request)
      return ok(await getMessage(rt, caller.accountId, request.params['*'], seesCosts(caller)))
    },
  )

  app.post(
    '/v1/chat/messages/*',
    {
      constraints: { action: 'read' },
      ...route({
        config: { access: { scope: 'messages:send' }, documentedUrl: '/v1/chat/messages/{message_id}/read' },
        operationId: 'markMessageRead',
        summary: 'Mark a message from a customer as read',
        params: MessagePath,
        body: optionalBody(ref(MarkRead)),
        response: { 200: answer(ref(MarkedRead)) },
      }),
    },
    async (request) => {
      const id = request.params['*'].slice(0, -'/read'.length)
      const typing = request.body?.typing ?? false
      return ok(await markRead(rt, callerOf(request), id, { typing }))
    },
  )

  app.post(
    '/v1/chat/messages/cancel',
    route({
      config: { access: { scope: 'messages:send' } },
      operationId: 'cancelMessages',
      summary: 'Cancel all waiting messages with a reference',
      body: ref(CancelMessages),
      response: { 200: answer(ref(CanceledMessages)) },
    }),
    async (request) => ok(await cancelByReference(rt, callerOf(request), request.body.client_reference)),
  )

  app.post(
    '/v1/chat/messages/*',
    {
      constraints: { action: 'cancel' },
      ...route({
        config: { access: { scope: 'messages:send' }, documentedUrl: '/v1/chat/messages/{message_id}/cancel' },
        operationId: 'cancelMessage',
        summary: 'Cancel a waiting message',
        description: 'Safe to repeat. A message cannot be recalled once Meta was called.',
        params: MessagePath,
        response: { 200: answer(ref(CanceledMessage)) },
      }),
    },
    async (request) => ok(await cancelMessage(rt, callerOf(request), request.params['*'].slice(0, -'/cancel'.length))),
  )
}

type Constraint = Parameters<App['addConstraintStrategy']>[0]
type Handler = Parameters<ReturnType<Constraint['storage']>['set']>[1]

/**
 * The operation on a message, where the rest of the path is one wildcard: whether a path exists comes before who is
 * asking, so the router must know. Without an id there is nothing to look at and nothing to mark.
 */
function addActions(app: App): void {
  app.addConstraintStrategy({
    name: 'action',
    storage() {
      const handlers = new Map<unknown, Handler>()
      return {
        get: (action) => handlers.get(action) ?? null,
        set: (action, handler) => void handlers.set(action, handler),
      }
    },
    deriveConstraint({ method, url = '' }) {
      const [, rest] = /^\/v1\/chat\/messages\/([^?]+)/.exec(url) ?? []
      if (rest === undefined) return undefined
      if (isRead(method ?? '')) return 'look'
      if (rest.endsWith('/read') && rest !== '/read') return 'read'
      return rest.endsWith('/cancel') ? 'cancel' : undefined
    },
  })
}

type FilterQuery = Omit<Static<typeof MessageQuery>, 'limit' | 'cursor' | 'order'>

function toFilters(query: FilterQuery): Pick<ListRequest, 'filters' | 'address'> {
  const problems: FieldProblem[] = []
  const refuse = (field: string, code: FieldProblem['code'], message: string) =>
    problems.push({ field, location: 'query', code, message })
  const filters: MessageFilters = {}
  let address: string | null = null
  if (query.direction) filters.direction = query.direction
  if (query.type) filters.type = query.type
  if (query.template) filters.template = query.template
  if (query.client_reference) filters.clientReference = query.client_reference
  if (query.api_key_id) filters.apiKeyId = query.api_key_id
  if (query.outcome) filters.outcome = query.outcome
  if (query.status) filters.status = query.status.split(',')
  if (query.phone_number) {
    const parsed = parseRecipient(query.phone_number)
    if (!parsed.ok) refuse('phone_number', parsed.code, parsed.message)
    else address = parsed.value
  }
  for (const field of ['since', 'until'] as const) {
    const text = query[field]
    if (!text) continue
    const at = parseInstant(text)
    if (at === null) refuse(field, 'invalid_format', 'Write a date or a date-time, for example 2026-11-15T10:30:00Z.')
    else filters[field] = at
  }
  if (problems.length > 0) throw validationFailed(problems)
  return { filters, address }
}
