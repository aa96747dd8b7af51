import { randomBytes } from 'node:crypto'
import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import {
  deleteRetiredSigningKeys,
  insertFirstSigningKey,
  listSigningKeys,
  retireSigningKeys,
} from '../../store/accounts/signing-keys.ts'
import { Unit } from '../../store/engine/unit.ts'

export type SigningKey = { kid: string; secret: Buffer; active: boolean; createdAt: number }

const rotateAfterMs = 90 * dayMs

/** All keys that may have signed a living token; the first is the one that signs. Makes the first key of all. */
export async function loadSigningKeys(rt: Runtime): Promise<SigningKey[]> {
  const known = await readSigningKeys(rt)
  if (known.some((key) => key.active)) return known
  const unit = new Unit()
  addNewKey(rt, unit)
  await rt.store.write(unit)
  return readSigningKeys(rt)
}

/** The old key goes on verifying until the last token it signed can no longer be refreshed. */
export async function rotateSigningKey(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const { tokenTtlSeconds, tokenRefreshGraceSeconds } = rt.config
  const unit = new Unit()
  unit.add(retireSigningKeys, { now })
  addNewKey(rt, unit)
  unit.add(deleteRetiredSigningKeys, { before: now - (tokenTtlSeconds + tokenRefreshGraceSeconds + 3_600) * 1_000 })
  await rt.store.write(unit)
}

/** A regular job: every 90 days a new key. */
export async function rotateSigningKeyByAge(rt: Runtime): Promise<'done'> {
  const active = (await readSigningKeys(rt)).find((key) => key.active)
  if (active && rt.clock.now() - active.createdAt > rotateAfterMs) await rotateSigningKey(rt)
  return 'done'
}

/** When the next key is due, for operators who want to see the rotation work. */
export async function measureSigningKey(rt: Runtime): Promise<void> {
  const active = (await readSigningKeys(rt)).find((key) => key.active)
  if (active) rt.metrics.signingKeyExpiry.set({}, (active.createdAt + rotateAfterMs) / 1_000)
}

function addNewKey(rt: Runtime, unit: Unit): void {
  const kid = randomBytes(9).toString('base64url')
  const sealed = rt.secrets.seal('signing key', kid, randomBytes(32))
  unit.add(insertFirstSigningKey, { kid, sealed, created_at: rt.clock.now() })
}

async function readSigningKeys(rt: Runtime): Promise<SigningKey[]> {
  const rows = await rt.store.read(listSigningKeys, {})
  return rows.flatMap(({ kid, sealed, status, created_at }) => {
    const secret = openKey(rt, kid, sealed)
    return secret ? [{ kid, secret, active: status === 'active', createdAt: created_at }] : []
  })
}

/** Null: one that does not open, of another master key perhaps. It must not take the others along. */
function openKey(rt: Runtime, kid: string, sealed: string): Buffer | null {
  try {
    return rt.secrets.open('signing key', kid, sealed)
  } catch (error) {
    rt.log.error({ err: error, kid }, 'signing_key.unreadable')
    return null
  }
}
