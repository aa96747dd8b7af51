type EventRow = {
  /** For docs/events.md: when the event happens, and what its `data` holds. */
  when: string
  data: string
  /** Example data for `POST …/test` and `postern trigger`. Events without it are built by webhooks/listen/sample-event.ts. */
  sample?: (about: { at: string; customer: string }) => Record<string, unknown>
}

/** Every event a webhook may subscribe to. The first four are the specification's, the rest are additions. */
export const events = {
  'message.sent': { when: 'Meta accepted the message; its id is known now.', data: 'the message' },
  'message.delivered': { when: 'The message reached the phone of the customer.', data: 'the message' },
  'message.read': { when: 'The customer opened the message.', data: 'the message' },
  'message.received': {
    when: 'A customer wrote to you.',
    data: 'the message with `content` and `contact`; media by id, never as bytes',
  },
  'message.failed': { when: 'The message will not arrive.', data: 'the message with `error`' },
  'customer.preference_changed': {
    when: 'A customer stopped marketing messages of one of your numbers, or takes them again.',
    data: '`customer` (phone number or null), `user_id`, `phone_number` (yours), `category`, `preference`: `opted_out` or `opted_in`',
    sample: ({ at, customer }) => ({
      customer,
      user_id: null,
      phone_number: '+12025550199',
      category: 'marketing',
      preference: 'opted_out',
      timestamp: at,
    }),
  },
  'template.status_changed': {
    when: 'Meta approved, rejected, paused or disabled a template.',
    data: 'the template with `previous_status`',
  },
  'webhook.failing': {
    when: 'Another webhook has had no success for a day, failed its check, or has more than 100,000 deliveries waiting, of which the oldest expire.',
    data: 'that webhook; `verification.status` is `failed` after a check',
  },
  'webhook.disabled': {
    when: 'Another webhook was switched off: after three days without success, or because its receiver answered 410.',
    data: 'that webhook; `disabled_reason` is `failing` or `gone`',
  },
  'account.quota_warning': {
    when: 'Most of a quota is used.',
    data: 'the quota: policy, used, resets_at',
    sample: ({ at }) => ({ policy: 'day', quota: 1_000, used: 800, window_seconds: 86_400, resets_at: at }),
  },
} as const satisfies Record<string, EventRow>

export type EventType = keyof typeof events
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

/** All types of one family, also future ones. */
export const eventFamilies: readonly string[] = [...new Set(eventTypes.map(familyOf))]

/** Whether a list of types, families (`message.*`) or `*` has this type in it. */
export function wantsEvent(wanted: readonly string[], type: string): boolean {
  return wanted.some((one) => one === type || one === '*' || one === familyOf(type))
}

export function familyOf(type: string): string {
  const dot = type.indexOf('.')
  return `${dot < 0 ? type : type.slice(0, dot)}.*`
}
