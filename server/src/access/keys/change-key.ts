import { type Actor, type AuditContext, type AuditEntry, writeAudited } from '../../audit/audit.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { type ApiKeyRow, updateApiKey } from '../../store/accounts/api-keys.ts'
import { secretMac } from './api-key.ts'
import { newApiSecret } from './credentials.ts'

const overlapDefaultMs = dayMs

/** A second secret begins; the first goes on for the overlap, so that a deployment can follow in its own time. */
export async function rotateKey(
  rt: Runtime,
  row: ApiKeyRow,
  actor: Actor,
  { overlapMs = overlapDefaultMs, context }: { overlapMs?: number; context?: AuditContext } = {},
): Promise<{ secret: string; previousSecretUntil: number }> {
  const secret = newApiSecret()
  const previousSecretUntil = rt.clock.now() + overlapMs
  const change = {
    secret_mac: await secretMac(rt, secret),
    previous_secret_mac: row.secret_mac,
    previous_secret_until: previousSecretUntil,
  }
  await changeKey(rt, row, change, { action: 'api_key.rotated', actor, context })
  return { secret, previousSecretUntil }
}

/** Kills every token of the key at the next request, on every node. */
export async function revokeKey(rt: Runtime, row: ApiKeyRow, actor: Actor, context?: AuditContext): Promise<void> {
  await changeKey(rt, row, { status: 'revoked' }, { action: 'api_key.revoked', actor, context })
}

export async function changeKey(
  rt: Runtime,
  row: ApiKeyRow,
  change: Partial<ApiKeyRow>,
  audit: Pick<AuditEntry, 'action' | 'actor' | 'context'>,
): Promise<void> {
  const targets = [{ type: 'api_key', id: row.id, name: row.name }]
  await writeAudited(rt, { accountId: row.account_id, targets, ...audit }, (unit) =>
    unit.add(updateApiKey, { ...row, ...change }),
  )
}
