import { timingSafeEqual } from 'node:crypto'
import { AppError } from '../../contract/app-error.ts'
import { rangesContain } from '../../lib/guarded-http/address-guard-ranges.ts'
import type { AttemptLimit } from '../../limits/attempts.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKeyByPublicKey } from '../../store/accounts/api-keys.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { type KeyKind, secretMac } from './api-key.ts'
import { toAddressList } from './create-key.ts'

export type KeyProof = {
  kind?: KeyKind
  apiKey: string
  apiSecret: string
  ip: string
  /** False behind a proxy nobody configured: the address is the proxy's. */
  addressKnown?: boolean
  /** Told whose key was named before anything is proved: a refusal belongs into the log of its owner. */
  onKey?: (claim: KeyClaim) => void
}
export type KeyClaim = { accountId: string; keyId: string }
/** `provedUntil`: when the key expires, or the former secret that was given ends. */
export type ProvedKey = RowOf<(typeof findApiKeyByPublicKey)['returns']> & { provedUntil: number }

const nobody = Buffer.alloc(32).toString('base64url')

/** The key behind its two halves. Unknown key and wrong secret take the same steps and get the same answer. */
export async function proveKey(rt: Runtime, limit: AttemptLimit, proof: KeyProof): Promise<ProvedKey> {
  const { kind = 'key' } = proof
  const [found] = await rt.store.read(findApiKeyByPublicKey, { public_key: proof.apiKey })
  const key = found?.kind === kind ? found : undefined
  if (key) proof.onKey?.({ accountId: key.account_id, keyId: key.id })
  const now = rt.clock.now()
  const given = await secretMac(rt, proof.apiSecret)
  const previous = key?.previous_secret_until && key.previous_secret_until > now ? key.previous_secret_mac : null
  const [isCurrent, isPrevious] = [same(given, key?.secret_mac ?? nobody), same(given, previous ?? nobody)]
  if (!key || !(isCurrent || isPrevious)) {
    const wrong = new AppError('invalid_credentials', 'The API key is unknown or the secret is wrong.')
    const refusal = await limit.failed(proof.apiKey, proof.addressKnown === false ? null : proof.ip, wrong)
    rt.metrics.authFailures.inc({ code: refusal.code })
    throw refusal
  }
  if (key.status !== 'active' || (key.expires_at !== null && key.expires_at <= now)) {
    throw new AppError('api_key_inactive', 'The API key was revoked or has expired.')
  }
  if (key.account_status !== 'active') throw new AppError('account_suspended', 'The account is suspended.')
  if (key.allowed_ips !== null && !rangesContain(toAddressList(JSON.parse(key.allowed_ips) as string[]), proof.ip)) {
    throw new AppError('ip_not_allowed', 'The API key may not be used from this address.')
  }
  const never = Number.POSITIVE_INFINITY
  const secretUntil = isCurrent ? never : (key.previous_secret_until ?? 0)
  return { ...key, provedUntil: Math.min(key.expires_at ?? never, secretUntil) }
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
