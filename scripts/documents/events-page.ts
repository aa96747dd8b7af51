import { events } from '../../server/src/contract/events.ts'

/** docs/events.md, from the table of events. */
export function eventsPage(): string {
  const rows = Object.entries(events).map(([type, { when, data }]) => `| \`${type}\` | ${when} | ${data} |`)
  return `${introduction}\n| Type | When | \`data\` |\n|---|---|---|\n${rows.join('\n')}\n`
}

const introduction = `# Events

<!-- Generated from server/src/contract/events.ts by scripts/generate.ts. -->

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
