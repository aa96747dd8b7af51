import type { Admission } from '../access/caller.ts'
import { type IdempotencyKey, messageOfKey } from '../access/idempotency.ts'
import type { SendDeadline } from '../access/send-deadline.ts'
import { AppError } from '../contract/app-error.ts'
import { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
import type { Sender } from '../messages/send/draft.ts'
import { type SendOutcome, send } from '../messages/send/send.ts'
import type { WireRequest, WireSent } from '../messages/send/send-request.ts'
import type { WireBody } from '../platform/dialect.ts'
import type { Runtime } from '../runtime.ts'
import { unitOf } from '../store/engine/unit.ts'
import { aliasMessage, findMessagesById } from '../store/messages/messages.ts'
import type { Connection } from './connection.ts'
import { releaseIfAnswered } from './repeat-keys.ts'

export type WireSending = {
  connection: Connection
  sender: Sender
  request: WireRequest
  key: IdempotencyKey | null
  deadline: SendDeadline
  admission: Admission | null
}

/** What the client is told; `ownId` is the message behind it. */
export type WireReply = { answer: WireBody; ownId: string; replayed: boolean }

/**
 * Sends a body as it came and gives the platform's answer as it came. A client that gets an error sends again, whatever the
 * error says, so an outcome that is not known is none: the client gets an id of ours, an alias, and hears what became of the
 * message in its statuses. The same where the platform takes longer than clients wait: the call goes on, and nothing is cut off.
 */
export async function sendWire(rt: Runtime, sending: WireSending): Promise<WireReply> {
  const { deadline } = sending
  const sent = sendOnce(rt, sending)
  try {
    const early = await withTimeout(sent, rt.config.graphAnswerMs - waitedMs(rt, deadline))
    const done = early === timedOut ? await lateOutcome(rt, sending, sent) : early
    return 'data' in done ? replyOf(rt, sending, done.data as WireSent, done.replayed) : done
  } catch (error) {
    const messageId = await unknownMessage(rt, sending, error)
    if (messageId === null) throw error
    return aliased(rt, sending, messageId)
  }
}

/** A repeat gets the answer of the first, unless it is none: the customer has written since that answer. */
async function sendOnce(rt: Runtime, { sender, request, key, deadline, admission }: WireSending): Promise<SendOutcome> {
  const body = { kind: 'wire', body: request } as const
  const first = await send(rt, { sender, request: body, idempotencyKey: key, deadline, admission })
  if (!first.replayed || !key || !(await releaseIfAnswered(rt, key))) return first
  const settled = { ...sender, ...(await admission?.settle()) }
  return send(rt, { sender: settled, request: body, idempotencyKey: key, deadline })
}

function waitedMs(rt: Runtime, deadline: SendDeadline): number {
  return rt.config.sendTimeoutMs - deadline.leftMs()
}

/** Clients give up soon. Once the platform was called, they get an alias; before that, nothing was sent and they can be told so. */
async function lateOutcome(rt: Runtime, sending: WireSending, sent: Promise<SendOutcome>) {
  const { key, deadline, connection } = sending
  const called = deadline.calledFor ?? (key && (await messageOfKey(rt, key)))
  if (called && connection.options.unknown === 'alias') {
    // What the call comes to is recorded, and told in the statuses.
    sent.catch(() => {})
    return aliased(rt, sending, called)
  }
  const outcome = await withTimeout(sent, deadline.answerWaitMs())
  if (outcome !== timedOut) return outcome
  throw new AppError(
    'service_unavailable',
    'The gateway waited too long for its database. This request has sent nothing.',
    {
      retryAfterSeconds: 1,
      ...(deadline.calledFor === null ? {} : { messageId: deadline.calledFor }),
    },
  )
}

/** The message whose outcome an error leaves open; null where nothing was sent, or the client wants to be told the error. */
async function unknownMessage(rt: Runtime, { connection, key, deadline }: WireSending, error: unknown) {
  if (connection.options.unknown !== 'alias') return null
  if (!(error instanceof AppError)) return deadline.calledFor
  if (error.code === 'send_outcome_unknown') return error.extras.messageId ?? deadline.calledFor
  if (error.code === 'idempotency_in_progress') return key && messageOfKey(rt, key)
  return error.code === 'service_unavailable' || error.code === 'internal_error' ? deadline.calledFor : null
}

/** One durable write: from then on this message has that id for its client, whatever the platform's turns out to be. */
async function aliased(rt: Runtime, { request }: WireSending, ownId: string): Promise<WireReply> {
  const { dialect } = rt.platform
  await rt.store.write(unitOf(aliasMessage, { id: ownId }))
  const [row] = await rt.store.read(findMessagesById, { ids: [ownId] })
  // A status has named it in the meantime.
  const messageId = row?.alias === 1 ? dialect.aliasOf(ownId) : (row?.channel_message_id ?? dialect.aliasOf(ownId))
  rt.metrics.graphAliases.inc({})
  return { answer: dialect.accepted({ to: request.to, messageId }), ownId, replayed: false }
}

function replyOf(rt: Runtime, { request }: WireSending, sent: WireSent, replayed: boolean): WireReply {
  const { dialect } = rt.platform
  const { own_id: ownId, message_id, alias } = sent
  const messageId = alias ? dialect.aliasOf(ownId) : message_id
  const answer = (alias ? null : sent.answer) ?? dialect.accepted({ to: request.to, messageId })
  return { answer, ownId, replayed }
}
