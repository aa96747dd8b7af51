import { countPrice, countStatus, type Price, type StepDetails, uncountFailed } from '../analytics/count-message.ts'
import { addRelease, addSpending } from '../budgets/hold.ts'
import { readTerms, type Terms } from '../budgets/terms.ts'
import type { ItemInContext, ItemOutcome } from '../channels/callbacks/callback-items.ts'
import { priceKey } from '../costs/price-of.ts'
import { erasedIds } from '../events/masked-event.ts'
import { calendarDayOf } from '../lib/time-zone.ts'
import type { StatusItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import {
  advanceMessage,
  findMessagesByChannelId,
  findMessagesById,
  giveToCustomer,
  type MessageRow,
  updateMessage,
} from '../store/messages/messages.ts'
import { addPlan, afterPlan, readPlan } from './customers/as-customer.ts'
import type { Plan } from './customers/identity.ts'
import {
  failureOf,
  type HistoryEntry,
  isErased,
  isGivenUp,
  isUnderWay,
  type MessageFailure,
  messageFacts,
  publishMessageEvent,
  sentFacts,
  statusRecordOf,
  storedHistory,
} from './message-record.ts'
import { applyStatus, type StatusChange } from './status-machine.ts'

type Entry = ItemInContext<StatusItem>

const triesMax = 8

/**
 * Statuses by the hundred: one read for all messages of an account, one unit per message, all in one group commit. A
 * message that another unit changed in between is read again and applied again by itself.
 */
export async function applyStatuses(rt: Runtime, batch: readonly Entry[]): Promise<ItemOutcome[]> {
  const outcomes = new Map<Entry, ItemOutcome>()
  const byAccount = Map.groupBy(batch, ({ context }) => context.accountId)
  await Promise.all(
    [...byAccount].map(async ([accountId, entries]) => {
      const [rows, terms] = await Promise.all([findRows(rt, accountId, entries), readTerms(rt, accountId)])
      const byMessage = Map.groupBy(entries, (entry) => rows.of(entry)?.id ?? null)
      await Promise.all(
        [...byMessage].map(async ([id, group]) => {
          const row = id === null ? undefined : rows.byId.get(id)
          const outcome = row ? await applyToMessage(rt, row, group, terms) : 'unmatched'
          for (const entry of group) outcomes.set(entry, outcome)
        }),
      )
    }),
  )
  return batch.map((entry) => outcomes.get(entry) ?? 'unmatched')
}

async function findRows(rt: Runtime, accountId: string, entries: readonly Entry[]) {
  const channelIds = entries.map(({ item }) => item.channelMessageId)
  const found = await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids: [...new Set(channelIds)] })
  const byChannelId = new Map(found.map((row) => [row.channel_message_id, row]))
  // A send whose answer is still on its way, or was lost, is known only by the id we gave along.
  const correlations = entries
    .filter(({ item }) => !byChannelId.has(item.channelMessageId))
    .flatMap(({ item }) => item.correlation ?? [])
  const queued =
    correlations.length > 0 ? await rt.store.read(findMessagesById, { ids: [...new Set(correlations)] }) : []
  const own = queued.filter((row) => row.account_id === accountId)
  const byId = new Map([...found, ...own].map((row) => [row.id, row]))
  const known = ({ item }: Entry) => byChannelId.get(item.channelMessageId) ?? byId.get(item.correlation ?? '')
  const left = entries.filter((entry) => !known(entry))
  if (left.length === 0) return { byId, of: known }
  const erasedId = await erasedIds(rt, accountId)
  const ids = left.map(({ item }) => erasedId(item.channelMessageId))
  const erased = await rt.store.read(findMessagesByChannelId, { account_id: accountId, ids: [...new Set(ids)] })
  const byErasedId = new Map(erased.map((row) => [row.channel_message_id, row]))
  return {
    byId: new Map([...byId, ...erased.map((row) => [row.id, row] as const)]),
    of: (entry: Entry) => known(entry) ?? byErasedId.get(erasedId(entry.item.channelMessageId)),
  }
}

/** A status as it is recorded of a message whose customer was erased: Meta's id and Meta's words would name them again. */
async function withoutPerson(rt: Runtime, accountId: string, group: readonly Entry[]): Promise<Entry[]> {
  const erasedId = await erasedIds(rt, accountId)
  return group.map(({ item, context }) => {
    const failures = item.failures.map((failure) => ({
      ...failure,
      upstream: { ...failure.upstream, title: null, detail: null },
    }))
    return { context, item: { ...item, channelMessageId: erasedId(item.channelMessageId), failures } }
  })
}

async function applyToMessage(
  rt: Runtime,
  first: MessageRow,
  group: readonly Entry[],
  terms: Terms | null,
): Promise<ItemOutcome> {
  let row = first
  for (let tries = 1; ; tries++) {
    const unit = new Unit()
    const outcome = isErased(row) ? 'erased' : 'applied'
    const told = outcome === 'erased' ? await withoutPerson(rt, row.account_id, group) : group
    const named = await recipientOf(rt, row, told)
    const changed = told.reduce((current, entry) => addStatus(rt, unit, current, entry, terms), named?.row ?? row)
    if (changed === (named?.row ?? row)) return outcome
    const isNamed = row.channel_message_id !== null && changed.user_id === row.user_id
    unit.add(isNamed ? advanceMessage : updateMessage, { ...changed, revision: row.revision })
    if (named) addRecipient(rt, unit, row, named)
    try {
      await rt.store.write(unit)
      if (named) await afterPlan(rt, named.plan)
      return outcome
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= triesMax) throw error
      const [again] = await rt.store.read(findMessagesById, { ids: [row.id] })
      if (!again) return outcome
      row = again
    }
  }
}

type Recipient = { row: MessageRow; plan: Plan }

/**
 * Who a message to a number went to, where the platform names them for the first time: number and user id are one
 * customer.
 */
async function recipientOf(rt: Runtime, row: MessageRow, group: readonly Entry[]): Promise<Recipient | null> {
  const { phone, user_id: known, account_id: accountId, created_at: at } = row
  const naming = group.find(({ item }) => item.recipient.userId !== null)
  const { userId = null, parentId = null } = naming?.item.recipient ?? {}
  if (phone === null || known !== null || userId === null || !naming) return null
  const plan = await readPlan(rt, accountId, { phone, userId, parentId, channelId: naming.context.channel.id, at })
  return { row: { ...row, user_id: userId, customer_id: plan.customerId }, plan }
}

function addRecipient(rt: Runtime, unit: Unit, { id, customer_id, account_id }: MessageRow, { plan }: Recipient): void {
  addPlan(rt, unit, account_id, plan)
  if (customer_id !== plan.customerId) unit.add(giveToCustomer, { id, account_id, customer_id: plan.customerId })
}

/** The message after this status; the same object when nothing is new. Events and counts go into the unit. */
function addStatus(
  rt: Runtime,
  unit: Unit,
  row: MessageRow,
  { item, context }: Entry,
  terms: Terms | null,
): MessageRow {
  const at = item.at ?? context.receivedAt
  const status = item.status === 'other' ? item.platformStatus : item.status
  const record = statusRecordOf(row)
  const change = applyStatus(record, { status, at })
  if (change.history.length === 0) return row
  const price = priceIn(record.history, item, at, context.channel.timeZone ?? 'UTC')
  const recordedAt = timeAfter(rt.clock.now(), record.history)
  const next = afterChange(row, item, change, [...record.history, ...recorded(change, price, recordedAt)])
  // What did not go through us is shown, and is nobody's to be told or billed for here.
  if (row.origin !== null) return next
  // A delivery proves a failure wrong, and its count with it.
  if (record.status === 'failed' && next.status !== 'failed') uncountFailed(unit, messageFacts(row), failureCode(row))
  let sequence = row.event_sequence
  for (const type of change.events) {
    const step = type.replace('message.', '') as 'sent' | 'delivered' | 'read' | 'failed'
    sequence++
    const inferred = change.history.some((entry) => entry.status === step && entry.inferred)
    const numberPhone = context.number?.phoneNumber ?? null
    const event = { numberPhone, type, status: step, at: change.at, inferred, sequence, dueFrom: recordedAt }
    publishMessageEvent(rt, unit, next, event)
    // Nobody knows when an inferred delivery happened: it says nothing about how long one takes.
    const details: StepDetails = { ...detailsOf(next, step), ...(inferred ? { latencyMs: null } : {}) }
    if (type === change.events[0]) details.created = isUnderWay(row) && !isUnderWay(next)
    if (type === change.events.at(-1)) details.price = price
    countStatus(unit, step === 'sent' ? sentFacts(rt, next) : messageFacts(next), step, details)
    rt.metrics.messages.inc({ direction: 'outbound', type: row.type, status: step })
    observeLatency(rt, next, step)
  }
  if (price !== null && change.events.length === 0) countPrice(unit, messageFacts(next), price)
  return { ...settled(unit, terms, next, price), event_sequence: sequence }
}

/** Its budget reservation: replaced by Meta's charge once reported, and released once it failed. */
function settled(unit: Unit, terms: Terms | null, row: MessageRow, price: Price | null): MessageRow {
  if (price !== null) return addSpending(unit, terms, row, price)
  return row.status === 'failed' ? addRelease(unit, row) : row
}

/**
 * What this report says the message is charged as, if no earlier one did. The platform charges what arrived and says so
 * with `delivered` or with `read`, never with both; what it says with `sent` may still come to nothing. The day is that of
 * the report, in the zone by which the platform bills the WABA.
 */
function priceIn(
  history: readonly HistoryEntry[],
  { status, pricing }: StatusItem,
  at: number,
  timeZone: string,
): Price | null {
  const arrived = status === 'delivered' || status === 'read'
  const known = history.some((entry) => entry.pricing !== undefined)
  if (!arrived || known || !pricing?.category) return null
  return { key: priceKey({ ...pricing, category: pricing.category }), day: calendarDayOf(at, timeZone) }
}

const clockSkewMaxMs = 5_000

/**
 * Nodes read their clocks from the database and may be apart by its round trip. What is recorded after a step of
 * another node gets a later time than that step: deliveries leave in the order of their times.
 */
function timeAfter(now: number, history: readonly HistoryEntry[]): number {
  const last = history.reduce((latest, entry) => Math.max(latest, entry.recordedAt), 0)
  return last > now && last - now <= clockSkewMaxMs ? last + 1 : now
}

function recorded({ history }: StatusChange, price: Price | null, recordedAt: number): HistoryEntry[] {
  return history.map((entry) => ({
    ...entry,
    recordedAt,
    ...(price !== null && !entry.inferred ? { pricing: price.key, priceDay: price.day } : {}),
  }))
}

function afterChange(
  row: MessageRow,
  item: StatusItem,
  { next }: StatusChange,
  history: readonly HistoryEntry[],
): MessageRow {
  const settled = next.status !== 'queued'
  return {
    ...row,
    status: next.status,
    channel_message_id: row.channel_message_id ?? item.channelMessageId,
    outcome: settled ? null : row.outcome,
    settle_by: settled ? null : row.settle_by,
    error: errorAfter(row, item, next.status),
    history: storedHistory(history),
    sent_at: next.sentAt,
    delivered_at: next.deliveredAt,
    read_at: next.readAt,
    failed_at: next.failedAt,
  }
}

function errorAfter(row: MessageRow, item: StatusItem, status: string): string | null {
  if (status !== 'failed') return null
  if (row.status === 'failed' && !isGivenUp(row)) return row.error
  const [failure] = item.failures
  const error: MessageFailure = {
    code: failure?.code ?? 'channel_rejected',
    message: 'Meta accepted the message and could not deliver it.',
    retryable: failure?.retryable ?? false,
    upstream: failure?.upstream ?? null,
  }
  return JSON.stringify(error)
}

function detailsOf(row: MessageRow, step: 'sent' | 'delivered' | 'read' | 'failed'): StepDetails {
  if (step === 'failed') return { errorCode: failureCode(row) }
  if (step === 'delivered') return { latencyMs: Math.max(0, (row.delivered_at ?? 0) - (row.sent_at ?? 0)) }
  return {}
}

function failureCode(row: MessageRow): string | null {
  return failureOf(row)?.code ?? null
}

function observeLatency(rt: Runtime, row: MessageRow, step: string): void {
  const { sent_at: sent, delivered_at: delivered, read_at: read } = row
  const { messageDeliveryLatency } = rt.metrics
  if (step === 'delivered' && sent !== null && delivered !== null) {
    messageDeliveryLatency.observe({ stage: 'sent_to_delivered' }, Math.max(0, delivered - sent) / 1_000)
  }
  if (step === 'read' && delivered !== null && read !== null) {
    messageDeliveryLatency.observe({ stage: 'delivered_to_read' }, Math.max(0, read - delivered) / 1_000)
  }
}
