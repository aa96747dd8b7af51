import { type EventType, eventTypes } from '../../server/src/contract/events.ts'

/** A new event type does not compile until it is described here. */
const meanings: Record<EventType, { when: string; data: string }> = {
  'message.sent': { when: 'Meta accepted the message; its id is known now.', data: 'the message' },
  'message.delivered': { when: 'The message reached the phone of the customer.', data: 'the message' },
  'message.read': { when: 'The customer opened the message.', data: 'the message' },
  'message.received': {
    when: 'A customer wrote to you.',
    data: 'the message with `content` and `contact`; media by id, never as bytes',
  },
  'message.failed': { when: 'The message will not arrive.', data: 'the message with `error`' },
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
  'customer.preference_changed': {
    when: 'A customer stopped marketing messages of one of your numbers, or takes them again.',
    data: '`customer` (phone number or null), `user_id`, `phone_number` (yours), `category`, `preference`: `opted_out` or `opted_in`',
  },
  'account.quota_warning': { when: 'Most of a quota is used.', data: 'the quota: policy, used, resets_at' },
}

/** docs/events.md, from the list of event types. */
export function eventsPage(): string {
  const rows = eventTypes.map((type) => `| \`${type}\` | ${meanings[type].when} | ${meanings[type].data} |`)
  return `${introduction}\n| Type | When | \`data\` |\n|---|---|---|\n${rows.join('\n')}\n`
}

const introduction = `# Events

<!-- Generated from server/src/contract/events.ts and scripts/documents/events-page.ts by scripts/generate.ts. -->

An event is stored in the same transaction as the change it tells of: neither exists without the other. The feed and
every webhook send the same bytes:

\`\`\`json
{
  "id": "evt_01ka3m7y3t4d0v9v4k6q1t7r2c",
  "type": "message.delivered",
  "api_version": "v1",
  "timestamp": "2026-11-15T10:30:02.114Z",
  "data": { "sequence": 2 }
}
\`\`\`

- \`id\` is the same for every webhook and every retry, and is also in the \`webhook-id\` header: deliveries can repeat, so
  remember the ids you have handled.
- \`data.sequence\` counts the events of one message from 1: ignore a number lower than the last one you saw.
- New fields and new types may be added; ignore what you do not know.
`
