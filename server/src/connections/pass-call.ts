import type { Admission, Caller } from '../access/caller.ts'
import { type IdempotencyKey, messageOfKey } from '../access/idempotency.ts'
import type { SendDeadline } from '../access/send-deadline.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
import { minuteMs } from '../lib/durations.ts'
import { takeNow } from '../limits/rate.ts'
import { noteBlocked } from '../messages/blocked.ts'
import type { Sender } from '../messages/send/draft.ts'
import { type SendOutcome, send } from '../messages/send/send.ts'
import type { WireRequest, WireSent } from '../messages/send/send-request.ts'
import type { PassedCall } from '../platform/chat-platform.ts'
import type { WireAnswer, WireBody } from '../platform/dialect.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'
import { noteTokenInAddress } from '../store/connections/connections.ts'
import { unitOf } from '../store/engine/unit.ts'
import { aliasMessage, findMessagesById } from '../store/messages/messages.ts'
import { findTemplateAtPlatform } from '../store/templates/templates.ts'
import { syncIfDue } from '../templates/sync/sync-templates.ts'
import type { Connection } from './connection.ts'
import { releaseIfAnswered } from './repeat-keys.ts'

/** The objects that a connection can address: its numbers, their business accounts, and their templates. */
export type GraphObject = {
  kind: 'number' | 'waba' | 'template'
  number: ChannelNumber
  /** Meta's ids of the numbers that the connection may use there. */
  numberIds: readonly string[]
}

/** Null for ids of others, of nothing and of what cannot be named: the answer is the same. */
export async function objectOf(rt: Runtime, caller: Caller, id: string): Promise<GraphObject | null> {
  const usable = await usableNumbers(rt, caller)
  const named = usable.find(({ phone_number_id }) => phone_number_id === id)
  if (named) return describe(rt, caller, { kind: 'number', row: named, usable })
  const ofWaba = usable.find(({ waba_id }) => waba_id === id)
  if (ofWaba) return describe(rt, caller, { kind: 'waba', row: ofWaba, usable })
  const at = { account_id: caller.accountId, channel_template_id: id }
  const [template] = await rt.store.read(findTemplateAtPlatform, at)
  const ofTemplate = template && usable.find(({ channel_id }) => channel_id === template.channel_id)
  return ofTemplate ? describe(rt, caller, { kind: 'template', row: ofTemplate, usable }) : null
}

/** The connected numbers that a connection may use, the default one first. */
export async function usableNumbers(rt: Runtime, { accountId, phoneNumberIds }: Caller): Promise<ConnectedNumberRow[]> {
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  return connected.filter(({ id }) => phoneNumberIds === null || phoneNumberIds.includes(id))
}

/** One of them by our own id. */
export async function objectOfId(rt: Runtime, caller: Caller, numberId: string): Promise<GraphObject> {
  const usable = await usableNumbers(rt, caller)
  const row = usable.find(({ id }) => id === numberId)
  if (!row) throw new AppError('channel_not_connected', 'The number is no longer connected.')
  return describe(rt, caller, { kind: 'number', row, usable })
}

type Found = { kind: GraphObject['kind']; row: ConnectedNumberRow; usable: readonly ConnectedNumberRow[] }

async function describe(rt: Runtime, caller: Caller, { kind, row, usable }: Found): Promise<GraphObject> {
  const number = await requireNumber(rt, caller.accountId, { from: row.id, allowedIds: caller.phoneNumberIds })
  const ofWaba = usable.filter(({ waba_id }) => waba_id === row.waba_id)
  return { kind, number, numberIds: ofWaba.map(({ phone_number_id }) => phone_number_id) }
}

/** Once, whatever comes of it. A change leaves a line in the audit log. */
export async function passCall(
  rt: Runtime,
  { number }: GraphObject,
  call: PassedCall,
  /** Null for what changes nothing, whatever its method says. */
  by: Author | null,
): Promise<WireAnswer> {
  const answer = await rt.platform.pass(number.credentials, call).catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    throw new AppError(error.code, 'Meta did not respond to this call.', { cause: error })
  })
  if (answer.status >= 400 && !rt.platform.dialect.passedRefusal(answer)) {
    throw new AppError(
      'channel_auth_failed',
      "Meta rejects the gateway's own access. The operator must reconnect the channel.",
    )
  }
  if (by && call.method !== 'GET' && answer.status < 300) {
    const targets = [{ type: 'graph', id: call.path, name: call.method }]
    const metadata = Object.keys(call.query).length > 0 ? { query: call.query } : {}
    const entry = { accountId: number.accountId, action: 'connection.call_passed', ...by, targets, metadata }
    await writeAudited(rt, entry, () => {})
  }
  return answer
}

/** A tool's changes are applied here at once, not with the next sync. */
export async function refreshTemplates(rt: Runtime, { number }: GraphObject): Promise<void> {
  await syncIfDue(rt, number, 0).catch((error: unknown) =>
    rt.log.warn({ err: error, channel_id: number.channelId }, 'templates.not_refreshed'),
  )
}

/** Whom a tool has blocked gets no broadcast and is shown as blocked, as if it had been done here. */
export async function noteBlocks(rt: Runtime, { number }: GraphObject, body: WireBody, author: Author): Promise<void> {
  const { blocked, unblocked } = rt.platform.dialect.blockedIn(body)
  const at = rt.clock.now()
  if (blocked.length > 0) await noteBlocked(rt, number, blocked, { action: 'customer.blocked', at, author })
  if (unblocked.length > 0) await noteBlocked(rt, number, unblocked, { action: 'customer.unblocked', at: null, author })
}

/** A tool that asks again and again cannot use up what the plan allows to all. */
export async function requirePace(rt: Runtime, { id, options }: Connection): Promise<void> {
  const most = options.max_per_minute
  if (most === null) return
  const waitMs = await takeNow(rt.sharedRate, [{ key: `connection ${id}`, everyMs: minuteMs / most, burst: most }])
  if (waitMs === 0) return
  throw new AppError('rate_limit_exceeded', `This connection may make ${most} requests a minute.`, {
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

const notedMax = 1_000

/** Proxies log addresses: a person is told that a token stands in them, and since when. One write for each token. */
export function createAddressNotes(rt: Runtime): (connectionId: string, epoch: number | undefined) => void {
  const noted = new Map<string, number | undefined>()
  return (id, epoch) => {
    // The epoch is another one after a rotation.
    if (noted.has(id) && noted.get(id) === epoch) return
    if (noted.size >= notedMax) noted.clear()
    noted.set(id, epoch)
    const unit = unitOf(noteTokenInAddress, { id, token_in_address_at: rt.clock.now() })
    rt.store.write(unit).catch((error: unknown) => rt.log.warn({ err: error }, 'connection.token_place_not_noted'))
  }
}

type WireSending = {
  connection: Connection
  sender: Sender
  request: WireRequest
  key: IdempotencyKey | null
  deadline: SendDeadline
  admission: Admission | null
}

/** The response to the client; `ownId` is its message. */
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

/**
 * Clients give up soon. Once the platform was called, they get an alias; before that, nothing was sent and they can be
 * told so.
 */
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
  throw new AppError('service_unavailable', 'The gateway waited too long for its database. Nothing was sent.', {
    retryAfterSeconds: 1,
    ...(deadline.calledFor === null ? {} : { messageId: deadline.calledFor }),
  })
}

/**
 * The message whose outcome an error leaves open; null where nothing was sent, or the client wants to be told the error.
 */
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
