import { createHash } from 'node:crypto'
import type { RelayType } from '../contract/connections.ts'
import type { RelayedEcho, RelayedMessage, RelayPiece } from '../platform/relay-dialect.ts'
import type { Relay } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { fanOutRelay, insertRelayItem } from '../store/connections/relays.ts'
import type { Unit } from '../store/engine/unit.ts'
import { findMessagesByChannelId, type MessageRow } from '../store/messages/messages.ts'
import { relaysOf } from './publish-event.ts'

/** Something that goes on to tools, and where it belongs. */
export type ToRelay = {
  accountId: string
  channelId: string
  /** Null for what concerns the business account as a whole. */
  numberId: string | null
  /** Equal for repeats, and of one channel. */
  key: string
  piece: RelayPiece
  /** The callback it came in, and how much there was in it. */
  group?: { id: string; size: number }
}

/** Fields that only the sending connection gets. */
export type RelayFacts = readonly (RelayedMessage & { keyId: string })[]

type AddRelays = (unit: Unit) => void

const nothing: AddRelays = () => {}

/** Reads what has to be known, and gives what adds the items and their deliveries to a unit. */
export async function publishRelays(rt: Runtime, items: readonly ToRelay[]): Promise<AddRelays> {
  const byAccount = [...Map.groupBy(items, ({ accountId }) => accountId)]
  const adding = await Promise.all(byAccount.map(([accountId, own]) => publishOfAccount(rt, accountId, own)))
  if (adding.every((add) => add === nothing)) return nothing
  return (unit) => {
    for (const add of adding) add(unit)
  }
}

async function publishOfAccount(rt: Runtime, accountId: string, items: readonly ToRelay[]): Promise<AddRelays> {
  const relays = await relaysOf(rt, accountId)
  if (relays.length === 0) return nothing
  const [messages, whole] = await Promise.all([
    messagesNamed(rt, accountId, items),
    wholeChannels(rt, accountId, relays, items),
  ])
  const wanted = items.map((item) => ({
    ...item,
    message: messageOf(item, messages),
    facts: factsOf(rt, item, messages),
    receivers: relays.flatMap((relay, place) =>
      wants(rt, relay, item, { message: messageOf(item, messages), whole }) ? [{ relay, place }] : [],
    ),
  }))
  return (unit) => addAll(rt, unit, wanted)
}

type SentByOthers = {
  accountId: string
  numberId: string
  customerId: string | null
  /** Null for a person in the console. */
  keyId: string | null
  echo: RelayedEcho
}

/** An echo of a message, for tools that subscribe to echoes; never for the sender. */
export function addEcho(rt: Runtime, unit: Unit, relays: readonly Relay[], sent: SentByOthers): void {
  const { accountId, numberId, customerId, keyId, echo } = sent
  const receivers = relays.flatMap((relay, place) => {
    const { options, numberIds, seesPeople, expiresAt } = relay
    const isValid = expiresAt === null || expiresAt > rt.clock.now()
    const wantsIt = options.echoes === 'others' && seesPeople && isValid && relay.keyId !== keyId
    return wantsIt && (numberIds?.includes(numberId) ?? true) ? [{ relay, place }] : []
  })
  if (receivers.length === 0) return
  const key = createHash('sha256').update(`echo ${echo.messageId}`).digest('base64url')
  const body = rt.platform.relay.echo(echo)
  addItem(rt, unit, {
    accountId,
    key,
    kind: 'echo',
    subject: customerId,
    facts: [],
    receivers,
    body,
    dueFrom,
  })
}

const dueFrom = () => 0

type Messages = ReadonlyMap<string, MessageRow>
type Receiver = { relay: Relay; place: number }
type Wanted = ToRelay & { message: MessageRow | undefined; facts: RelayFacts; receivers: Receiver[] }

async function messagesNamed(rt: Runtime, accountId: string, items: readonly ToRelay[]): Promise<Messages> {
  const ids = [...new Set(items.flatMap(({ piece }) => piece.messageIds))]
  if (ids.length === 0) return new Map()
  const rows = await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids })
  return new Map(rows.map((row) => [row.channel_message_id ?? '', row]))
}

function messageOf({ piece }: ToRelay, messages: Messages): MessageRow | undefined {
  return messages.get(piece.messageIds[0] ?? '')
}

/** By relay and channel: whether it has all numbers there. Only such a one is told what is about no number. */
type WholeChannels = (relay: Relay, channelId: string) => boolean

async function wholeChannels(
  rt: Runtime,
  accountId: string,
  relays: readonly Relay[],
  items: readonly ToRelay[],
): Promise<WholeChannels> {
  const isAsked = items.some(({ numberId }) => numberId === null) && relays.some(({ numberIds }) => numberIds !== null)
  const numbers = isAsked ? await rt.store.read(connectedNumbers, { account_id: accountId }) : []
  return ({ numberIds }, channelId) => {
    if (numberIds === null) return true
    const own = numbers.filter(({ channel_id }) => channel_id === channelId)
    return own.length > 0 && own.every(({ id }) => numberIds.includes(id))
  }
}

type Known = { message: MessageRow | undefined; whole: WholeChannels }

function wants(rt: Runtime, relay: Relay, { piece, numberId, channelId }: ToRelay, { message, whole }: Known): boolean {
  const { options, numberIds, seesPeople, keyId, expiresAt } = relay
  if (expiresAt !== null && expiresAt <= rt.clock.now()) return false
  if (!options.fields.includes('*') && !options.fields.includes(piece.field)) return false
  const isIts = numberId === null ? whole(relay, channelId) : (numberIds?.includes(numberId) ?? true)
  if (!isIts || (!seesPeople && !rt.platform.relay.namesNobody(piece))) return false
  const isOwn = message?.direction === 'outbound' && message.api_key_id === keyId
  return piece.kind !== 'status' || isOwn || (options.statuses === 'all' && seesPeople)
}

/** Frozen here: what is sent again days later has the same bytes. */
function factsOf(rt: Runtime, { piece }: ToRelay, messages: Messages): RelayFacts {
  return piece.messageIds.flatMap((id) => {
    const row = messages.get(id)
    if (!row?.api_key_id || row.direction !== 'outbound') return []
    const alias = row.alias === 1 ? rt.platform.dialect.aliasOf(row.id) : null
    const opaque = piece.kind === 'status' ? row.opaque : null
    return alias === null && opaque === null ? [] : [{ keyId: row.api_key_id, id, alias, opaque }]
  })
}

function addAll(rt: Runtime, unit: Unit, wanted: readonly Wanted[]): void {
  const grouped = groupsOf(wanted)
  for (const item of wanted) {
    const single = item.receivers.filter(({ relay }) => !grouped.some((group) => group.holds(item, relay)))
    addItem(rt, unit, { ...addressed(rt, item), receivers: single, body: item.piece.body })
  }
  for (const { items, receivers } of grouped) {
    const [first] = items
    if (!first) continue
    const body = rt.platform.relay.join(items.map(({ piece }) => piece.body))
    const facts = items.flatMap((item) => item.facts)
    const key = createHash('sha256')
      .update(`group ${items.map((item) => item.key).join(' ')}`)
      .digest('base64url')
    addItem(rt, unit, { ...addressed(rt, first), key, facts, receivers, body })
  }
}

type Group = { items: Wanted[]; receivers: Receiver[]; holds(item: Wanted, relay: Relay): boolean }

/** Callbacks of which a receiver gets everything, and wants it as it came. */
function groupsOf(wanted: readonly Wanted[]): Group[] {
  const several = wanted.filter(({ group }) => (group?.size ?? 1) > 1)
  return [...Map.groupBy(several, ({ group }) => group?.id)].flatMap(([, items]): Group[] => {
    if (items.length !== items[0]?.group?.size) return []
    const receivers = (items[0]?.receivers ?? []).filter(
      ({ relay, place }) =>
        relay.options.grouping === 'as_received' &&
        items.every((item) => item.receivers.some((one) => one.place === place)),
    )
    const holds = (item: Wanted, relay: Relay) =>
      items.includes(item) && receivers.some((one) => one.relay.webhookId === relay.webhookId)
    return receivers.length > 0 ? [{ items, receivers, holds }] : []
  })
}

type Addressed = Pick<ToRelay, 'accountId' | 'key'> & {
  kind: RelayPiece['kind']
  /** The ordering key of its deliveries: the customer. */
  subject: string | null
  facts: RelayFacts
  /** Before this a receiver is not told. */
  dueFrom(relay: Relay): number
}

function addressed(rt: Runtime, { accountId, key, piece, message, facts }: Wanted): Addressed {
  const dueFrom = (relay: Relay) => answeredBy(rt, relay, piece, message)
  return { accountId, key, kind: piece.kind, subject: message?.customer_id ?? null, facts, dueFrom }
}

function addItem(rt: Runtime, unit: Unit, item: Addressed & { receivers: readonly Receiver[]; body: string }): void {
  const { accountId, key, kind, subject, facts, receivers, body } = item
  if (receivers.length === 0) return
  const id = rt.newId('evt')
  const now = rt.clock.now()
  unit.add(insertRelayItem, {
    id,
    account_id: accountId,
    key_hash: key,
    body,
    facts: JSON.stringify(facts),
  })
  const type: RelayType = `relay.${kind}`
  const deliveries = receivers.map(({ relay, place }) => ({
    item_id: id,
    webhook_id: relay.webhookId,
    place: String(place).padStart(2, '0'),
    type,
    subject,
    now,
    due_at: Math.max(now, item.dueFrom(relay)),
  }))
  unit.add(fanOutRelay, ...deliveries)
}

/** A tool knows none of its messages before their answer: until then, their statuses would be lost on it. */
function answeredBy(rt: Runtime, { keyId }: Relay, { kind }: RelayPiece, message: MessageRow | undefined): number {
  if (kind !== 'status' || !message || message.api_key_id !== keyId || message.alias === 1) return 0
  // A step 'sent' that we took: messages/message-record.ts, which stands above this file, says how it is stored.
  const isAnswered = /\["sent",\d+,-?\d+,[02][,\]]/.test(message.history)
  return isAnswered ? 0 : message.created_at + rt.config.graphAnswerMs
}
