import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { sendDeadline } from '../../access/send-deadline.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { DryRun, SentOther, SentTemplate, SentText } from '../../contract/messages/send-answers.ts'
import { SendContacts, SendLocation, SendReaction } from '../../contract/messages/send-content.ts'
import { SendInteractive } from '../../contract/messages/send-interactive.ts'
import { SendMedia, SendQuery, SendSticker, SendTemplate, SendText } from '../../contract/messages/send-requests.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { isRecord } from '../../lib/is-record.ts'
import { requireForm } from '../../messages/content/interactive/check-interactive.ts'
import { dryRun } from '../../messages/send/dry-run.ts'
import { send } from '../../messages/send/send.ts'
import type { SendAnswers, SendRequest } from '../../messages/send/send-request.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Messages')
const inTime = 'The response comes within 10 seconds.'
const fileInTime = `${inTime} When the upload to Meta takes longer, the response is \`service_unavailable\`; the upload continues, and a retry uses it.`

/** All ways to send, by a program or by hand. */
export function addSendRoutes(app: App, rt: Runtime, mount: Mount): void {
  const shared = {
    config: {
      ...mount.may('messages:send', { idempotent: 'in_unit', charged: true, decidedByWrite: true }),
      answersInTime: true,
    },
    querystring: SendQuery,
  }
  const sender = { rt, mount }
  app.post(
    `${mount.chat}/messages/send`,
    route({
      ...shared,
      operationId: 'sendText',
      summary: 'Send a text message',
      description: `Allowed for 24 hours after the customer's last message; after that, send a template. ${inTime}`,
      body: ref(SendText),
      ...furtherChecks('to', 'from', 'reply_to', 'fallback', 'direct_send', 'message', 'preview_url'),
      response: { 200: sendAnswer(SentText) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'text', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/template`,
    route({
      ...shared,
      operationId: 'sendTemplate',
      summary: 'Send a template message',
      description: `Needed to write to a customer first, and outside the 24-hour window. ${inTime}`,
      body: ref(SendTemplate),
      ...furtherChecks('to', 'from', 'reply_to', 'components'),
      response: { 200: sendAnswer(SentTemplate) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'template', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/media`,
    route({
      ...shared,
      operationId: 'sendMedia',
      summary: 'Send an image, document, audio or video',
      description: fileInTime,
      body: ref(SendMedia),
      ...furtherChecks('to', 'from', 'reply_to', 'media_id', 'link', 'caption', 'filename', 'voice'),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'media', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/interactive`,
    route({
      ...shared,
      operationId: 'sendInteractive',
      summary: 'Send an interactive message',
      description: inTime,
      body: ref(SendInteractive),
      ...furtherChecks(
        'to',
        'from',
        'reply_to',
        'header',
        'body',
        'footer',
        'buttons',
        'button',
        'url',
        'flow',
        'sections',
        'catalog_id',
        'product_id',
        'product_sections',
        'product_ids',
        'direct_send',
        'thumbnail_product_id',
        'cards',
        'address',
        'order',
        'order_status',
        'replies',
      ),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) =>
      respondToSend(sender, request, reply, { kind: 'interactive', body: requireForm(request.body) }),
  )

  app.post(
    `${mount.chat}/messages/location`,
    route({
      ...shared,
      operationId: 'sendLocation',
      summary: 'Send a location',
      description: inTime,
      body: ref(SendLocation),
      ...furtherChecks('to', 'from', 'reply_to'),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'location', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/contacts`,
    route({
      ...shared,
      operationId: 'sendContacts',
      summary: 'Send contact cards',
      description: inTime,
      body: ref(SendContacts),
      ...furtherChecks('to', 'from', 'reply_to'),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'contacts', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/sticker`,
    route({
      ...shared,
      operationId: 'sendSticker',
      summary: 'Send a sticker',
      description: fileInTime,
      body: ref(SendSticker),
      ...furtherChecks('to', 'from', 'reply_to', 'media_id', 'link'),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'sticker', body: request.body }),
  )

  app.post(
    `${mount.chat}/messages/reaction`,
    route({
      ...shared,
      operationId: 'sendReaction',
      summary: 'React to a message',
      description: `Puts an emoji on a message, or removes it. Its status stays \`sent\`: Meta reports neither delivery nor reading of reactions. ${inTime}`,
      body: ref(SendReaction),
      ...furtherChecks('to', 'from', 'message_id', 'emoji'),
      response: { 200: sendAnswer(SentOther) },
    }),
    async (request, reply) => respondToSend(sender, request, reply, { kind: 'reaction', body: request.body }),
  )
}

const sendAnswer = <Sent extends TSchema>(sent: Sent) =>
  answer(
    Type.Union([ref(sent), ref(DryRun)], {
      description:
        'The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`.',
    }),
  )

/** Sends, or says what a dry run would. */
async function respondToSend<Kind extends SendRequest['kind']>(
  { rt, mount }: { rt: Runtime; mount: Mount },
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: Extract<SendRequest, { kind: Kind }>,
): Promise<{ success: true; data: SendAnswers[Kind] | Static<typeof DryRun> }> {
  if (isRecord(request.query) && request.query.dry_run) {
    await request.admission?.settle()
    const { sender, seesCosts, quota: taken } = mount.principalOf(rt, request)
    const [hour, day] = taken?.windows ?? []
    const quota = hour && day ? { hour_remaining: hour.quota - hour.used, day_remaining: day.quota - day.used } : null
    return ok({ ...(await dryRun(rt, sender, wanted, seesCosts)), quota })
  }
  const { idempotencyKey, admission } = request
  const { sender } = mount.principalOf(rt, request)
  const deadline = request.sendDeadline ?? sendDeadline(rt, request.arrivedMs)
  const { data, replayed } = await send(rt, { sender, request: wanted, idempotencyKey, deadline, admission })
  if (replayed) reply.header('idempotent-replayed', 'true')
  // A repeat answers what the first request with its key answered: the same type, read back from the database.
  return ok(data as SendAnswers[Kind])
}
