import { timingSafeEqual } from 'node:crypto'
import type { Static } from 'typebox'
import type { SignatureToCheck } from '../contract/console/webhooks.ts'
import type { Runtime } from '../runtime.ts'
import { signDelivery } from './delivery/sign-delivery.ts'
import { webhookOf } from './find-webhook.ts'

const toleranceSeconds = 300

/** Whether a signature is one of ours. Only yes or no leaves: the right one would let anybody sign. */
export async function checkSignature(
  rt: Runtime,
  accountId: string,
  webhookId: string,
  given: Static<typeof SignatureToCheck>,
) {
  const webhook = await webhookOf(rt, accountId, webhookId)
  const no = (reason: string) => ({ valid: false, reason })
  if (webhook.secret === null) return no('This webhook has no secret, so its deliveries carry no signature.')
  const timestampSeconds = Number(given.timestamp.trim())
  if (!/^\d{9,11}$/.test(given.timestamp.trim())) return no('webhook-timestamp must be seconds since 1970, all digits.')
  const offered = given.signature
    .trim()
    .split(/\s+/)
    .filter((one) => one.startsWith('v1,'))
  if (offered.length === 0) return no('webhook-signature must contain v1, and base64.')
  const message = { id: given.id.trim(), timestampSeconds, body: Buffer.from(given.body, 'utf8') }
  const right = (signDelivery(rt, webhook, message) ?? '').split(' ')
  if (!offered.some((one) => right.some((own) => equal(one, own)))) {
    return no(
      'The signature does not match. The usual cause is a body that was parsed and serialized again: use the raw bytes.',
    )
  }
  const ageSeconds = Math.abs(Math.floor(rt.clock.now() / 1_000) - timestampSeconds)
  const old = ageSeconds > toleranceSeconds ? ' Your code should reject it now: it is older than 5 minutes.' : ''
  return { valid: true, reason: `The signature matches.${old}` }
}

function equal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
