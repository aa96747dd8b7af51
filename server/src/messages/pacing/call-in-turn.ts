import type { SendDeadline } from '../../access/send-deadline.ts'
import type { SendReceipt } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { SendRate } from '../../send-rate.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import type { Draft } from '../send/draft.ts'

export type Turn = {
  rate: SendRate
  deadline: SendDeadline
  /** By `performance.now()`: when the send stops waiting for the platform to have room. */
  endsMs: number
}

/**
 * Asks the platform to send, and again while all it says is that it has no room: a throttle is a refusal, so nothing is
 * out. The message goes back into the line of its number for as long as its time lasts. Whatever else the platform says,
 * and every answer that is missing, ends here.
 */
export async function callInTurn(rt: Runtime, row: MessageRow, draft: Draft, turn: Turn): Promise<SendReceipt> {
  for (;;) {
    try {
      return await callPlatform(rt, row, draft, turn.deadline)
    } catch (error) {
      if (!(await hasAnotherTurn(rt, error, turn))) throw error
    }
  }
}

async function hasAnotherTurn(rt: Runtime, error: unknown, { rate, endsMs }: Turn): Promise<boolean> {
  if (!(error instanceof PlatformError) || error.kind !== 'throttled' || error.outcome !== 'refused') return false
  if (error.numberTooFast) rt.sendRate.slowDown(rate)
  const pauseMs = error.retryAfterMs
  if (pauseMs === undefined || performance.now() + pauseMs >= endsMs) return false
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  // Where the line cannot be asked, what the platform said stays the answer.
  return rt.sendRate.waitAgain(rate, endsMs - performance.now()).catch(() => false)
}

function callPlatform(
  rt: Runtime,
  row: MessageRow,
  { number, address, outbound, replyTo }: Draft,
  deadline: SendDeadline,
): Promise<SendReceipt> {
  const to = address.kind === 'phone' ? { phone: address.value } : { userId: address.value }
  const message = { to, content: outbound, ...(replyTo === null ? {} : { replyTo }) }
  const attributes = {
    'messaging.system': 'gateway',
    'messaging.operation.type': 'send',
    'messaging.destination.name': 'outbox',
    'messaging.message.id': row.id,
  }
  const timeoutMs = deadline.callMs()
  const send = () => rt.platform.send(number.credentials, message, { correlation: row.id, timeoutMs })
  return rt.tracer.span('channel.send', attributes, send, { kind: 'client' })
}
