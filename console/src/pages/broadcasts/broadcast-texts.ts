import type { Broadcast, Counts } from './broadcast-query.ts'

export type Reason = NonNullable<Broadcast['reason']>

/** Why it does not send now, and what a person can do about it. */
export const reasons: Readonly<Record<Reason, { what: string; act: string }>> = {
  messaging_limit: {
    what: 'The number has written to nearly as many new customers in 24 hours as Meta allows.',
    act: 'It goes on when there is room again. A tenth is left for other messages.',
  },
  quota: {
    what: 'The plan of the account is spent for this hour or day.',
    act: 'It goes on when the plan resets. A fifth is left for the API.',
  },
  quiet_hours: { what: 'It is quiet where the next recipients live.', act: 'It goes on when their quiet hours end.' },
  meta_unavailable: {
    what: 'Meta did not answer ten times in a row.',
    act: 'It looks every 30 seconds, without using a recipient, and goes on when Meta answers.',
  },
  channel: {
    what: 'The channel cannot send: its token was refused, or the number is not connected or registered.',
    act: 'Check the channel. It goes on by itself afterwards.',
  },
  template_paused: {
    what: 'Meta paused the template, because too many customers blocked or reported it.',
    act: 'It goes on when Meta allows the template again.',
  },
  account_suspended: { what: 'The account is suspended.', act: 'Ask the operator of this gateway.' },
  template_rejected: {
    what: 'The template was rejected, disabled or deleted.',
    act: 'Have it approved again, then resume; or cancel and make a broadcast with another template.',
  },
  template_changed: {
    what: 'The template was edited, or got another category and so another price.',
    act: 'Look at the template. Resume sends it as it is now.',
  },
  quality_low: {
    what: 'Meta rates the quality of the number as low.',
    act: 'Many customers blocked or reported it. Sending on can cost you the number: check whom you write to.',
  },
  restricted: { what: 'Meta restricted the WhatsApp Business account.', act: 'Resolve this with Meta, then resume.' },
  payment_missing: {
    what: 'Meta has no valid payment method for the WhatsApp Business account.',
    act: 'Add one in Meta Business Suite, then resume.',
  },
  restored: {
    what: 'The data came back from a backup or a standby, and may be older than what was sent.',
    act: 'Check the last recipients who got it. Resume continues behind the last one known here.',
  },
  budget: {
    what: 'A budget has no room for the next recipients.',
    act: 'Raise its limit under Costs, or wait for its next period; then resume.',
  },
  key_revoked: {
    what: 'The API key that started it was revoked.',
    act: 'Resume continues in your name; cancel if it should not have been sent.',
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
  duplicate: 'written to under another address',
  erased: 'erased',
}
