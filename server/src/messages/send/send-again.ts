import { authorOf, type Member } from '../../access/console-member.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { requireMessage } from '../get-message.ts'
import { hidesPeople, ownIds } from '../privacy.ts'
import type { Sender } from './draft.ts'
import { type ApiRequest, requestOf } from './request-of.ts'
import { send } from './send.ts'
import { kindOf, type SendAnswers, type SendRequest } from './send-request.ts'

/**
 * A new message with the words of an old one, to the same customer or to another. Who may not see what was written may
 * not have it sent to a phone of their own either.
 */
export async function sendAgain(rt: Runtime, member: Member, id: string, to: string | null) {
  const hidden = await hidesPeople(rt, member)
  if (to !== null && hidden) {
    const sentence = 'Your role cannot see message contents, so it can resend a message only to its original customer.'
    throw new AppError('insufficient_role', sentence, { requiredScope: 'pii:read' })
  }
  const row = await requireMessage(rt, member.accountId, id)
  const request = await requestOf(rt, row)
  if (!request) {
    const why = row.direction === 'inbound' ? 'A customer wrote it.' : 'Its content is no longer stored.'
    throw new AppError('message_not_resendable', `This message cannot be sent again. ${why}`)
  }
  // Another message for another time: it quotes nothing, and has no order of its own.
  const { reply_to: _quoted, client_reference: _reference, ...body } = request.body
  const sent = await sendByHand(rt, member, { ...request, body: { ...body, to: to ?? body.to } })
  if (!hidden) return sent
  // The caller did not name the customer, and Meta's id would.
  return { message_id: (await ownIds(rt, member.accountId, [sent.message_id]))(sent.message_id) ?? row.id }
}

/** A person sends, with no API key behind. The body was checked: by its schema, or when it was first sent. */
async function sendByHand(rt: Runtime, member: Member, request: ApiRequest): Promise<{ message_id: string }> {
  const sender: Sender = { accountId: member.accountId, phoneNumberIds: null, keyId: null, author: authorOf(member) }
  const { data } = await send(rt, {
    sender,
    request: sendRequestOf(request),
    idempotencyKey: null,
    deadline: sendDeadline(rt),
  })
  const { message_id } = data as SendAnswers[keyof SendAnswers]
  return { message_id }
}

function sendRequestOf({ path, body }: ApiRequest): SendRequest {
  return { kind: kindOf(path), body } as unknown as SendRequest
}
