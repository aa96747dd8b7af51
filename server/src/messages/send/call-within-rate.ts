import type { SendDeadline } from '../../access/send-deadline.ts'
import type { SendRate } from '../../limits/send-limits.ts'
import type { SendReceipt } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { customerBy } from '../customers/find-customer.ts'
import { kindOf } from '../customers/identity.ts'
import type { Address, Draft } from './draft.ts'

/** The deadline of a send's calls, and its rate limits. */
export type CallLimits = {
  rate: SendRate
  deadline: SendDeadline
  /** By `performance.now()`: when the send stops waiting for the platform to have room. */
  endsMs: number
}

/**
 * Calls the platform, and again while it throttles, and once under the customer's other address where it refuses the first:
 * both are refusals, so nothing was sent. Each further call waits for a reservation of the number, until the send's time is
 * up. Every other response, and a missing one, ends the loop. An other address that does not suit the message, as a user id
 * does not suit a login code, says nothing about the one that was given: the first refusal stands.
 */
export async function callWithinRate(
  rt: Runtime,
  row: MessageRow,
  draft: Draft,
  limits: CallLimits,
): Promise<SendReceipt> {
  let current = draft
  let first: PlatformError | null = null
  for (;;) {
    try {
      return await callPlatform(rt, row, current, limits.deadline)
    } catch (error) {
      if (!(error instanceof PlatformError) || error.outcome !== 'refused') throw error
      if (first && error.kind === 'rejected') throw first
      // Where it cannot be looked up, the refusal is the result too.
      const other = first ? null : await addressInstead(rt, draft, error).catch(() => null)
      if (!(other ? await mayCallOther(rt, limits) : await mayCallAgain(rt, error, limits))) throw error
      if (!other) continue
      first = error
      current = { ...draft, address: other }
    }
  }
}

async function mayCallAgain(rt: Runtime, error: PlatformError, limits: CallLimits): Promise<boolean> {
  if (!error.passesSoon) return false
  const { rate, endsMs } = limits
  if (error.numberTooFast) rt.sendRate.slowDown(rate)
  const pauseMs = error.retryAfterMs
  if (pauseMs === undefined || performance.now() + pauseMs >= endsMs) return false
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  return mayCall(rt, rate, endsMs - performance.now())
}

/** However long the platform took for its refusal, while there is time for another call: no repeat would come this far. */
async function mayCallOther(rt: Runtime, { rate, deadline }: CallLimits): Promise<boolean> {
  return deadline.filesWaitMs() > 0 && mayCall(rt, rate, deadline.rateWaitMs())
}

/** Without a rate limiter the platform's refusal is the result. */
async function mayCall(rt: Runtime, rate: SendRate, waitMaxMs: number): Promise<boolean> {
  return rt.sendRate.waitAgain(rate, waitMaxMs).catch(() => false)
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
  deadline.calledFor = row.id
  const send = () => rt.platform.send(number.credentials, message, { correlation: row.id, timeoutMs })
  return rt.tracer.span('channel.send', attributes, send, { kind: 'client' })
}

/**
 * The customer's other address after a rejection: the user id if the platform doesn't know the number, the number if the
 * message can't go to a user id.
 */
async function addressInstead(rt: Runtime, draft: Draft, failure: PlatformError): Promise<Address | null> {
  const { number, address, outbound } = draft
  // A client of the platform's dialect is answered about the address it wrote.
  if (outbound.type === 'wire') return null
  return failure.refusesAddress(address.kind) ? otherAddress(rt, number, address) : null
}

type Place = Pick<Draft['number'], 'accountId' | 'channelId'>

/**
 * The user id of a number at this WhatsApp Business account, the number of a user id. Null where none is known, or several: it
 * must not be another person.
 */
export async function otherAddress(
  rt: Runtime,
  { accountId, channelId }: Place,
  address: Address,
): Promise<Address | null> {
  const known = await customerBy(rt, accountId, address.value)
  const kind = address.kind === 'phone' ? 'user' : 'phone'
  const [only, ...others] = (known?.addresses ?? []).filter(
    ({ shown, channel_id, replaced_at }) =>
      replaced_at === null && kindOf(shown) === kind && (channel_id === null || channel_id === channelId),
  )
  return only && others.length === 0 ? { kind, value: only.shown } : null
}
