import type { MessageFacts } from '../../analytics/count-message.ts'
import type { Runtime } from '../../runtime.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { customerOf } from '../message-record.ts'

/** What analytics counts a message by. */
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
  }
}

/** The same for the step `sent`, the only one that counts recipients: telling them apart costs a keyed hash. */
export function sentFacts(rt: Pick<Runtime, 'recipients'>, row: MessageRow): MessageFacts {
  const customer = customerOf(row)
  return { ...messageFacts(row), recipient: customer === null ? null : rt.recipients.hash(row.account_id, customer) }
}
