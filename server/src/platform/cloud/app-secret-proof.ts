import { createHmac } from 'node:crypto'
import type { NumberCredentials } from '../chat-platform.ts'

type Secrets = Pick<NumberCredentials, 'accessToken' | 'appSecret'>

const knownMax = 10_000

/**
 * What shows the platform that a call comes from the app: one with "Require App Secret" refuses calls without it. The same
 * for every call of a channel, so it is made once.
 */
export function createAppSecretProofs(): (secrets: Secrets) => string | null {
  const known = new Map<string, { readonly appSecret: string; readonly proof: string }>()
  return ({ accessToken, appSecret }) => {
    if (!appSecret) return null
    const last = known.get(accessToken)
    if (last?.appSecret === appSecret) return last.proof
    const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')
    if (known.size >= knownMax) known.delete(known.keys().next().value ?? '')
    known.set(accessToken, { appSecret, proof })
    return proof
  }
}
