import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { sealSecret } from './register-webhook.ts'
import { generateSecret } from './secret-rules.ts'
import { changeWebhook } from './update-webhook.ts'

export type Rotation = { secret?: string | null; overlap_seconds?: number | null }

const overlapSecondsDefault = 86_400

/** A new secret, the caller's or a random one. The old one keeps signing beside it while receivers change over. */
export async function rotateSecret(rt: Runtime, accountId: string, id: string, rotation: Rotation) {
  const secret = rotation.secret ?? generateSecret()
  const until = rt.clock.now() + (rotation.overlap_seconds ?? overlapSecondsDefault) * 1_000
  let previousUntil: number | null = null
  await changeWebhook(rt, accountId, id, (row) => {
    previousUntil = row.secret === null ? null : until
    const previous = { previous_secret: row.secret, previous_secret_until: previousUntil }
    return { ...row, ...previous, secret: sealSecret(rt, id, secret) }
  })
  return { id, secret, previous_secret_expires_at: previousUntil === null ? null : formatInstant(previousUntil) }
}
