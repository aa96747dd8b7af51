import { type EventType, events } from '../../server/src/contract/events.ts'
import { buildSample } from '../../server/src/webhooks/listen/trigger-event.ts'

/** docs/events.md, from the table of events: a list, and each with the sample that tests and `postern trigger` send. */
export function eventsPage(): string {
  const all = Object.entries(events) as [EventType, { when: string; data: string }][]
  const rows = all.map(([type, { when }]) => `| [\`${type}\`](#${type.replace('.', '')}) | ${when} |`)
  const sections = all.map(
    ([type, { when, data }]) =>
      `## \`${type}\`\n\n${when} \`data\`: ${data}.\n\n\`\`\`json\n${sampleOf(type)}\n\`\`\`\n`,
  )
  return `${introduction}\n| Type | When |\n|---|---|\n${rows.join('\n')}\n\n${sections.join('\n')}`
}

const at = Date.parse('2026-11-15T10:30:02.114Z')
const fixed = { newId: () => 'evt_01ka3m7y3t4d0v9v4k6q1t7r2c', clock: { now: () => at } }

function sampleOf(type: EventType): string {
  const { body } = buildSample(fixed as unknown as Parameters<typeof buildSample>[0], type, null)
  return JSON.stringify(JSON.parse(body), null, 2)
}

const introduction = `# Events

<!-- Generated from server/src/contract/events.ts by scripts/generate.ts. -->

An event is stored in the same transaction as the change it tells of: neither exists without the other. The feed and
every webhook send the same bytes: \`id\`, \`type\`, \`api_version\`, \`timestamp\`, and \`data\`, which depends on the type.

- \`id\` is the same for every webhook and every retry, and is also in the \`webhook-id\` header: deliveries can repeat, so
  remember the ids you have handled.
- \`data.sequence\` counts the events of one message from 1: ignore a number lower than the last one you saw.
- New fields and new types may be added; ignore what you do not know.
- \`postern trigger\`, *Send test* in the console and \`POST /v1/webhooks/{webhook_id}/test\` send the samples below.
`
