import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { readIdempotencyKey } from '../../access/idempotency.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { requireNumber } from '../../channels/require-number.ts'
import type { Connection } from '../../connections/connection.ts'
import { sendWire, type WireReply } from '../../connections/pass-call.ts'
import { keptAfter, type LeftAnswer, type RepeatKeys } from '../../connections/repeat-keys.ts'
import { withOwnFiles } from '../../connections/tool-media.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { SendContacts, SendLocation, SendReaction } from '../../contract/messages/send-content.ts'
import { SendInteractive } from '../../contract/messages/send-interactive.ts'
import { SendMedia, SendSticker, SendTemplate, SendText } from '../../contract/messages/send-requests.ts'
import { ref } from '../../contract/schema.ts'
import { compactPhone } from '../../lib/phone.ts'
import { requireForm } from '../../messages/content/interactive/check-interactive.ts'
import { findMessageBy } from '../../messages/get-message.ts'
import { markRead } from '../../messages/mark-read.ts'
import type { SendRequest, WireRequest } from '../../messages/send/send-request.ts'
import type { WireBody, WireSend } from '../../platform/dialect.ts'
import type { WireEdge } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf } from '../edge/context.ts'
import { type ConnectionOf, tokenOf } from './graph-address.ts'

type Tools = { rt: Runtime; connectionOf: ConnectionOf; repeats: RepeatKeys }
type Address = { Params: { number: string } }

const edges: readonly WireEdge[] = ['messages', 'marketing_messages']

/** The calls with which clients send, and mark messages as read. */
export function addGraphSends(graph: App, tools: Tools): void {
  const config = { access: { scope: 'messages:send' }, connectionToken: tokenOf, decidedByWrite: true } as const
  for (const edge of edges) {
    graph.post<Address>(`/:number/${edge}`, { config, schema: { hide: true } }, async (request, reply) => {
      const body = request.body as WireBody
      const read = tools.rt.platform.dialect.readRead(body)
      return read ? noteRead(tools, request, read) : respondToSend(tools, edge, request, reply)
    })
  }
}

async function respondToSend(tools: Tools, edge: WireEdge, request: FastifyRequest<Address>, reply: FastifyReply) {
  const { rt, connectionOf, repeats } = tools
  const connection = await connectionOf(request)
  const { accountId, keyId, phoneNumberIds } = callerOf(request)
  const body = await withoutAliases(rt, accountId, request.body as WireBody)
  const wire = rt.platform.dialect.readSend(body)
  const wanted = await requestOf(rt, request, edge, { wire, body })
  const given = readIdempotencyKey(request.headers['idempotency-key'])
  const key = repeats.keyOf(connection, given, { number: request.params.number, edge, body: request.body })
  if (key) await repeats.ready(key)
  const leavesWindow = wire.hasCategory || connection.options.window === 'meta'
  const sending = {
    connection,
    sender: { accountId, keyId, phoneNumberIds, leavesWindow },
    request: wanted,
    key,
    deadline: sendDeadline(rt, request.arrivedMs),
    admission: request.admission,
  }
  const answered = (ownId: string | undefined, replayed: boolean, isHarmless: boolean) => {
    if (key && ownId) release(tools, connection, { request, reply, key, ownId, replayed, isHarmless })
  }
  try {
    const sent = await sendWire(rt, sending)
    if (sent.replayed) {
      rt.metrics.graphRepeats.inc({})
      reply.header('idempotent-replayed', 'true')
    }
    answered(sent.ownId, sent.replayed, wire.type === 'reaction')
    return sent.answer
  } catch (error) {
    if (error instanceof AppError) answered(error.extras.messageId, false, error.code !== 'send_outcome_unknown')
    throw isOfNumber(error) ? unknownNumber() : error
  }
}

type Answered = Pick<WireReply, 'ownId' | 'replayed'> &
  Pick<LeftAnswer, 'key' | 'isHarmless'> & { request: FastifyRequest; reply: FastifyReply }

/** After the response was written. A client that disconnected before may retry, and finds its key. */
function release({ repeats }: Tools, connection: Connection, { request, reply, ownId, ...answer }: Answered): void {
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) return
    const tookMs = performance.now() - request.arrivedMs
    const keptMs = keptAfter(connection, { ...answer, tookMs })
    if (keptMs !== null) repeats.answered(answer.key, ownId, keptMs)
  })
}

type Read = { wire: WireSend; body: WireBody }

async function requestOf(
  rt: Runtime,
  request: FastifyRequest<Address>,
  edge: WireEdge,
  { wire, body }: Read,
): Promise<WireRequest> {
  if (wire.to === null)
    throw invalidField('to', 'required', 'Name the recipient in `to`, or in `recipient` by user id.')
  if (wire.toGroup) {
    throw invalidField(
      'recipient_type',
      'invalid_value',
      'Messages to groups are not sent by this gateway; use `individual`.',
    )
  }
  // Meta takes a number without its plus sign, however its digits are grouped.
  const digits = compactPhone(wire.to)
  const to = /^\d{5,15}$/.test(digits) ? `+${digits}` : wire.to
  const from = request.params.number
  const { type: metaType, quoted, opaque } = wire
  const { accountId } = callerOf(request)
  const known = wire.request && { ...wire.request, body: await withOwnFiles(rt, accountId, wire.request.body) }
  const said = saidIn(request, { ...wire, request: known }, { to, from })
  return { to, from, edge, body, said, metaType, quoted, opaque }
}

const schemas: Readonly<Record<string, TSchema>> = {
  text: ref(SendText),
  template: ref(SendTemplate),
  media: ref(SendMedia),
  interactive: ref(SendInteractive),
  location: ref(SendLocation),
  contacts: ref(SendContacts),
  sticker: ref(SendSticker),
  reaction: ref(SendReaction),
} satisfies Record<Exclude<SendRequest['kind'], 'wire'>, TSchema>

/** The message as a request to /v1, where that would accept it; otherwise it is known by Meta's words alone. */
function saidIn(request: FastifyRequest, { request: said }: WireSend, place: { to: string; from: string }) {
  const schema = said && schemas[said.kind]
  if (!said || !schema) return null
  const body = { ...place, ...said.body }
  if (!request.compileValidationSchema(schema, 'body')(body)) return null
  try {
    const form = said.kind === 'interactive' ? requireForm(body as never) : body
    return { kind: said.kind, body: form } as Exclude<SendRequest, { kind: 'wire' }>
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** A client knows some of its messages by an id of ours; Meta knows them by its own. */
async function withoutAliases(rt: Runtime, accountId: string, body: WireBody): Promise<WireBody> {
  const { dialect } = rt.platform
  const wire = dialect.readSend(body)
  const reacted = (wire.request?.kind === 'reaction' && wire.request.body.message_id) || null
  const idOf = async (id: unknown) => (typeof id === 'string' ? platformId(rt, accountId, id) : null)
  return dialect.withIds(body, { quoted: await idOf(wire.quoted), reacted: await idOf(reacted) })
}

/** Null where the id is one of Meta already. */
async function platformId(rt: Runtime, accountId: string, id: string): Promise<string | null> {
  const ownId = rt.platform.dialect.ownId(id)
  if (ownId === null) return null
  const row = await findMessageBy(rt, accountId, ownId)
  if (row?.channel_message_id) return row.channel_message_id
  throw invalidField(
    'context',
    'invalid_value',
    'Meta has not named this message yet. Try again when its status has arrived.',
  )
}

/** A message that is not known here was perhaps received before the gateway was. */
async function noteRead(
  { rt }: Tools,
  request: FastifyRequest<Address>,
  { messageId, typing }: { messageId: string; typing: boolean },
) {
  await request.admission?.settle()
  const { accountId, phoneNumberIds } = callerOf(request)
  const sender = { accountId, phoneNumberIds, keyId: null }
  const known = await findMessageBy(rt, accountId, messageId)
  if (known) {
    await markRead(rt, sender, known.id, { typing })
    return { success: true }
  }
  const wanted = { from: request.params.number, allowedIds: phoneNumberIds }
  const number = await requireNumber(rt, accountId, wanted).catch((error: unknown) => {
    throw isOfNumber(error) ? unknownNumber() : error
  })
  await rt.platform.markRead(number.credentials, messageId, { typing })
  return { success: true }
}

function isOfNumber(error: unknown): boolean {
  return error instanceof AppError && error.code === 'validation_failed' && error.extras.details?.[0]?.field === 'from'
}

/** The same for a number that is another account's, and for one that is nobody's. */
function unknownNumber(): AppError {
  return new AppError('endpoint_not_found', 'This token has no number with this id.')
}
