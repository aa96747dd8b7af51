import { seesCosts } from '../access/caller.ts'
import type { Member } from '../access/console-member.ts'
import { errorTable } from '../contract/errors.ts'
import { traceMessage } from '../events/trace-events.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey } from '../store/accounts/api-keys.ts'
import { findUser } from '../store/accounts/users.ts'
import type { MessageRow } from '../store/messages/messages.ts'
import { recordOf, requireMessage } from './get-message.ts'
import { customerOf, historyOf, type MessageFailure, publicId } from './message-record.ts'
import { findNumber } from './number-facts.ts'
import { hiddenMessage, hidesPeople } from './privacy.ts'
import { requestOf } from './send/request-of.ts'

/** A person who sent by hand and is no longer a member. */
export const formerMember = 'A former member'

/** A message with everything that happened to it, and what each webhook was told. */
export async function describeMessage(rt: Runtime, member: Member, id: string) {
  const { accountId } = member
  const row = await requireMessage(rt, accountId, id)
  const hidden = await hidesPeople(rt, member)
  const shown = hidden ? hiddenMessage(row) : row
  const [record, number, events, request, key, sender] = await Promise.all([
    recordOf(rt, row, { shown, seesCosts: seesCosts(member) }),
    findNumber(rt, accountId, row.number_id),
    traceMessage(rt, accountId, [...new Set([row.id, publicId(row)])]),
    hidden ? null : requestOf(rt, row),
    row.api_key_id === null ? [] : rt.store.read(findApiKey, { account_id: accountId, id: row.api_key_id }),
    row.sent_by === null ? [] : rt.store.read(findUser, { id: row.sent_by }),
  ])
  return {
    ...factsOf(shown),
    from: record.from,
    to: record.to,
    sandbox: number?.kind === 'sandbox',
    key_name: key[0]?.name ?? null,
    sent_by: row.sent_by === null ? null : (sender[0]?.name ?? formerMember),
    content: record.content,
    hidden,
    window: record.window,
    marketing: record.marketing,
    events: events.map((event) => ({ ...event, message_id: publicId(shown) })),
    request,
    record,
  }
}

function factsOf(row: MessageRow) {
  return {
    id: publicId(row),
    own_id: row.id,
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    status: row.status,
    unresolved: row.outcome === 'unknown',
    held: row.held === 1,
    customer: customerOf(row),
    name: row.customer_name,
    number_id: row.number_id,
    template: row.template,
    language: row.language,
    client_reference: row.client_reference,
    reply_to: row.reply_to,
    group_id: row.group_id,
    key_id: row.api_key_id,
    created_at: formatInstant(row.created_at),
    content_purged_at: formatInstant(row.content_purged_at),
    failure: row.error === null ? null : explainFailure(JSON.parse(row.error) as MessageFailure),
    history: historyOf(row).map(({ status, at, recordedAt, inferred }) => ({
      status,
      at: formatInstant(Math.max(at, notBefore(row, status))),
      recorded_at: formatInstant(recordedAt),
      inferred,
    })),
  }
}

/** The platform tells whole seconds: beside our milliseconds a step must not seem older than the one before it. */
function notBefore({ created_at, sent_at }: MessageRow, status: string): number {
  return ['waiting', 'queued', 'canceled', 'sent'].includes(status) ? created_at : (sent_at ?? created_at)
}

/** The failure of a message: what happened, why, and what to do, from the error table and the platform. */
export function explainFailure({ code, message, upstream }: MessageFailure) {
  const known = code in errorTable ? errorTable[code as keyof typeof errorTable] : null
  return {
    code,
    what: known?.title ?? message,
    why: upstream?.detail ?? upstream?.title ?? null,
    help: known?.help ?? 'Look the code up in the list of errors.',
    upstream_code: upstream?.code ?? null,
  }
}
