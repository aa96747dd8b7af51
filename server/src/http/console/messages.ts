import Type from 'typebox'
import { authorOf } from '../../access/console-member.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  CancelWaiting,
  LogFilters,
  LogQuery,
  MessageDetail,
  MessageLog,
  SendAgain,
  SentByHand,
} from '../../contract/console/messages.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { CanceledMessage } from '../../contract/messages/messages.ts'
import { ref } from '../../contract/schema.ts'
import { describeFilters, findMessages } from '../../messages/console-log.ts'
import { describeMessage } from '../../messages/describe-message.ts'
import { sendAgain } from '../../messages/send/request-of.ts'
import { cancelMessage } from '../../messages/waiting/end-waiting.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Messages')

/** Ids of the channel hold slashes and equal signs, so the rest of the path is the id. */
const rest = Type.Object({ '*': Type.String({ minLength: 1 }) })

/** The log of messages, one of them with its history, and sending by hand. */
export function addMessageLogRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/messages',
    route({
      config: { console: 'messages:read' },
      operationId: 'listMessageLog',
      summary: 'Messages and rejected sends, newest first',
      querystring: LogQuery,
      response: { 200: answer(ref(MessageLog)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, ...filter } = request.query
      return ok(await findMessages(rt, memberOf(request), filter, { limit, cursor }))
    },
  )

  app.get(
    '/console/api/message-filters',
    route({
      config: { console: 'messages:read' },
      operationId: 'listMessageFilters',
      summary: 'Filters of the message log',
      response: { 200: answer(ref(LogFilters)) },
    }),
    async (request) => ok(await describeFilters(rt, memberOf(request))),
  )

  app.get(
    '/console/api/messages/*',
    route({
      config: { console: 'messages:read', documentedUrl: '/console/api/messages/{message_id}' },
      operationId: 'describeMessage',
      summary: 'A message with its history and webhook deliveries',
      params: rest,
      response: { 200: answer(ref(MessageDetail)) },
    }),
    async (request) => ok(await describeMessage(rt, memberOf(request), request.params['*'])),
  )

  app.post(
    '/console/api/messages/*',
    route({
      config: {
        console: 'messages:send',
        takesQuota: true,
        documentedUrl: '/console/api/messages/{message_id}/again',
      },
      operationId: 'sendMessageAgain',
      summary: 'Send the content of a message again',
      params: rest,
      body: ref(SendAgain),
      response: { 200: answer(ref(SentByHand)) },
    }),
    async (request) => {
      const id = /^(.+)\/again$/.exec(request.params['*'])?.[1]
      if (id === undefined) throw new AppError('endpoint_not_found', 'This endpoint does not exist.')
      return ok(await sendAgain(rt, memberOf(request), id, request.body.to ?? null))
    },
  )

  app.post(
    '/console/api/messages/cancel',
    route({
      config: { console: 'messages:send' },
      operationId: 'cancelWaitingMessage',
      summary: 'Cancel a waiting message',
      body: ref(CancelWaiting),
      response: { 200: answer(ref(CanceledMessage)) },
    }),
    async (request) => {
      const member = memberOf(request)
      const canceler = { accountId: member.accountId, phoneNumberIds: null, author: authorOf(member) }
      return ok(await cancelMessage(rt, canceler, request.body.message_id))
    },
  )
}
