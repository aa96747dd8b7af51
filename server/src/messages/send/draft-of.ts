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

/** What all sends share, in the order in which it is checked: the recipient, then the content by `check`, the number, the quoted message. */
export async function draftOf(rt: Runtime, sender: Sender, request: SendCommon, check: () => unknown = () => {}) {
  const address = requireAddress(request.to)
  await check()
  const number = await numberToSendFrom(rt, sender, request)
  const replyTo = await requireReplyTo(rt, sender.accountId, address, request.reply_to)
  return {
    number,
    address,
    replyTo,
    clientReference: request.client_reference ?? null,
    template: null,
    used: null,
  } satisfies Partial<Draft>
}

/** A message that is whole in its request, with nothing to fetch or upload, within the 24-hour window. */
export async function draftInWindow(
  rt: Runtime,
  sender: Sender,
  request: SendCommon,
  said: Pick<Draft, 'type' | 'outbound' | 'content'>,
): Promise<Draft> {
  const draft = await draftOf(rt, sender, request)
  await requireOpenWindow(rt, sender, draft)
  return { ...draft, ...said }
}
