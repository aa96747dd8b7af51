import { countStatus } from '../../analytics/count-message.ts'
import { operator, writeAudited } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import { messageFacts, sentFacts } from '../message-record.ts'
import { findNumber } from '../number-facts.ts'
import { addUnknownEnd } from './unknown-end.ts'

/**
 * What the operator found out about a message whose outcome is unknown, from Meta or from the customer. As `failed` it was
 * certainly not sent, so that a repeat of its idempotency key sends it.
 */
export async function settleMessage(rt: Runtime, id: string, status: 'sent' | 'failed'): Promise<MessageRow> {
  const [row] = await rt.store.read(findMessagesById, { ids: [id] })
  if (!row) throw new AppError('message_not_found', 'No message has this id.')
  if (row.outcome !== 'unknown') throw isKnown(row)
  const number = await findNumber(rt, row.account_id, row.number_id)
  const place = { row, numberPhone: number?.phoneNumber ?? null }
  const targets = [{ type: 'message', id, name: row.type }]
  const line = { accountId: row.account_id, actor: operator, action: 'message.settled', targets, metadata: { status } }
  let next = row
  try {
    await writeAudited(rt, line, (unit) => {
      if (status === 'sent') {
        // Nobody knows when Meta accepted it: it was called right after the message was stored.
        next = addUnknownEnd(rt, unit, { ...place, to: { status, at: row.created_at } })
        countStatus(unit, sentFacts(rt, next), status)
      } else {
        const code = 'upstream_unavailable'
        next = addUnknownEnd(rt, unit, { ...place, to: { status, at: rt.clock.now(), code } })
        countStatus(unit, messageFacts(next), status, { errorCode: code })
      }
    })
    return next
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return settleMessage(rt, id, status)
  }
}

function isKnown({ status, settle_by }: MessageRow): AppError {
  const sentence =
    status === 'queued' && settle_by !== null
      ? 'This message is still being sent. Try again in two minutes.'
      : `The outcome of this message is known: it is ${status}.`
  return new AppError('concurrent_change', sentence)
}
