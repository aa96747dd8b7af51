/** Messages, customers, the event feed and webhooks: what an operator does to them by hand. */
export { resetFeed } from '../events/read-feed.ts'
export { parseRecipient } from '../lib/phone.ts'
export { askStatus } from '../messages/ask-status.ts'
export { eraseCustomer } from '../messages/erase/erase-customer.ts'
export { settleMessage } from '../messages/unknown.ts'
export { releaseHeld } from '../messages/waiting/hold-waiting.ts'
export { listFailingWebhooks } from '../webhooks/find-webhook.ts'
