import type { Static } from 'typebox'
import type { MessageListItem } from '../contract/messages/messages.ts'
import { formatInstant } from '../lib/instant.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import type { CustomerWindow } from './send/window.ts'
import type { MessageStatus, StatusHistoryEntry, StatusRecord } from './status-machine.ts'

/** What is kept of each step: the platform's time and ours, and what the message is charged as, once that is told. */
export type HistoryEntry = StatusHistoryEntry & { recordedAt: number; pricing?: string }

export type MessageFailure = {
  code: string
  message: string
  retryable: boolean
  upstream: { code: number | null; title: string | null; detail: string | null; trace_id: string | null } | null
}

/** The id a client knows: the channel's own, or our provisional one while the channel's is not known. */
export function publicId(row: MessageRow): string {
  return row.channel_message_id ?? row.id
}

export function customerOf(row: Pick<MessageRow, 'phone' | 'user_id'>): string | null {
  return row.phone ?? row.user_id
}

export function historyOf(row: MessageRow): HistoryEntry[] {
  return JSON.parse(row.history) as HistoryEntry[]
}

export function statusRecordOf(row: MessageRow): StatusRecord & { history: HistoryEntry[] } {
  return {
    status: row.status as MessageStatus,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
    history: historyOf(row),
  }
}

/** Who wrote to whom; null for a customer whose number is not known. */
export function partiesOf(row: MessageRow, numberPhone: string | null) {
  const outbound = row.direction === 'outbound'
  return { from: outbound ? numberPhone : row.phone, to: outbound ? customerOf(row) : numberPhone }
}

export function failureOf({ error }: MessageRow): MessageFailure | null {
  return error === null ? null : (JSON.parse(error) as MessageFailure)
}

/** A message in a list: everything but what it says and how it came there. */
export function toListItem(row: MessageRow, numberPhone: string | null) {
  return {
    message_id: publicId(row),
    direction: row.direction as Static<typeof MessageListItem>['direction'],
    type: row.type,
    ...partiesOf(row, numberPhone),
    user_id: row.user_id,
    status: row.status,
    outcome: row.outcome,
    template: row.template,
    language: row.language,
    client_reference: row.client_reference,
    reply_to: row.reply_to,
    group_id: row.group_id,
    held: row.held === 1,
    used: row.used,
    created_at: formatInstant(row.created_at),
    sent_at: formatted(row.sent_at),
    delivered_at: formatted(row.delivered_at),
    read_at: formatted(row.read_at),
    failed_at: formatted(row.failed_at),
    error: failureOf(row),
    contact: row.direction === 'inbound' ? { name: row.customer_name } : null,
    content_purged_at: formatted(row.content_purged_at),
  }
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
    window: { state: window.state, expires_at: formatted(window.expiresAt) },
  }
}

export function formatted(at: number | null): string | null {
  return at === null ? null : formatInstant(at)
}
