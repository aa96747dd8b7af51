import type { Author } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import type { WebhookRow } from '../store/webhooks/webhooks.ts'
import { sealSecret } from './register-webhook.ts'
import { generateSecret } from './secret-rules.ts'
import { changeWebhook } from './update-webhook.ts'
import { webhookLine } from './webhook-view.ts'

export type Rotation = { secret?: string | null; overlap_seconds?: number | null }

const overlapSecondsDefault = 86_400

/**
 * A new secret, the caller's or a random one. The old one keeps signing beside it while receivers change over. Two sign
 * at most: a rotation within the overlap of another ends the oldest at once, and says so.
 */
export async function rotateSecret(
  rt: Runtime,
  accountId: string,
  id: string,
  rotation: Rotation,
  author: Author | null = null,
) {
  const secret = rotation.secret ?? generateSecret()
  const now = rt.clock.now()
  const until = now + (rotation.overlap_seconds ?? overlapSecondsDefault) * 1_000
  let previousUntil: number | null = null
  let earlierEnded = false
  const rotated = (row: WebhookRow): WebhookRow => {
    earlierEnded = row.previous_secret !== null && (row.previous_secret_until ?? 0) > now
    previousUntil = row.secret === null ? null : until
    const previous = { previous_secret: row.secret, previous_secret_until: previousUntil }
    return { ...row, ...previous, secret: sealSecret(rt, id, secret) }
  }
  await changeWebhook(rt, accountId, id, {
    change: rotated,
    line: (row) => webhookLine(author, 'webhook.secret_rotated', row),
  })
  return {
    id,
    secret,
    previous_secret_expires_at: formatInstant(previousUntil),
    earlier_secret_ended: earlierEnded,
  }
}
