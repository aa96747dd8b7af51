import { type Command, textOption } from '../../command.ts'
import { readEnvironment } from '../../env.ts'
import { wrongUsage } from '../../exit-codes.ts'
import { gatewayCommand } from '../../gateway/gateway-command.ts'
import { listCommand } from '../../gateway/list-command.ts'
import { choiceFlag, countFlag, listFlag, requiredFlag, textFlag } from '../../read-flags.ts'

type Webhook = {
  id: string
  url: string
  events: string[]
  active: boolean
  verification: { status: string }
  disabled_reason: string | null
  stats: { success_rate: number | null }
}
type Delivery = Record<'id' | 'event_id' | 'type' | 'status' | 'created_at', string> & { attempt_count: number }

const anId = 'whk_01ka3m7y3t4d0v9v4k6q1t7r2c'

export const webhooks: readonly Command[] = [
  listCommand<Webhook>({
    name: 'webhooks list',
    summary: 'List webhooks and their success rates.',
    examples: ['postern webhooks list', 'postern webhooks list --json'],
    path: () => '/v1/webhooks',
    member: 'webhooks',
    filters: null,
    columns: {
      id: ({ id }) => id,
      state: ({ active, verification, disabled_reason }) =>
        disabled_reason ?? (active ? verification.status : 'inactive'),
      success: ({ stats }) => (stats.success_rate === null ? null : `${stats.success_rate}%`),
      events: ({ events }) => events.join(','),
      url: ({ url }) => url,
    },
  }),
  gatewayCommand({
    name: 'webhooks get',
    summary: 'Show one webhook.',
    examples: [`postern webhooks get ${anId}`],
    words: ['webhook id'],
    call: ([id]) => ({ method: 'GET', path: `/v1/webhooks/${id}` }),
  }),
  gatewayCommand({
    name: 'webhooks create',
    summary: 'Register a webhook. Its secret comes from POSTERN_WEBHOOK_SECRET.',
    examples: [
      'POSTERN_WEBHOOK_SECRET="whsec_$(openssl rand -base64 32)" postern webhooks create --url https://shop.example.com/hooks',
      "postern webhooks create --url https://shop.example.com/hooks --events 'message.*,template.status_changed'",
    ],
    options: {
      url: textOption('The https address of your receiver.'),
      events: textOption("Types such as message.received, or 'message.*', comma-separated. Default: all."),
      description: textOption('A note for yourself.'),
    },
    call(_, flags, { host }) {
      const description = textFlag(flags, 'description')
      const { webhookSecret: secret } = readEnvironment(host.env)
      return {
        method: 'POST',
        path: '/v1/webhooks',
        body: {
          url: requiredFlag(flags, 'url', 'https://shop.example.com/hooks'),
          events: listFlag(flags, 'events') ?? ['*'],
          ...(description === null ? {} : { description }),
          ...(secret ? { secret } : {}),
        },
      }
    },
  }),
  gatewayCommand({
    name: 'webhooks update',
    summary: 'Change a webhook. Settings without a flag stay unchanged.',
    examples: [
      `postern webhooks update ${anId} --events 'message.*'`,
      `postern webhooks update ${anId} --active false`,
    ],
    words: ['webhook id'],
    options: {
      url: textOption('The https address of your receiver; it gets a challenge.'),
      events: textOption("Types such as message.received, or 'message.*', comma-separated."),
      active: textOption('true or false: whether events are delivered.'),
      description: textOption('A note for yourself.'),
    },
    call([id], flags) {
      const [url, description] = [textFlag(flags, 'url'), textFlag(flags, 'description')]
      const [events, active] = [listFlag(flags, 'events'), choiceFlag(flags, 'active', ['true', 'false'])]
      const body = {
        ...(url === null ? {} : { url }),
        ...(events === null ? {} : { events }),
        ...(active === null ? {} : { active: active === 'true' }),
        ...(description === null ? {} : { description }),
      }
      if (Object.keys(body).length === 0) throw wrongUsage('Give --url, --events, --active or --description.')
      return { method: 'PUT', path: `/v1/webhooks/${id}`, body }
    },
  }),
  gatewayCommand({
    name: 'webhooks verify',
    summary: 'Send the challenge to a webhook now, and wait for the response.',
    examples: [`postern webhooks verify ${anId}`],
    words: ['webhook id'],
    call: ([id]) => ({ method: 'POST', path: `/v1/webhooks/${id}/verify` }),
  }),
  gatewayCommand({
    name: 'webhooks test',
    summary: 'Send a sample event to a webhook now, and show the response.',
    examples: [`postern webhooks test ${anId}`, `postern webhooks test ${anId} --type message.received`],
    words: ['webhook id'],
    options: { type: textOption('The event type. Default: message.delivered.') },
    call([id], flags) {
      const type = textFlag(flags, 'type') ?? 'message.delivered'
      return { method: 'POST', path: `/v1/webhooks/${id}/test`, body: { type } }
    },
  }),
  gatewayCommand({
    name: 'webhooks rotate-secret',
    summary: 'Create a new signing secret and print it once. The old one also signs for a day.',
    examples: [`postern webhooks rotate-secret ${anId}`, `postern webhooks rotate-secret ${anId} --overlap 3600`],
    words: ['webhook id'],
    options: { overlap: textOption('How long the old secret also signs, in seconds. Default: 86400.') },
    call([id], flags) {
      const overlap = countFlag(flags, 'overlap', { max: 2_592_000 })
      const body = overlap === null ? {} : { overlap_seconds: overlap }
      return { method: 'POST', path: `/v1/webhooks/${id}/rotate-secret`, body }
    },
  }),
  gatewayCommand({
    name: 'webhooks delete',
    summary: 'Delete a webhook and cancel its pending deliveries.',
    examples: [`postern webhooks delete ${anId} --yes`],
    words: ['webhook id'],
    warning: 'The webhook is deleted, and its pending deliveries are cancelled.',
    call: ([id]) => ({ method: 'DELETE', path: `/v1/webhooks/${id}` }),
  }),
  listCommand<Delivery>({
    name: 'webhooks deliveries',
    summary: 'List the deliveries of a webhook, newest first.',
    examples: [`postern webhooks deliveries ${anId} --status failed`],
    words: ['webhook id'],
    path: ([id]) => `/v1/webhooks/${id}/deliveries`,
    member: 'deliveries',
    filters: {
      status: { query: 'status', help: 'Such as delivered, pending or failed.' },
      type: { query: 'type', help: 'An event type.' },
      message: { query: 'message_id', help: 'Id of a message.' },
      since: { query: 'since', help: 'A date or date-time, such as 2026-11-01.' },
      until: { query: 'until', help: 'A date or date-time.' },
    },
    columns: {
      time: ({ created_at }) => created_at,
      type: ({ type }) => type,
      status: ({ status }) => status,
      attempts: ({ attempt_count }) => attempt_count,
      id: ({ id }) => id,
      event: ({ event_id }) => event_id,
    },
  }),
  gatewayCommand({
    name: 'webhooks resend',
    summary: 'Send one delivery again now, with the same event id.',
    examples: [`postern webhooks resend ${anId} dlv_01ka3m7y3t4d0v9v4k6q1t7r2c`],
    words: ['webhook id', 'delivery id'],
    call: ([id, delivery]) => ({ method: 'POST', path: `/v1/webhooks/${id}/deliveries/${delivery}/retry` }),
  }),
]
