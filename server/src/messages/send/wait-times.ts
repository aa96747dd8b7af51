import { invalidField } from '../../contract/app-error.ts'
import { dayMs, minuteMs, secondMs } from '../../lib/durations.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import type { Draft, SendCommon, Sender } from './draft.ts'

/** Whether the caller asked for a message that waits, or meant to. */
export function mayWait({ queue, send_at, valid_for }: SendCommon): boolean {
  return queue === true || Boolean(send_at) || Boolean(valid_for)
}

const aheadMaxDays = 30
const lateMaxMs = minuteMs
const validForSeconds = { code: 600, others: 86_400 }

/** When a message is to be sent; null for at once. A moment that has just passed is now. */
export function sendTime({ config, clock }: Runtime, { queue, send_at, valid_for }: SendCommon): number | null {
  if (valid_for && !queue && !send_at) {
    throw invalidField(
      'valid_for',
      'invalid_value',
      'Only a message that waits has a `valid_for`: add `queue` or `send_at`.',
    )
  }
  if (!send_at) return null
  const now = clock.now()
  const at = parseInstant(send_at)
  if (at === null) {
    throw invalidField('send_at', 'invalid_format', 'Write a date-time, for example 2026-12-01T09:00:00+00:00.')
  }
  if (at < now - lateMaxMs)
    throw invalidField('send_at', 'invalid_value', 'This time has passed. Leave `send_at` out to send now.')
  const days = daysAhead(config)
  if (at > now + days * dayMs) {
    throw invalidField('send_at', 'invalid_value', `Give a time at most ${days} days ahead.`)
  }
  return at <= now ? null : at
}

/** How far ahead something can be planned: until then its contents are kept. */
export function daysAhead({ retentionContentDays }: Runtime['config']): number {
  return Math.min(aheadMaxDays, retentionContentDays)
}

/** As a draft is checked that leaves later: the customer's window of today says nothing about it. */
export function senderAt(sender: Sender, sendAt: number | null): Sender {
  return sendAt === null ? sender : { ...sender, leavesWindow: true }
}

/** A one-time code goes first, and is worthless soon. */
export function isCode({ template, direct }: Pick<Draft, 'template' | 'direct'>): boolean {
  return template?.category === 'authentication' || direct?.category === 'authentication'
}

/** When it is too late to send. Contents are not kept for longer than the operator allows, so nothing waits for longer. */
export function expiryOf(
  { config, clock }: Runtime,
  sendAt: number,
  { valid_for }: SendCommon,
  draft: Pick<Draft, 'template' | 'direct'>,
): number {
  const seconds = valid_for ?? (isCode(draft) ? validForSeconds.code : validForSeconds.others)
  return Math.min(sendAt + seconds * secondMs, clock.now() + config.retentionContentDays * dayMs)
}
