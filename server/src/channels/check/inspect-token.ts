import type { AppCredentials, TokenFacts } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type ChannelAccess, credentialsOf } from '../open-channel.ts'

/** What is known of a token that the platform refuses. */
export const refusedToken: TokenFacts = { valid: false, appId: null, type: null, expiresAt: null, scopes: [] }

export type Inspection = {
  /** Null where the platform said nothing about the token. */
  token: TokenFacts | null
  appSecret: 'right' | 'wrong' | 'unknown'
  /** Why nothing is known. */
  error: unknown
}

/**
 * Asks the platform about a token. It wants to be asked by the app, whose id and secret are then proven too; where the
 * app is not known or not heard, the token asks about itself, which the platform often refuses.
 */
export async function inspectToken(rt: Runtime, access: ChannelAccess, phoneNumberId: string): Promise<Inspection> {
  const { appId, appSecret } = access
  const byApp = appId === null ? null : await ask(rt, access, phoneNumberId, { appId, appSecret })
  if (byApp?.token) return { ...byApp, appSecret: 'right' }
  const byItself = await ask(rt, access, phoneNumberId)
  return { ...byItself, appSecret: isTokenRefusal(byApp?.error) ? 'wrong' : 'unknown' }
}

async function ask(rt: Runtime, access: ChannelAccess, phoneNumberId: string, asApp?: AppCredentials) {
  // Whether the secret is right is a question of its own, so that the token goes without its proof.
  const { appSecret: _, ...unproven } = credentialsOf(access, phoneNumberId)
  try {
    return { token: await rt.platform.debugToken(unproven, asApp ? { asApp } : {}), error: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { token: isTokenRefusal(error) && !asApp ? refusedToken : null, error }
  }
}

/** An explicit word about the token that asked, as opposed to a platform that does not answer. */
export function isTokenRefusal(error: unknown): boolean {
  return error instanceof PlatformError && error.tokenRefused
}
