import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { findContact } from '../store/contacts.ts'
import { findMessage, type MessageRow } from '../store/messages.ts'
import { customerOf, toRecord } from './message-record.ts'
import { findNumber, type NumberFacts } from './number-facts.ts'
import { type CustomerWindow, windowState } from './window.ts'

/** The whole record, by the channel's id or the provisional one. */
export async function getMessage(rt: Runtime, accountId: string, id: string) {
  const row = await requireMessage(rt, accountId, id)
  const number = await findNumber(rt, accountId, row.number_id)
  return toRecord(row, number?.phoneNumber ?? null, await customerWindow(rt, row, number))
}

export async function requireMessage(rt: Runtime, accountId: string, id: string): Promise<MessageRow> {
  const [row] = await rt.store.read(findMessage, { account_id: accountId, id })
  if (!row) throw new AppError('message_not_found', 'There is no message with this id.')
  return row
}

async function customerWindow(rt: Runtime, row: MessageRow, number: NumberFacts | null): Promise<CustomerWindow> {
  const address = customerOf(row)
  if (!number || address === null) return { state: 'unknown', expiresAt: null }
  const [contact] = await rt.store.read(findContact, { number_id: row.number_id, address })
  return windowState({
    policy: rt.config.windowPolicy,
    channelKind: number.kind,
    numberConnectedAt: number.connectedAt,
    lastInboundAt: contact?.last_inbound_at ?? null,
    now: rt.clock.now(),
  })
}
