import type { Static } from 'typebox'
import type { MessageFacts } from '../analytics/count-message.ts'
import type { EventData, EventType } from '../contract/events.ts'
import { MessageListItem } from '../contract/messages/messages.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { type MessageRow, messageColumns } from '../store/messages/messages.ts'
import type { MessageStatus, StatusHistoryEntry, StatusRecord } from './status-machine.ts'
import type { CustomerWindow } from './window.ts'

/**
 * What is kept of each step: the platform's time and ours; and what the message is charged as, once that is told, with the
 * calendar day of the WABA.
 */
export type HistoryEntry = StatusHistoryEntry & { recordedAt: number; pricing?: string; priceDay?: number }

export type MessageFailure = NonNullable<ListItem['error']>

/** The id a client knows: the channel's own, or our provisional one while the channel's is not known. */
export function publicId(row: MessageRow): string {
  return row.channel_message_id ?? row.id
}

/** Between the two commits of a send. What ends that counts the message. */
export function isUnderWay({ settle_by }: Pick<MessageRow, 'settle_by'>): boolean {
  return settle_by !== null
}

export function customerOf(row: Pick<MessageRow, 'phone' | 'user_id'>): string | null {
  return row.phone ?? row.user_id
}

/** Every message that was sent has a recipient, until they are erased. */
export function isErased(row: MessageRow): boolean {
  return customerOf(row) === null
}

/**
 * A step as it is stored: its status, its time, by how much later it was recorded, and who said so: 0 for us, 1 for the
 * platform, 2 more for what was inferred. The newest comes first, so that what an update adds is at one place of the row. With
 * the names of the fields it was the longest column, three times as long.
 */
type StoredStep = [status: string, at: number, laterBy: number, by: number, pricing?: string, priceDay?: number]

export function historyOf(row: Pick<MessageRow, 'history'>): HistoryEntry[] {
  const steps = (JSON.parse(row.history) as StoredStep[]).reverse()
  return steps.map(([status, at, laterBy, by, pricing, priceDay]) => ({
    status,
    at,
    recordedAt: at + laterBy,
    source: by % 2 === 0 ? 'gateway' : 'channel',
    inferred: by >= 2,
    ...(pricing === undefined || priceDay === undefined ? {} : { pricing, priceDay }),
  }))
}

export function storedHistory(entries: readonly HistoryEntry[]): string {
  return JSON.stringify(
    entries.toReversed().map(({ status, at, recordedAt, source, inferred, pricing, priceDay }): StoredStep => {
      const by = (source === 'gateway' ? 0 : 1) + (inferred ? 2 : 0)
      const step = [status, at, recordedAt - at, by] as const
      return pricing === undefined || priceDay === undefined ? [...step] : [...step, pricing, priceDay]
    }),
  )
}

/** A step that we took ourselves, as it is stored. Nothing in it has to be escaped. */
export function ownStep(status: 'waiting' | 'queued' | 'sent' | 'failed' | 'canceled', at: number): string {
  return `["${status}",${at},0,0]`
}

/** A message that was given up counts as queued: whatever Meta reports after all is the first that is known of it. */
export function statusRecordOf(row: MessageRow): StatusRecord & { history: HistoryEntry[] } {
  const isOpen = isGivenUp(row)
  return {
    status: isOpen ? 'queued' : (row.status as MessageStatus),
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: isOpen ? null : row.failed_at,
    history: historyOf(row),
  }
}

/** Sender and recipient; null for a customer whose number is unknown. */
function partiesOf(row: MessageRow, numberPhone: string | null) {
  const outbound = row.direction === 'outbound'
  return { from: outbound ? numberPhone : row.phone, to: outbound ? customerOf(row) : numberPhone }
}

export function failureOf({ error }: MessageRow): MessageFailure | null {
  return error === null ? null : (JSON.parse(error) as MessageFailure)
}

/** Failed because nobody learned in time what became of it: that's still unknown, and no reason to send it again. */
export function isGivenUp(row: Pick<MessageRow, 'status' | 'outcome'>): boolean {
  return row.status === 'failed' && row.outcome === 'unknown'
}

type ListItem = Static<typeof MessageListItem>

/** A message in a list: everything but what it says and how it came there. */
export function toListItem(row: MessageRow, numberPhone: string | null): ListItem {
  return {
    ...shownColumns(row),
    ...partiesOf(row, numberPhone),
    message_id: publicId(row),
    held: row.held === 1,
    error: failureOf(row),
    contact: row.direction === 'inbound' ? { name: row.customer_name } : null,
  }
}

type ShownColumn = keyof ListItem & keyof MessageRow

const shown = Object.keys(MessageListItem.properties).filter((name): name is ShownColumn => name in messageColumns)

/** A column that the contract names is shown under its own name, and a time as an instant. */
function shownColumns(row: MessageRow): Pick<ListItem, ShownColumn> {
  const view: Partial<Record<ShownColumn, unknown>> = {}
  for (const name of shown) view[name] = name.endsWith('_at') ? formatInstant(row[name] as number | null) : row[name]
  return view as Pick<ListItem, ShownColumn>
}

/** The whole record. */
export function toRecord(row: MessageRow, numberPhone: string | null, window: CustomerWindow) {
  return {
    ...toListItem(row, numberPhone),
    content: row.content === null ? null : (JSON.parse(row.content) as Record<string, unknown>),
    history: historyOf(row).map(({ status, at, recordedAt, source, inferred }) => ({
      status,
      at: formatInstant(at),
      recorded_at: formatInstant(recordedAt),
      source,
      inferred,
    })),
    window: { state: window.state, expires_at: formatInstant(window.expiresAt) },
  }
}

/** The analytics dimensions of a message. */
export function messageFacts(row: MessageRow): MessageFacts {
  return {
    accountId: row.account_id,
    createdAt: row.created_at,
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    template: row.template,
    language: row.language,
    category: row.category,
    country: row.country,
    phoneNumber: row.number_id,
    apiKeyId: row.api_key_id,
    broadcastId: row.broadcast_id,
  }
}

/** The same for the step `sent`, the only one that counts recipients: telling them apart costs a keyed hash. */
export function sentFacts(rt: Pick<Runtime, 'recipients'>, row: MessageRow): MessageFacts {
  const customer = customerOf(row)
  return { ...messageFacts(row), recipient: customer === null ? null : rt.recipients.hash(row.account_id, customer) }
}

type MessageEvent = {
  /** Our number; null when it is no longer known. */
  numberPhone: string | null
  type: EventType
  status: string
  /** The platform's time of the step. */
  at: number
  inferred: boolean
  sequence: number
  /** Before this time it is not delivered; now without it. */
  dueFrom?: number
}

/** Of the messages of a broadcast its account may want to hear failures alone, or nothing. */
function isUntold({ message_events: wanted }: Pick<MessageRow, 'message_events'>, type: EventType): boolean {
  return wanted === 'none' || (wanted === 'failed' && type !== 'message.failed')
}

/** Tells what happened to a message, in the unit in which it happens. */
export function publishMessageEvent(
  rt: Pick<Runtime, 'newId' | 'clock' | 'config' | 'tracer'>,
  unit: Unit,
  row: MessageRow,
  event: MessageEvent,
): void {
  if (isUntold(row, event.type)) return
  const { from, to } = partiesOf(row, event.numberPhone)
  const data: EventData<'message.received'> = {
    message_id: publicId(row),
    direction: row.direction,
    type: row.type,
    from,
    to,
    user_id: row.user_id,
    customer_id: row.customer_id,
    status: event.status,
    template: row.template,
    language: row.language,
    client_reference: row.client_reference,
    reply_to: row.reply_to,
    group_id: row.group_id,
    error: failureOf(row),
    inferred: event.inferred,
    sequence: event.sequence,
    timestamp: formatInstant(event.at),
  }
  const { type, sequence, dueFrom = 0 } = event
  const isInbound = row.direction === 'inbound'
  if (isInbound || type === 'message.echoed') data.content = row.content === null ? null : JSON.parse(row.content)
  if (isInbound) data.contact = { name: row.customer_name }
  if (type === 'message.echoed' || type === 'message.standby') data.origin = row.origin
  publishEvent(rt, unit, { accountId: row.account_id, type, subject: row.id, sequence, dueFrom, data })
}
