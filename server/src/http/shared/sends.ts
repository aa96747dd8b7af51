import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
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
import type { SendRequest } from '../../messages/send/send-request.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Messages')
const inTime = 'The response comes within 10 seconds.'
const fileInTime = `${inTime} When the upload to Meta takes longer, the response is \`service_unavailable\`; the upload continues, and a retry uses it.`

const common = ['to', 'from', 'reply_to']
const sendText = {
  path: 'send',
  operationId: 'sendText',
  summary: 'Send a text message',
  description: `Allowed for 24 hours after the customer's last message; after that, send a template. ${inTime}`,
  body: SendText,
  checks: [...common, 'fallback', 'direct_send', 'message', 'preview_url'],
  sent: SentText,
}
/** A tool's own words come below /graph. */
type Kind = Exclude<SendRequest['kind'], 'wire'>
type Way = Omit<typeof sendText, 'body' | 'sent'> & { body: TSchema; sent: TSchema }

/** All ways to send, by a program or by hand. `checks`: the fields of the request that are checked beyond their schema. */
const ways: Record<Kind, Way> = {
  text: sendText,
  template: {
    path: 'template',
    operationId: 'sendTemplate',
    summary: 'Send a template message',
    description: `Needed to write to a customer first, and outside the 24-hour window. ${inTime}`,
    body: SendTemplate,
    checks: [...common, 'components'],
    sent: SentTemplate,
  },
  media: {
    path: 'media',
    operationId: 'sendMedia',
    summary: 'Send an image, document, audio or video',
    description: fileInTime,
    body: SendMedia,
    checks: [...common, 'media_id', 'link', 'caption', 'filename', 'voice'],
    sent: SentOther,
  },
  interactive: {
    path: 'interactive',
    operationId: 'sendInteractive',
    summary: 'Send an interactive message',
    description: inTime,
    body: SendInteractive,
    checks: [
      ...[...common, 'header', 'body', 'footer', 'buttons', 'button', 'url', 'flow', 'sections', 'catalog_id'],
      ...['product_id', 'product_sections', 'product_ids', 'direct_send', 'thumbnail_product_id', 'cards', 'address'],
      ...['order', 'order_status', 'replies'],
    ],
    sent: SentOther,
  },
  location: {
    path: 'location',
    operationId: 'sendLocation',
    summary: 'Send a location',
    description: inTime,
    body: SendLocation,
    checks: common,
    sent: SentOther,
  },
  contacts: {
    path: 'contacts',
    operationId: 'sendContacts',
    summary: 'Send contact cards',
    description: inTime,
    body: SendContacts,
    checks: common,
    sent: SentOther,
  },
  sticker: {
    path: 'sticker',
    operationId: 'sendSticker',
    summary: 'Send a sticker',
    description: fileInTime,
    body: SendSticker,
    checks: [...common, 'media_id', 'link'],
    sent: SentOther,
  },
  reaction: {
    path: 'reaction',
    operationId: 'sendReaction',
    summary: 'React to a message',
    description: `Puts an emoji on a message, or removes it. Its status stays \`sent\`: Meta reports neither delivery nor reading of reactions. ${inTime}`,
    body: SendReaction,
    checks: ['to', 'from', 'message_id', 'emoji'],
    sent: SentOther,
  },
}

export function addSendRoutes(app: App, rt: Runtime, mount: Mount): void {
  const may = mount.may('messages:send', { idempotent: 'in_unit', charged: true, decidedByWrite: true })
  for (const kind of Object.keys(ways) as Kind[]) {
    const { path, body, checks, sent, ...about } = ways[kind]
    app.post(
      `${mount.chat}/messages/${path}`,
      route({
        ...about,
        config: { ...may, answersInTime: true },
        querystring: SendQuery,
        body: ref(body),
        ...furtherChecks(...checks),
        response: { 200: sendAnswer(sent) },
      }),
      async (request, reply) => respondToSend({ rt, mount }, request, reply, requestOf(kind, request.body)),
    )
  }
}

/** The schema of this way has checked the body. */
function requestOf(kind: Kind, body: unknown): SendRequest {
  const wanted = { kind, body } as SendRequest
  return wanted.kind === 'interactive' ? { kind: 'interactive', body: requireForm(wanted.body) } : wanted
}

const sendAnswer = <Sent extends TSchema>(sent: Sent) =>
  answer(
    Type.Union([ref(sent), ref(DryRun)], {
      description:
        'The message that was sent, or, with `dry_run=true` in the request, what would happen: that response has `dry_run: true`.',
    }),
  )

/** Sends, or says what a dry run would. */
async function respondToSend(
  { rt, mount }: { rt: Runtime; mount: Mount },
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: SendRequest,
) {
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
  return ok(data)
}
