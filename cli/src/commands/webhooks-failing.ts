import { listFailingWebhooks } from '@postern/server/messages.ts'
import { dataCommand } from '../data-command.ts'
import { table } from '../output/table.ts'
import { noWords } from '../read-flags.ts'

export const webhooksFailing = dataCommand({
  name: 'webhooks failing',
  summary: 'List failing and paused webhooks of all accounts, longest failing first.',
  examples: ['postern webhooks failing', 'postern webhooks failing --json'],
  args(_flags, words) {
    noWords(words)
    return {}
  },
  run: async (rt) => ({ webhooks: await listFailingWebhooks(rt) }),
  text: ({ webhooks }) =>
    webhooks.length === 0
      ? 'No webhook is failing.\n'
      : table(
          ['account', 'name', 'webhook', 'server', 'failing since', 'waiting since', 'paused until', 'last response'],
          webhooks.map((found) => [
            found.account_id,
            found.account_name ?? '',
            found.webhook_id,
            found.server,
            found.failing_since ?? '',
            found.waiting_since ?? '',
            found.paused_until ?? '',
            found.last_response ?? '',
          ]),
        ),
})
