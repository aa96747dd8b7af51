import { eventTypes, type Triggered } from '@postern/server/words.ts'
import { type Command, switchOption, textOption } from '../../command.ts'
import { exitCodes, wrongUsage } from '../../exit-codes.ts'
import { explainGateway, gatewayClient, gatewayOptions } from '../../gateway/gateway-client.ts'
import { onlyWord, textFlag } from '../../read-flags.ts'
import { requireKnown } from './listen.ts'

export const trigger: Command = {
  name: 'trigger',
  summary:
    'Trigger a test event. In the sandbox, message.received makes a simulated customer write; other events are samples.',
  examples: [
    'postern trigger message.received --from +12025550100 --text "Hi"',
    'postern trigger message.delivered',
    'postern trigger template.status_changed --json',
  ],
  options: {
    from: textOption('Phone number of the customer who writes; for message.received.'),
    text: textOption('What the customer writes; for message.received.'),
    ...gatewayOptions,
    json: switchOption('One JSON object per line on stdout.'),
  },
  async run(invocation) {
    const { flags, positionals, output } = invocation
    const type = onlyWord(positionals, `the event type, one of ${eventTypes.join(', ')}`)
    requireKnown(type, eventTypes, 'trigger')
    const [from, text] = [textFlag(flags, 'from'), textFlag(flags, 'text')]
    if ((from !== null || text !== null) && type !== 'message.received') {
      throw wrongUsage('--from and --text are for message.received only.')
    }
    const { client, baseUrl } = await gatewayClient(invocation)
    const body = { type, ...(from === null ? {} : { from }), ...(text === null ? {} : { text }) }
    try {
      const call = { method: 'POST', path: '/v1/events/trigger', body, expect: 'response' } as const
      const { data: triggered } = (await (await client.request<Response>(call)).json()) as { data: Triggered }
      output.result(triggered, describe(triggered))
      return exitCodes.ok
    } catch (error) {
      throw explainGateway(error, baseUrl)
    }
  },
}

/** What was done, and to whom it went. */
function describe(triggered: Triggered): string {
  const { type, method, from, to, message_id, listeners, webhooks } = triggered
  const deed =
    method === 'customer_wrote'
      ? `The customer ${from} wrote to ${to} in the sandbox (message ${message_id}).`
      : `Sent a sample ${type}; it does not appear in the feed or statistics.`
  const restraint =
    method === 'sample_to_listeners'
      ? [
          'Nothing was sent to webhooks, because this account has a live number; POST /v1/webhooks/{id}/test sends to one.',
        ]
      : []
  const lines = [
    deed,
    ...restraint,
    ...webhooks.map(describeWebhook),
    listeners > 0 ? `  postern listen  with ${listeners === 1 ? 'one API key' : `${listeners} API keys`}` : '',
    listeners === 0 && webhooks.length === 0
      ? 'No listener or webhook receives it: run "postern listen", or register a webhook.'
      : '',
  ]
  return lines.flatMap((line) => (line === '' ? [] : [`${line}\n`])).join('')
}

function describeWebhook({ id, url, delivered, status_code, error_code }: Triggered['webhooks'][number]): string {
  const answered = delivered === null ? 'in progress' : (status_code ?? error_code)
  return `  webhook ${id}  ${url}  ${answered}`
}
