import { formatInstant } from '../../lib/instant.ts'
import type { TokenFacts } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type ChannelAccess, credentialsOf } from '../open-channel.ts'
import { type CheckStep, failed, failedCall, ok, skipped } from './check-step.ts'

/** The platform puts its own name in front; without it, `business_management` is another permission. */
const neededScopes = ['_business_messaging', '_business_management']
const newToken = 'Create a system user token in the business settings and connect the channel with it.'

/**
 * Is the token alive, may it do what we need, and does the app secret belong to its app? The token's facts are null only
 * where the platform could not be asked.
 */
export async function checkAccess(
  rt: Runtime,
  access: ChannelAccess,
  phoneNumberId: string,
): Promise<{ steps: CheckStep[]; token: TokenFacts | null }> {
  const { token, step } = await checkToken(rt, access, phoneNumberId)
  if (!token?.valid) {
    const rest = 'Not looked at: the token does not work.'
    return { steps: [step, skipped('permissions', rest), skipped('app_secret', rest)], token }
  }
  const appId = access.appId ?? token.appId
  return { steps: [step, permissions(token), await checkAppSecret(rt, { ...access, appId }, phoneNumberId)], token }
}

async function checkToken(
  rt: Runtime,
  access: ChannelAccess,
  phoneNumberId: string,
): Promise<{ token: TokenFacts | null; step: CheckStep }> {
  try {
    // Whether the secret is right is a question of its own.
    const { appSecret: _, ...unproven } = credentialsOf(access, phoneNumberId)
    const token = await rt.platform.debugToken(unproven)
    if (!token.valid) return { token, step: failed('token', 'The access token is not valid any more.', newToken) }
    const until = token.expiresAt === null ? 'never expires' : `expires at ${formatInstant(token.expiresAt)}`
    return { token, step: ok('token', `The access token is valid and ${until}.`) }
  } catch (error) {
    const step = failedCall('token', 'The access token could not be checked', error, newToken)
    return { token: isRefusal(error) ? refusedToken : null, step }
  }
}

/** What is known of a token that the platform refuses. */
export const refusedToken: TokenFacts = { valid: false, appId: null, type: null, expiresAt: null, scopes: [] }

/** An explicit word about the token, as opposed to a platform that does not answer. */
export function isRefusal(error: unknown): boolean {
  return error instanceof PlatformError && error.tokenRefused
}

function permissions({ scopes }: TokenFacts): CheckStep {
  const missing = neededScopes.filter((ending) => !scopes.some((scope) => scope.endsWith(ending)))
  if (missing.length === 0) return ok('permissions', 'The token may send messages and manage the account.')
  return failed(
    'permissions',
    `The token lacks the permission …${missing.join(' and …')}.`,
    'Create a token with both permissions for the system user that has access to the business chat account.',
  )
}

/**
 * An app proves itself with its id and secret. A wrong secret would show only later, as callbacks whose signatures are
 * all refused.
 */
async function checkAppSecret(rt: Runtime, access: ChannelAccess, phoneNumberId: string): Promise<CheckStep> {
  if (access.appId === null) return skipped('app_secret', 'Not looked at: the platform does not say which app it is.')
  const asApp = { ...access, accessToken: `${access.appId}|${access.appSecret}` }
  try {
    await rt.platform.debugToken(credentialsOf(asApp, phoneNumberId))
    return ok('app_secret', 'The app secret belongs to the app of the token.')
  } catch (error) {
    if (isRefusal(error)) {
      return failed(
        'app_secret',
        'The app secret does not belong to the app of the token.',
        'Copy the app secret from the basic settings of the app whose token you use.',
      )
    }
    if (error instanceof PlatformError) return skipped('app_secret', 'The platform did not say whether it is right.')
    throw error
  }
}
