import { type Command, textOption } from '../../command.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'
import { choiceFlag, listFlag, requiredFlag, textFlag } from '../../read-flags.ts'

type Event = { id: string; type: string; timestamp: string; data: { message_id?: string } }

export const events: readonly Command[] = [
  listCommand<Event>({
    name: 'events list',
    summary: 'List events, oldest first, up to 14 days back.',
    examples: [
      'postern events list --since 2026-11-15T08:00:00Z',
      'postern events list --type message.received --json',
    ],
    path: () => '/v1/events',
    member: 'events',
    filters: {
      type: { query: 'type', help: 'An event type, such as message.received.' },
      message: { query: 'message_id', help: 'Id of a message.' },
      since: { query: 'since', help: 'A date or date-time, such as 2026-11-01.' },
    },
    columns: {
      time: ({ timestamp }) => timestamp,
      type: ({ type }) => type,
      id: ({ id }) => id,
      message: ({ data }) => data.message_id ?? null,
    },
  }),
  gatewayCommand<{ matched: number; queued: number }>({
    name: 'events resend',
    summary: 'Send past events to a webhook again: those that failed, or all in a time range.',
    examples: [
      'postern events resend --webhook whk_01ka3m7y3t4d0v9v4k6q1t7r2c --since 2026-11-15T08:00:00Z',
      'postern events resend --webhook whk_01ka3m7y3t4d0v9v4k6q1t7r2c --since 2026-11-14 --which all --events message.received',
    ],
    options: {
      webhook: textOption('Id of the webhook.'),
      since: textOption('A date or date-time, at most 14 days ago.'),
      until: textOption('A date or date-time. Default: now.'),
      which: textOption('failed or all. Default: failed.'),
      events: textOption('Event types, comma-separated. Default: all that the webhook gets.'),
    },
    call(_, flags) {
      const webhook = requiredFlag(flags, 'webhook', 'whk_01ka3m7y3t4d0v9v4k6q1t7r2c')
      const until = textFlag(flags, 'until')
      const types = listFlag(flags, 'events')
      return {
        method: 'POST',
        path: `/v1/webhooks/${encodeURIComponent(webhook)}/replay`,
        body: {
          since: requiredFlag(flags, 'since', '2026-11-15T08:00:00Z'),
          status: choiceFlag(flags, 'which', ['failed', 'all']) ?? 'failed',
          ...(until === null ? {} : { until }),
          ...(types === null ? {} : { events: types }),
        },
      }
    },
    text: ({ matched, queued }) => `${queued} of ${matched} ${matched === 1 ? 'event' : 'events'} queued again.\n`,
  }),
]
