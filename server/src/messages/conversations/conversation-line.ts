import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import type { ConversationRow } from '../../store/messages/conversations.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import { previewOf } from '../content/inbound-content.ts'
import { failureOf, publicId } from '../message-record.ts'
import { type NumberFacts, readNumbers } from '../number-facts.ts'
import { windowState } from '../send/window.ts'

export type Line = {
  customerId: string
  address: string | null
  name: string | null
  numberId: string | null
  lastInboundAt: number | null
  unread: number
  last: MessageRow | null
  /** What was searched for. */
  found: MessageRow | null
}

/** Conversations of a page with their last messages: two reads, however long the page is. */
export async function withLastMessages(rt: Runtime, rows: readonly ConversationRow[]): Promise<Line[]> {
  const ids = rows.flatMap(({ last_id }) => last_id ?? [])
  const messages = ids.length === 0 ? [] : await rt.store.read(findMessagesById, { ids })
  const byId = new Map(messages.map((message) => [message.id, message]))
  return rows.map((row) => {
    const { customer_id: customerId, address, name, number_id: numberId, last_inbound_at: lastInboundAt, unread } = row
    const last = byId.get(row.last_id ?? '') ?? null
    return { customerId, address, name, numberId, lastInboundAt, unread, last, found: null }
  })
}

/** As the console shows them. */
export async function describeLines(rt: Runtime, accountId: string, lines: readonly Line[]) {
  const numbers = await readNumbers(rt, accountId)
  return lines.map(({ customerId, address, name, numberId, lastInboundAt, unread, last, found }) => {
    const number = numberId === null ? undefined : numbers.get(numberId)
    return {
      customer_id: customerId,
      customer: address ?? customerId,
      name,
      number: number?.phoneNumber ?? null,
      unread,
      last_inbound_at: formatInstant(lastInboundAt),
      window: describeWindow(rt, number, { lastInboundAt }),
      last: last && describeLast(last),
      found: found && describeLast(found),
    }
  })
}

type Inbound = { lastInboundAt: number | null; possibleInboundAt?: number | null }

export function describeWindow(rt: Runtime, number: NumberFacts | undefined, inbound: Inbound) {
  if (!number) return { state: 'unknown' as const, expires_at: null }
  const { state, expiresAt } = windowState({
    policy: rt.config.windowPolicy,
    channelKind: number.kind,
    numberConnectedAt: number.connectedAt,
    ...inbound,
    now: rt.clock.now(),
  })
  return { state, expires_at: formatInstant(expiresAt) }
}

function describeLast(row: MessageRow) {
  return {
    id: publicId(row),
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    status: row.status,
    template: row.template,
    preview: previewOf(row),
    code: failureOf(row)?.code ?? null,
    at: formatInstant(row.created_at),
  }
}
