import type { EventType } from '../contract/events.ts'

export type MessageStatus = 'waiting' | 'queued' | 'canceled' | 'sent' | 'delivered' | 'read' | 'failed'

/** `source` is `gateway` for what we know ourselves (the platform's answer to a send), `channel` for its reports. */
export type StatusHistoryEntry = { status: string; at: number; source: 'gateway' | 'channel'; inferred: boolean }

export type StatusRecord = {
  status: MessageStatus
  sentAt: number | null
  deliveredAt: number | null
  readAt: number | null
  failedAt: number | null
  history: readonly StatusHistoryEntry[]
}

/** One report of the platform; `at` is its time. */
export type StatusItem = { status: string; at: number }

export type StatusChange = {
  next: StatusRecord
  /** Entries to append, in order; already part of `next.history`. */
  history: readonly StatusHistoryEntry[]
  events: readonly EventType[]
  /** The time the events tell: the report's, and never before what was told already. */
  at: number
  /** Whether anything but the history differs. */
  changed: boolean
}

/**
 * What one report does to a message. Reports come late, twice, out of order and with gaps; whatever the order, the
 * status and the four times end the same:
 *
 *   queued -> sent -> delivered -> read      only upwards; a skipped step is inferred, with its event
 *   queued, sent -> failed                   final, unless a delivery proves it wrong; after one, history only
 *
 * Any report about a queued message proves that the platform has it, so `sent` comes first. Each time is the earliest
 * one reported; `sentAt` is ours where we saw the platform accept. The platform tells whole seconds and we know
 * milliseconds, so a report may seem older than what it follows: no time is before the one of the step before it, and
 * the history keeps what was reported. A status nobody knows is history only.
 */
export function applyStatus(record: StatusRecord, item: StatusItem): StatusChange {
  // What was only inferred is no report yet: times are whole seconds, and many read what arrives in the same one.
  const isRepeat = (entry: StatusHistoryEntry) =>
    entry.status === item.status && entry.at === item.at && !entry.inferred
  if (record.history.some(isRepeat)) {
    return { next: record, history: [], events: [], at: item.at, changed: false }
  }
  const target = meanings.get(item.status)
  const steps = stepsTo(record, target)
  const skipped = steps.filter((step) => step !== target).map((status) => entryOf(status, item.at, true))
  const history = [...skipped, entryOf(item.status, item.at, false)]
  const status = steps.at(-1) ?? record.status
  const at = Math.max(item.at, notBefore(record))
  const next = { ...timesOf(record, at, target, steps), status, history: [...record.history, ...history] }
  const events = steps.map((step) => `message.${step}` as const)
  // Fields move back to an earlier report, events that went out do not.
  const reported = record.history.filter((entry) => meanings.has(entry.status))
  const toldAt = Math.max(at, ...reported.map((entry) => entry.at))
  return { next, history, events, at: toldAt, changed: differs(record, next) }
}

type ReportedStatus = Exclude<MessageStatus, 'waiting' | 'queued' | 'canceled'>

// `played` is the first play of a voice note: nobody plays what they have not opened.
const meanings: ReadonlyMap<string, ReportedStatus> = new Map([
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'read'],
  ['played', 'read'],
  ['failed', 'failed'],
])

// `failed` stands on the rung of `sent`: only a delivery leads away from it.
const ranks: Record<MessageStatus, number> = {
  waiting: 0,
  queued: 0,
  canceled: 0,
  sent: 1,
  failed: 1,
  delivered: 2,
  read: 3,
}
const climbs: Record<ReportedStatus, readonly ReportedStatus[]> = {
  sent: ['sent'],
  failed: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
}

function stepsTo(record: StatusRecord, target: ReportedStatus | undefined): ReportedStatus[] {
  const climb = climbs[target ?? 'sent'].filter((step) => ranks[step] > ranks[record.status])
  // A refused send has no `sentAt`; a delivery report about it proves that it went out after all.
  const unsent = record.status === 'failed' && record.sentAt === null && climb.length > 0
  if (unsent) climb.unshift('sent')
  const mayFail = record.status === 'queued' || record.status === 'sent'
  return target === 'failed' && mayFail ? [...climb, 'failed'] : climb
}

/** What happened on our own side, to the millisecond: nothing the platform reports was before it. */
function notBefore({ history }: StatusRecord): number {
  const own = history.filter(({ source, status }) => source === 'gateway' && status !== 'failed')
  return Math.max(0, ...own.map(({ at }) => at))
}

function timesOf(record: StatusRecord, at: number, target: ReportedStatus | undefined, steps: ReportedStatus[]) {
  const accepted = record.history.some((entry) => entry.status === 'sent' && entry.source === 'gateway')
  const sent = !accepted && (record.sentAt !== null || steps.includes('sent'))
  const arrived = target === 'delivered' || target === 'read'
  const failed = record.deliveredAt === null && !arrived
  return {
    sentAt: sent ? earliest(record.sentAt, at) : record.sentAt,
    deliveredAt: arrived ? earliest(record.deliveredAt, at) : record.deliveredAt,
    readAt: target === 'read' ? earliest(record.readAt, at) : record.readAt,
    failedAt: failed ? (target === 'failed' ? earliest(record.failedAt, at) : record.failedAt) : null,
  }
}

function earliest(known: number | null, at: number): number {
  return known === null ? at : Math.min(known, at)
}

function entryOf(status: string, at: number, inferred: boolean): StatusHistoryEntry {
  return { status, at, source: 'channel', inferred }
}

function differs(one: StatusRecord, other: StatusRecord): boolean {
  const fields = ['status', 'sentAt', 'deliveredAt', 'readAt', 'failedAt'] as const
  return fields.some((field) => one[field] !== other[field])
}
