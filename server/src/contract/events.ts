import { failurePrivacy, type PrivacyOf } from './privacy.ts'

type EventRow = {
  /** For docs/events.md: when the event happens, and what its `data` holds. */
  when: string
  data: string
  /** Whether it tells of a customer; then `privacy` declares each field of its `data`. */
  personal: boolean
  /**
   * Example data for `POST …/test` and `postern trigger`. Events without it are built by webhooks/listen/trigger-event.ts.
   */
  sample?: (about: { at: string; customer: string }) => Record<string, unknown>
}

type PersonalRow = EventRow & { personal: true; privacy: PrivacyOf }
type OtherRow = EventRow & { personal: false; privacy?: never }

/** An event about a message of the account. Its own id is what a receiver matches it by. */
const sentPrivacy = {
  message_id: 'sent_message',
  direction: 'kept',
  type: 'kept',
  from: 'kept',
  to: 'address',
  user_id: 'personal',
  customer_id: 'customer',
  status: 'kept',
  template: 'kept',
  language: 'kept',
  client_reference: 'reference',
  reply_to: 'other_message',
  group_id: 'kept',
  origin: 'kept',
  error: failurePrivacy,
  inferred: 'kept',
  sequence: 'kept',
  timestamp: 'kept',
  /** Of an event that was too large to deliver. */
  truncated: 'kept',
} as const satisfies PrivacyOf

const receivedPrivacy = {
  ...sentPrivacy,
  message_id: 'received_message',
  from: 'address',
  to: 'kept',
  content: 'personal',
  contact: { name: 'personal' },
} as const satisfies PrivacyOf

/** A broadcast as its events tell it. */
function broadcastSample(status: string, reason: string | null) {
  return ({ at }: { at: string }) => ({
    id: 'bct_sample',
    name: 'Spring sale',
    status,
    reason,
    template: 'spring_sale',
    language: 'en_US',
    counts: { accepted: 1_000, waiting: 600, under_way: 0, sent: 390, failed: 8, unknown: 0, skipped: 2 },
    timestamp: at,
  })
}

function budgetSample(state: string, reserved: string, spent: string, left: string) {
  return ({ at }: { at: string }) => ({
    budget_id: 'bdg_sample',
    name: 'Marketing',
    api_key_id: null,
    period: 'month',
    currency: 'EUR',
    limit: '500.0000',
    warn_at: 80,
    stop: true,
    state,
    period_start: '2026-11-01',
    starts_anew_at: '2026-12-01T00:00:00+00:00',
    reserved,
    spent,
    left,
    has_rates: true,
    created_at: at,
    updated_at: at,
    timestamp: at,
  })
}

/** Every event a webhook may subscribe to. The first four are the specification's, the rest are additions. */
export const events = {
  'message.sent': {
    when: 'Meta accepted the message; its id is known now.',
    data: 'the message',
    personal: true,
    privacy: sentPrivacy,
  },
  'message.delivered': {
    when: 'The message reached the phone of the customer.',
    data: 'the message',
    personal: true,
    privacy: sentPrivacy,
  },
  'message.read': {
    when: 'The customer opened the message.',
    data: 'the message',
    personal: true,
    privacy: sentPrivacy,
  },
  'message.received': {
    when: 'A customer wrote to you.',
    data: 'the message with `content` and `contact`; media by id, never as bytes',
    personal: true,
    privacy: receivedPrivacy,
  },
  'message.failed': {
    when: 'The message will not arrive.',
    data: 'the message with `error`',
    personal: true,
    privacy: sentPrivacy,
  },
  'message.canceled': {
    when: 'A waiting message was canceled. It will not be sent.',
    data: 'the message',
    personal: true,
    privacy: sentPrivacy,
  },
  'message.standby': {
    when: 'A customer wrote while another responder handles the conversation. Do not reply: Meta rejects it, or takes the conversation from the other responder.',
    data: 'the message with `content` and `contact`; media by id, never as bytes',
    personal: true,
    privacy: receivedPrivacy,
  },
  'message.echoed': {
    when: 'Your business sent a message without this gateway: in the WhatsApp Business app, or through another responder.',
    data: 'the message with `content`',
    personal: true,
    privacy: { ...sentPrivacy, content: 'personal' },
  },
  'conversation.control_changed': {
    when: 'Another responder passed a conversation to you, or took it from you.',
    data: '`customer_id`, `customer` (phone number or null), `user_id`, `phone_number` (yours), `owner`: `gateway` or `other`, `role` and `previous_role` at Meta, `summary` and `note` of the previous responder',
    personal: true,
    privacy: {
      customer_id: 'customer',
      customer: 'address',
      user_id: 'personal',
      phone_number: 'kept',
      owner: 'kept',
      role: 'kept',
      previous_role: 'kept',
      summary: 'personal',
      note: 'personal',
      timestamp: 'kept',
    },
    sample: ({ at, customer }) => ({
      customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
      customer,
      user_id: null,
      phone_number: '+12025550199',
      owner: 'gateway',
      role: 'customer_service',
      previous_role: 'ai_agent',
      summary: 'Wants to change the delivery address of order A-1001.',
      note: null,
      timestamp: at,
    }),
  },
  'conversation.assigned': {
    when: 'A conversation was assigned to a person of your team, or unassigned.',
    data: '`customer_id`, `customer` (phone number or null), `user_id`, `phone_number` (yours, or null), `assignee` and `previous_assignee`: `{user_id, name}` or null',
    personal: true,
    privacy: {
      customer_id: 'customer',
      customer: 'address',
      user_id: 'personal',
      phone_number: 'kept',
      assignee: 'kept',
      previous_assignee: 'kept',
      timestamp: 'kept',
    },
    sample: ({ at, customer }) => ({
      customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
      customer,
      user_id: null,
      phone_number: '+12025550199',
      assignee: { user_id: 'usr_sample', name: 'Bea' },
      previous_assignee: null,
      timestamp: at,
    }),
  },
  'conversation.closed': {
    when: "A conversation was closed. The customer's next message reopens it.",
    data: '`customer_id`, `customer` (phone number or null), `user_id`, `phone_number` (yours, or null), `assignee`: `{user_id, name}` or null',
    personal: true,
    privacy: {
      customer_id: 'customer',
      customer: 'address',
      user_id: 'personal',
      phone_number: 'kept',
      assignee: 'kept',
      timestamp: 'kept',
    },
    sample: ({ at, customer }) => ({
      customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
      customer,
      user_id: null,
      phone_number: '+12025550199',
      assignee: { user_id: 'usr_sample', name: 'Bea' },
      timestamp: at,
    }),
  },
  'customer.preference_changed': {
    when: 'A customer opted out of marketing messages from one of your numbers, or opted in again.',
    data: '`customer_id`, `customer` (phone number or null), `user_id`, `phone_number` (yours), `category`, `preference`: `opted_out` or `opted_in`, `source`: `whatsapp`, `keyword`, `console` or `api`',
    personal: true,
    privacy: {
      customer_id: 'customer',
      customer: 'address',
      user_id: 'personal',
      phone_number: 'kept',
      category: 'kept',
      preference: 'kept',
      source: 'kept',
      timestamp: 'kept',
    },
    sample: ({ at, customer }) => ({
      customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
      customer,
      user_id: null,
      phone_number: '+12025550199',
      category: 'marketing',
      preference: 'opted_out',
      source: 'whatsapp',
      timestamp: at,
    }),
  },
  'payment.updated': {
    when: 'Meta reports a payment of an order that you sent: it is pending, was captured or failed.',
    data: '`reference_id` of the order, `status` in the words of Meta, `amount` (`value` divided by `offset`) and `currency`, `transaction`, `message_id` where it is known, `customer_id`, `customer` (phone number or null), `user_id`, `phone_number` (yours). Of two events the one with the later `timestamp` counts.',
    personal: true,
    privacy: {
      reference_id: 'reference',
      status: 'kept',
      amount: { value: 'kept', offset: 'kept' },
      currency: 'kept',
      transaction: { id: 'kept', type: 'kept', status: 'kept' },
      message_id: 'other_message',
      customer_id: 'customer',
      customer: 'address',
      user_id: 'personal',
      phone_number: 'kept',
      timestamp: 'kept',
    },
    sample: ({ at, customer }) => ({
      reference_id: 'A-1001',
      status: 'captured',
      amount: { value: 21_000, offset: 100 },
      currency: 'INR',
      transaction: { id: 'order_FLB1dwzFbAFnY6', type: 'razorpay', status: 'success' },
      message_id: 'sample.message',
      customer_id: 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z',
      customer,
      user_id: null,
      phone_number: '+12025550199',
      timestamp: at,
    }),
  },
  'broadcast.started': {
    when: 'A broadcast began to send.',
    data: 'the broadcast',
    personal: false,
    sample: broadcastSample('running', null),
  },
  'broadcast.held': {
    when: 'A broadcast is held, and resumes automatically.',
    data: 'the broadcast with `reason` and `hold`',
    personal: false,
    sample: broadcastSample('running', 'quota'),
  },
  'broadcast.paused': {
    when: 'A broadcast stopped until a person resumes it.',
    data: 'the broadcast with `reason`',
    personal: false,
    sample: broadcastSample('paused', 'quality_low'),
  },
  'broadcast.resumed': {
    when: 'A held or paused broadcast resumed.',
    data: 'the broadcast',
    personal: false,
    sample: broadcastSample('running', null),
  },
  'broadcast.completed': {
    when: 'Every recipient of a broadcast has a result.',
    data: 'the broadcast',
    personal: false,
    sample: broadcastSample('completed', null),
  },
  'broadcast.canceled': {
    when: 'A broadcast was canceled; recipients who were not processed get nothing.',
    data: 'the broadcast',
    personal: false,
    sample: broadcastSample('canceled', null),
  },
  'template.status_changed': {
    when: 'Meta approved, rejected, paused or disabled a template, or its content changed.',
    data: 'the template with `previous_status`',
    personal: false,
  },
  'template.quality_changed': {
    when: 'Meta changed the quality rating of a template.',
    data: 'the template with `previous_quality`',
    personal: false,
  },
  'template.category_changed': {
    when: 'Meta moved a template to another category, which changes its price.',
    data: 'the template with `previous_category`',
    personal: false,
  },
  'template.category_change_announced': {
    when: 'Meta will move a template to another category, usually within a day.',
    data: 'the template with `next_category`',
    personal: false,
  },
  'number.quality_changed': {
    when: 'Meta changed the quality rating of a number.',
    data: '`phone_number`, `number_id`, `quality`: `high`, `medium`, `low` or null, `previous`',
    personal: false,
    sample: ({ at }) => ({
      phone_number: '+12025550199',
      number_id: 'pn_sample',
      quality: 'low',
      previous: 'high',
      timestamp: at,
    }),
  },
  'number.limit_changed': {
    when: 'A number may start conversations with more or fewer customers a day.',
    data: '`phone_number`, `number_id`, `messaging_limit` in the words of Meta, `previous`',
    personal: false,
    sample: ({ at }) => ({
      phone_number: '+12025550199',
      number_id: 'pn_sample',
      messaging_limit: 'TIER_2K',
      previous: 'TIER_250',
      timestamp: at,
    }),
  },
  'number.name_changed': {
    when: 'The display name of a number changed.',
    data: '`phone_number`, `number_id`, `display_name`, `previous`',
    personal: false,
    sample: ({ at }) => ({
      phone_number: '+12025550199',
      number_id: 'pn_sample',
      display_name: 'Acme',
      previous: 'Acme Shop',
      timestamp: at,
    }),
  },
  'number.username_changed': {
    when: 'The username of a number was approved, reserved or deleted.',
    data: '`phone_number`, `number_id`, `username`, `state`: `approved`, `reserved` or `deleted`, `revoked`: whether Meta took it away, `previous`',
    personal: false,
    sample: ({ at }) => ({
      phone_number: '+12025550199',
      number_id: 'pn_sample',
      username: 'acme',
      state: 'approved',
      revoked: false,
      previous: null,
      timestamp: at,
    }),
  },
  'number.throughput_changed': {
    when: 'A number may send more or fewer messages a second.',
    data: '`phone_number`, `number_id`, `sends_per_second`, `previous`',
    personal: false,
    sample: ({ at }) => ({
      phone_number: '+12025550199',
      number_id: 'pn_sample',
      sends_per_second: 1_000,
      previous: 80,
      timestamp: at,
    }),
  },
  'account.restricted': {
    when: 'Meta restricted, disabled or deleted a WhatsApp Business account.',
    data: '`channel_id`, `waba_id`, `phone_number` where it is about one number, `reason` in the words of Meta, `restrictions` with `type` and `expires_at`',
    personal: false,
    sample: ({ at }) => ({
      channel_id: 'chn_sample',
      waba_id: '100000000000001',
      phone_number: null,
      reason: 'UTILITY_TEMPLATE_ABUSE',
      restrictions: [{ type: 'RESTRICTED_UTILITY_TEMPLATES', expires_at: at }],
      timestamp: at,
    }),
  },
  'account.warned': {
    when: 'Meta reported a violation, or will disable a WhatsApp Business account.',
    data: '`channel_id`, `waba_id`, `phone_number` where it is about one number, `reason` in the words of Meta, `restrictions`',
    personal: false,
    sample: ({ at }) => ({
      channel_id: 'chn_sample',
      waba_id: '100000000000001',
      phone_number: null,
      reason: 'SPAM',
      restrictions: [],
      timestamp: at,
    }),
  },
  'account.restored': {
    when: 'Meta lifted a restriction of a WhatsApp Business account.',
    data: '`channel_id`, `waba_id`, `phone_number` where it is about one number, `reason` in the words of Meta, `restrictions`',
    personal: false,
    sample: ({ at }) => ({
      channel_id: 'chn_sample',
      waba_id: '100000000000001',
      phone_number: null,
      reason: 'REINSTATE',
      restrictions: [],
      timestamp: at,
    }),
  },
  'channel.token_expiring': {
    when: 'The access token of a channel expires within 14 days.',
    data: '`channel_id`, `waba_id`, `expires_at`',
    personal: false,
    sample: ({ at }) => ({ channel_id: 'chn_sample', waba_id: '100000000000001', expires_at: at, timestamp: at }),
  },
  'channel.token_lost': {
    when: 'Meta rejects the access token of a channel: nothing can be sent.',
    data: '`channel_id`, `waba_id`',
    personal: false,
    sample: ({ at }) => ({ channel_id: 'chn_sample', waba_id: '100000000000001', timestamp: at }),
  },
  'channel.disconnected': {
    when: 'A WhatsApp Business account was disconnected: its owner removed the app, or its phone ended the shared use.',
    data: '`channel_id`, `waba_id`, `reason` in the words of Meta, `initiated_by`: `USER`, `SYSTEM` or null',
    personal: false,
    sample: ({ at }) => ({
      channel_id: 'chn_sample',
      waba_id: '100000000000001',
      reason: 'PRIMARY_INACTIVITY',
      initiated_by: 'SYSTEM',
      timestamp: at,
    }),
  },
  'channel.reconnected': {
    when: 'A WhatsApp Business account is connected again, or its access token works again.',
    data: '`channel_id`, `waba_id`, `cause`: `meta` or `token`',
    personal: false,
    sample: ({ at }) => ({
      channel_id: 'chn_sample',
      waba_id: '100000000000001',
      reason: 'ACCOUNT_RECONNECTED',
      cause: 'meta',
      timestamp: at,
    }),
  },
  'webhook.failing': {
    when: 'Another webhook has had no success for a day, failed its check, or has been unavailable for so long that its oldest pending deliveries expire.',
    data: 'that webhook; `verification.status` is `failed` after a check',
    personal: false,
  },
  'webhook.disabled': {
    when: 'Another webhook was disabled: after three days without success, or because its receiver returned 410.',
    data: 'that webhook; `disabled_reason` is `failing` or `gone`',
    personal: false,
  },
  'budget.warned': {
    when: 'A budget reached its `warn_at` percentage, reserved and spent.',
    data: 'the budget with its period, `limit`, `reserved` and `spent`',
    personal: false,
    sample: budgetSample('warned', '0.4000', '410.0000', '89.6000'),
  },
  'budget.exceeded': {
    when: 'A budget is used up, or rejected a send. With `stop`, its sends are rejected until `starts_anew_at`.',
    data: 'the budget with its period, `limit`, `reserved` and `spent`',
    personal: false,
    sample: budgetSample('exceeded', '1.2000', '498.8000', '0.0000'),
  },
  'account.quota_warning': {
    when: 'A quota is nearly used up.',
    data: 'the quota: policy, used, resets_at',
    personal: false,
    sample: ({ at }) => ({ policy: 'day', quota: 1_000, used: 800, window_seconds: 86_400, resets_at: at }),
  },
} as const satisfies Record<string, PersonalRow | OtherRow>

export type EventType = keyof typeof events
/** The data of an event; a field that is not declared above does not compile. */
export type EventData<Type extends EventType> = (typeof events)[Type] extends { privacy: infer Declared }
  ? { -readonly [Field in keyof Declared]?: unknown }
  : Record<string, unknown>
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]

/** All types of one family, also future ones. */
export const eventFamilies: readonly string[] = [...new Set(eventTypes.map(familyOf))]

/** The privacy of each field of an event about a customer; null for other events. */
export function privacyOf(type: string): PrivacyOf | null {
  const row: PersonalRow | OtherRow | undefined = events[type as EventType]
  if (!row) return {}
  // What an erasure adds says that there was a customer, and nothing about them.
  return row.privacy ? { ...row.privacy, erased: 'kept' } : null
}

/** Whether a list of types, families (`message.*`) or `*` has this type in it. */
export function wantsEvent(wanted: readonly string[], type: string): boolean {
  return wanted.some((one) => one === type || one === '*' || one === familyOf(type))
}

export function familyOf(type: string): string {
  const dot = type.indexOf('.')
  return `${dot < 0 ? type : type.slice(0, dot)}.*`
}
