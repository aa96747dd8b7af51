import type { Runtime } from '../../runtime.ts'
import {
  type Draft,
  numberToSendFrom,
  requireAddress,
  requireOpenWindow,
  requireReplyTo,
  type SendCommon,
  type Sender,
} from './draft.ts'

/** A message that is whole in its request, with nothing to fetch or upload, within the 24-hour window. */
export async function draftInWindow(
  rt: Runtime,
  sender: Sender,
  request: SendCommon,
  said: Pick<Draft, 'type' | 'outbound' | 'content'>,
): Promise<Draft> {
  const address = requireAddress(request.to)
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  await requireOpenWindow(rt, sender, number, address)
  return {
    number,
    address,
    ...said,
    template: null,
    replyTo,
    clientReference: request.client_reference ?? null,
    used: null,
  }
}
