import type { Broadcast, Counts } from './broadcast-query.ts'

export type Reason = NonNullable<Broadcast['reason']>

/** Why it does not send now, and what a person can do about it. */
export const reasons: Readonly<Record<Reason, { what: string; act: string }>> = {
  messaging_limit: {
    what: 'The number has nearly reached Meta’s limit of new customers in 24 hours.',
    act: 'It resumes automatically when the limit allows. 10% is reserved for other messages.',
  },
  quota: {
    what: 'The plan’s quota for this hour or day is used up.',
    act: 'It resumes automatically when the quota resets. 20% is reserved for the API.',
  },
  quiet_hours: {
    what: 'All remaining recipients are in their quiet hours.',
    act: 'It resumes automatically when their quiet hours end.',
  },
  meta_unavailable: {
    what: 'Meta did not respond ten times in a row.',
    act: 'It checks every 30 seconds, without using up recipients, and resumes when Meta responds.',
  },
  channel: {
    what: 'The channel cannot send: its token was rejected, or the number is not connected or registered.',
    act: 'Fix the channel. The broadcast then resumes automatically.',
  },
  template_paused: {
    what: 'Meta paused the template, because too many customers blocked or reported it.',
    act: 'It resumes automatically when Meta allows the template again.',
  },
  account_suspended: { what: 'The account is suspended.', act: 'Ask the operator of this gateway.' },
  template_rejected: {
    what: 'The template was rejected, disabled or deleted.',
    act: 'Get it approved again, then resume; or cancel, and create a broadcast with another template.',
  },
  template_changed: {
    what: 'The template was edited, or moved to another category, which changes its price.',
    act: 'Check the template. Resume sends its current version.',
  },
  quality_low: {
    what: 'Meta rates the quality of the number as low.',
    act: 'Many customers blocked or reported it. If you continue, you can lose the number: check your list of recipients.',
  },
  restricted: { what: 'Meta restricted the WhatsApp Business account.', act: 'Resolve this with Meta, then resume.' },
  payment_missing: {
    what: 'Meta has no valid payment method for the WhatsApp Business account.',
    act: 'Add one in Meta Business Suite, then resume.',
  },
  restored: {
    what: 'The data was restored from a backup or comes from a standby, and may not include the latest sends.',
    act: 'Check who received it last. Resume continues after the last recipient known here.',
  },
  budget: {
    what: 'A budget is used up.',
    act: 'Raise its limit under Costs, or wait for its next period; then resume.',
  },
  key_revoked: {
    what: 'The API key that started it was revoked.',
    act: 'Resume continues in your name; cancel it if it should not be sent.',
  },
  too_many_failures: {
    what: 'More than half of the last 200 messages failed with the same error.',
    act: 'See the failures below before you resume.',
  },
  by_person: { what: 'It was paused by a person or by the API.', act: 'Resume continues where it stopped.' },
}

type Shown = Exclude<keyof Counts, 'accepted'>

/** The parts of the bar, in the order in which they stand there. */
export const parts = [
  'read',
  'delivered',
  'sent',
  'under_way',
  'failed',
  'unknown',
  'skipped',
  'expired',
  'canceled',
  'waiting',
] as const

export const resultWords: Readonly<Record<Shown, string>> = {
  waiting: 'Waiting',
  under_way: 'Under way',
  sent: 'Sent',
  delivered: 'Delivered',
  read: 'Read',
  failed: 'Failed',
  unknown: 'Unknown',
  skipped: 'Skipped',
  expired: 'Expired',
  canceled: 'Canceled',
}

/** What each part stands for, without those in the part before it: who read it was also sent it. */
export function shares({ sent, delivered, read, ...others }: Counts): Readonly<Record<Shown, number>> {
  return { ...others, read, delivered: delivered - read, sent: sent - delivered }
}

/** Reasons of skips beside the codes of errors. */
export const skipWords: Readonly<Record<string, string>> = {
  opted_out: 'opted out of marketing',
  blocked: 'blocked',
  duplicate: 'listed under another address',
  erased: 'erased',
}
