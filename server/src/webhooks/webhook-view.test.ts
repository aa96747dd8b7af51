import { expect, test } from 'vitest'
import { operator } from '../audit/audit.ts'
import { webhookLine } from './find-webhook.ts'

test('a line of the audit log names a webhook without the secrets in its address', () => {
  const author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }
  const webhook = { id: 'whk_1', account_id: 'acc_1', url: 'https://hooks.acme.test/in?token=s3cret&key=other' }
  const line = webhookLine(author, 'webhook.created', webhook)
  expect(line?.targets).toEqual([
    { type: 'webhook', id: 'whk_1', name: 'https://hooks.acme.test/in?token=[secret]&key=[secret]' },
  ])
})
