import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { validationFailed } from '../contract/app-error.ts'
import { answer, ok } from '../contract/envelope.ts'
import type { FieldProblem } from '../contract/field-codes.ts'
import {
  DryRun,
  MarkedRead,
  MarkRead,
  Message,
  MessageList,
  MessageQuery,
  SendInteractive,
  SendMedia,
  SendQuery,
  SendTemplate,
  SendText,
  SentOther,
  SentTemplate,
  SentText,
} from '../contract/messages.ts'
import { furtherChecks, ref } from '../contract/schema.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import { parseRecipient } from '../lib/phone.ts'
import type { AnswerOf } from '../messages/dispatch-message.ts'
import type { Draft, SendCommon, Sender } from '../messages/draft.ts'
import { dryRun } from '../messages/dry-run.ts'
import { getMessage } from '../messages/get-message.ts'
import { listMessages } from '../messages/list-messages.ts'
import { markRead } from '../messages/mark-read.ts'
import { customerOf, publicId } from '../messages/message-record.ts'
import { send } from '../messages/send.ts'
import { draftInteractive, type InteractiveRequest } from '../messages/send-interactive.ts'
import { draftMedia } from '../messages/send-media.ts'
import { draftTemplate } from '../messages/send-template.ts'
import { draftText } from '../messages/send-text.ts'
import type { Runtime } from '../runtime.ts'
import type { MessageFilters } from '../store/message-list.ts'
import { type App, callerOf } from './context.ts'

const tags = ['Messages']
const sending = { access: { scope: 'messages:send' as const }, idempotent: 'in_unit' as const }
const sendAnswer = (sent: typeof SentText | typeof SentTemplate | typeof SentOther) =>
  answer(Type.Unsafe({ anyOf: [ref(sent), ref(DryRun)] }))

/** Four ways to send, one to look, one to list, one to mark as read. */
export function addMessageRoutes(app: App, rt: Runtime): void {
  app.post(
    '/v1/chat/messages/send',
    {
      config: sending,
      schema: {
        operationId: 'sendText',
        summary: 'Send a text message',
        description: 'Allowed while the customer wrote within the last 24 hours; outside of that send a template.',
        tags,
        querystring: SendQuery,
        body: ref(SendText),
        ...furtherChecks('from', 'fallback'),
        response: { 200: sendAnswer(SentText) },
      },
    },
    async (request, reply) =>
      respond(rt, request, reply, request.body, (sender) => draftText(rt, sender, request.body), textAnswer),
  )

  app.post(
    '/v1/chat/messages/template',
    {
      config: sending,
      schema: {
        operationId: 'sendTemplate',
        summary: 'Send a template message',
        description: 'Needed to start a conversation, and outside the 24-hour window.',
        tags,
        querystring: SendQuery,
        body: ref(SendTemplate),
        ...furtherChecks('from', 'components'),
        response: { 200: sendAnswer(SentTemplate) },
      },
    },
    async (request, reply) =>
      respond(rt, request, reply, request.body, (sender) => draftTemplate(rt, sender, request.body), templateAnswer),
  )

  app.post(
    '/v1/chat/messages/media',
    {
      config: sending,
      schema: {
        operationId: 'sendMedia',
        summary: 'Send an image, document, audio or video',
        tags,
        querystring: SendQuery,
        body: ref(SendMedia),
        ...furtherChecks('from', 'media_id', 'link', 'caption', 'filename'),
        response: { 200: sendAnswer(SentOther) },
      },
    },
    async (request, reply) =>
      respond(rt, request, reply, request.body, (sender) => draftMedia(rt, sender, request.body), typedAnswer),
  )

  app.post(
    '/v1/chat/messages/interactive',
    {
      config: sending,
      schema: {
        operationId: 'sendInteractive',
        summary: 'Send buttons, a list or quick replies',
        tags,
        querystring: SendQuery,
        body: ref(SendInteractive),
        ...furtherChecks('from', 'header', 'body', 'footer', 'buttons', 'button', 'sections', 'replies'),
        response: { 200: sendAnswer(SentOther) },
      },
    },
    async (request, reply) => {
      const body = requireForm(request.body)
      return respond(rt, request, reply, body, (sender) => draftInteractive(rt, sender, body), typedAnswer)
    },
  )

  app.get(
    '/v1/chat/messages',
    {
      config: { access: { scope: 'messages:read' } },
      schema: {
        operationId: 'listMessages',
        summary: 'List messages',
        tags,
        querystring: MessageQuery,
        response: { 200: answer(ref(MessageList)) },
      },
    },
    async (request) => {
      const { limit = 25, cursor = null, order = 'desc', ...filters } = request.query
      const page = await listMessages(rt, callerOf(request).accountId, {
        filters: toFilters(filters),
        limit,
        order,
        cursor,
      })
      return ok(page as never)
    },
  )

  addActions(app)
  // The channel's ids hold dots, slashes and equal signs, so the rest of the path is the id.
  app.get(
    '/v1/chat/messages/*',
    {
      constraints: { action: 'look' },
      config: { access: { scope: 'messages:read' }, documentedUrl: '/v1/chat/messages/{message_id}' },
      schema: {
        operationId: 'getMessage',
        summary: 'Delivery status of a message',
        tags,
        params: Type.Object({ '*': Type.String({ minLength: 1 }) }),
        response: { 200: answer(ref(Message)) },
      },
    },
    async (request) => ok((await getMessage(rt, callerOf(request).accountId, request.params['*'])) as never),
  )

  app.post(
    '/v1/chat/messages/*',
    {
      constraints: { action: 'read' },
      config: { access: { scope: 'messages:send' }, documentedUrl: '/v1/chat/messages/{message_id}/read' },
      schema: {
        operationId: 'markMessageRead',
        summary: 'Mark a message of a customer as read',
        tags,
        params: Type.Object({ '*': Type.String({ minLength: 1 }) }),
        body: { anyOf: [ref(MarkRead), { type: 'null' }] } as never,
        response: { 200: answer(ref(MarkedRead)) },
      },
    },
    async (request) => {
      const id = request.params['*'].slice(0, -'/read'.length)
      const typing = (request.body as { typing?: boolean | null } | undefined)?.typing ?? false
      return ok(await markRead(rt, callerOf(request), id, { typing }))
    },
  )
}

/**
 * What is asked of a message, where the rest of the path is one wildcard: whether a path exists comes before who is
 * asking, so the router must know. Without an id there is nothing to look at and nothing to mark.
 */
function addActions(app: App): void {
  app.addConstraintStrategy({
    name: 'action',
    storage() {
      const handlers = new Map<unknown, unknown>()
      return {
        get: (action) => (handlers.get(action) ?? null) as never,
        set: (action, handler) => void handlers.set(action, handler),
      }
    },
    deriveConstraint({ method, url = '' }) {
      const [, rest] = /^\/v1\/chat\/messages\/([^?]+)/.exec(url) ?? []
      if (rest === undefined) return undefined
      if (method === 'GET') return 'look'
      return rest.endsWith('/read') && rest !== '/read' ? 'read' : undefined
    },
  })
}

async function respond(
  rt: Runtime,
  request: FastifyRequest,
  reply: FastifyReply,
  body: SendCommon,
  draftOf: (sender: Sender) => Promise<Draft>,
  answerOf: AnswerOf,
): Promise<never> {
  const caller = callerOf(request)
  if ((request.query as { dry_run?: boolean }).dry_run) {
    const [hour, day] = request.checked?.quota?.windows ?? []
    const quota = hour && day ? { hour_remaining: hour.quota - hour.used, day_remaining: day.quota - day.used } : null
    return ok({ ...(await dryRun(rt, caller, body, draftOf)), quota }) as never
  }
  const { data, replayed } = await send(rt, caller, request.repeatable, draftOf, answerOf)
  if (replayed) reply.header('idempotent-replayed', 'true')
  return ok(data) as never
}

const textAnswer: AnswerOf = ({ row }) => ({
  message_id: publicId(row),
  status: 'sent',
  ...(row.used === null ? {} : { used: row.used }),
})

const templateAnswer: AnswerOf = ({ row, timestamp }) => ({
  message_id: publicId(row),
  to: customerOf(row),
  template: row.template,
  status: 'sent',
  timestamp: formatInstant(timestamp),
})

const typedAnswer: AnswerOf = ({ row, timestamp }) => ({
  message_id: publicId(row),
  to: customerOf(row),
  type: row.type,
  status: 'sent',
  timestamp: formatInstant(timestamp),
})

/** Each form has its own required field; the schema leaves that to this sentence. */
function requireForm(body: Record<string, unknown> & { type: string }): InteractiveRequest {
  const needed: Record<string, string[]> = {
    buttons: ['buttons'],
    list: ['button', 'sections'],
    quick_replies: ['replies'],
  }
  const own = needed[body.type] ?? []
  const foreign = Object.values(needed)
    .flat()
    .filter((field) => !own.includes(field) && body[field] != null)
  const problem = (field: string, code: FieldProblem['code'], message: string): FieldProblem => ({
    field,
    location: 'body',
    code,
    message,
  })
  const problems = [
    ...own
      .filter((field) => body[field] == null)
      .map((field) => problem(field, 'required', `A message of type ${body.type} needs ${field}.`)),
    ...foreign.map((field) => problem(field, 'unknown_field', `A message of type ${body.type} has no ${field}.`)),
  ]
  if (problems.length > 0) throw validationFailed(problems)
  return body as unknown as InteractiveRequest
}

type FilterQuery = {
  direction?: string
  status?: string
  type?: string
  phone_number?: string
  template?: string
  client_reference?: string
  api_key_id?: string
  outcome?: string
  since?: string
  until?: string
}

function toFilters(query: FilterQuery): MessageFilters {
  const problems: FieldProblem[] = []
  const refuse = (field: string, code: FieldProblem['code'], message: string) =>
    problems.push({ field, location: 'query', code, message })
  const filters: MessageFilters = {}
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
    else if (parsed.kind === 'phone') filters.phone = parsed.value
    else filters.userId = parsed.value
  }
  for (const field of ['since', 'until'] as const) {
    const text = query[field]
    if (!text) continue
    const at = parseInstant(text)
    if (at === null) refuse(field, 'invalid_format', 'Write a date or a date-time, for example 2026-11-15T10:30:00Z.')
    else filters[field] = at
  }
  if (problems.length > 0) throw validationFailed(problems)
  return filters
}
