import { formatInstant } from '../../lib/instant.ts'
import type { AppCredentials, TokenFacts } from '../../platform/chat-platform.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type ChannelAccess, credentialsOf } from '../require-number.ts'
import { type CheckStep, failed, failedCall, ok, skipped, warning } from './check-step.ts'

/** The platform puts its own name in front; without it, `business_management` is another permission. */
const neededScopes = ['_business_messaging', '_business_management']
const newToken = 'Create a system user token in the business settings and connect the channel with it.'
/** Also what Meta answers where a token may not see the number; a token that does not work has another code. */
const noSuchObject = 100
const rightNumberId =
  'Check the phone number id: API Setup shows it, and it is neither the phone number itself nor the id of the WhatsApp Business account. If it is right, give the system user access to that account.'

export type Access = {
  steps: CheckStep[]
  /** Null only where the platform could not be asked. `scopes` is empty where the token could not be inspected. */
  token: TokenFacts | null
  appId: string | null
  /** The platform itself said that the token belongs to this app. */
  appProven: boolean
}

/**
 * Is the token alive, may it do what we need, and does the app secret belong to its app? A token that works is enough:
 * what could not be checked is told as such.
 */
export async function checkAccess(rt: Runtime, given: ChannelAccess, phoneNumberId: string): Promise<Access> {
  const works = await tryToken(rt, given, phoneNumberId)
  if (works.refused) return refused(works.error)
  const access = { ...given, appId: given.appId ?? works.appId }
  const inspection = await inspectToken(rt, access, phoneNumberId)
  const { token } = inspection
  if (token && !token.valid) return refused(null)
  if (!token && works.error) return unknown(works.error, access.appId)
  const appId = token?.appId ?? access.appId
  const appProven = inspection.appSecret === 'right' && appId !== null && appId === access.appId
  const steps = [tokenStep(inspection), permissions(inspection), secretStep(access, inspection, works.proofRefused)]
  return { steps, token: token ?? { ...refusedToken, valid: true, inspected: false }, appId, appProven }
}

/** Reads the number: the plainest sign that a token works. Its health names the app that asked. */
async function tryToken(rt: Runtime, access: ChannelAccess, phoneNumberId: string) {
  const nothing = { appId: null, refused: false, proofRefused: false, error: null }
  const { appSecret: _, ...unproven } = credentialsOf(access, phoneNumberId)
  try {
    const { health } = await rt.platform.getNumber(credentialsOf(access, phoneNumberId))
    return { ...nothing, appId: health?.entities.find(({ type }) => type === 'APP')?.id ?? null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (!isProofRefusal(error)) return { ...nothing, refused: isTokenRefusal(error), error }
    const retried = await rt.platform.getNumber(unproven).catch(() => null)
    return {
      ...nothing,
      appId: retried?.health?.entities.find(({ type }) => type === 'APP')?.id ?? null,
      proofRefused: true,
    }
  }
}

function isProofRefusal({ upstream }: PlatformError): boolean {
  return upstream.code === 100 && /appsecret_proof/.test(upstream.title ?? '')
}

function refused(error: unknown): Access {
  const step = error
    ? failedCall('token', 'The access token does not work', error, newToken)
    : failed('token', 'The access token is no longer valid.', newToken, 'channel_auth_failed')
  return { steps: [step, ...untouched], token: refusedToken, appId: null, appProven: false }
}

function unknown(error: PlatformError, appId: string | null): Access {
  const step =
    error.upstream.code === noSuchObject
      ? failedCall('token', 'The number could not be read', error, rightNumberId)
      : failedCall('token', 'The access token could not be checked', error, newToken)
  return { steps: [step, ...untouched], token: null, appId, appProven: false }
}

const rest = 'Skipped: fix the token first.'
const untouched = [skipped('permissions', rest), skipped('app_secret', rest)]

function tokenStep({ token }: Inspection): CheckStep {
  if (!token) {
    const fix = 'Repeat with --app-id, so that the token can be checked with Meta on behalf of the app.'
    return warning('token', 'The access token works; its expiry could not be checked.', fix)
  }
  const until = token.expiresAt === null ? 'never expires' : `expires at ${formatInstant(token.expiresAt)}`
  return ok('token', `The access token is valid and ${until}.`)
}

function permissions({ token }: Inspection): CheckStep {
  if (!token) return skipped('permissions', 'Could not be checked.')
  const missing = neededScopes.filter((ending) => !token.scopes.some((scope) => scope.endsWith(ending)))
  if (missing.length === 0) return ok('permissions', 'The token can send messages and manage the account.')
  return failed(
    'permissions',
    `The token lacks the permission ${missing.map((ending) => `whatsapp${ending}`).join(' and ')}.`,
    'Create a token with both permissions for the system user that has access to the WhatsApp Business account.',
  )
}

/** A wrong secret would show only later, as callbacks whose signatures are all refused. */
function secretStep({ appId }: ChannelAccess, { appSecret }: Inspection, proofRefused: boolean): CheckStep {
  if (appSecret === 'wrong' || proofRefused) {
    return failed(
      'app_secret',
      'The app secret does not belong to the app of the token.',
      'Copy the app secret and the app id from App settings, Basic, of the app whose token you use.',
    )
  }
  if (appSecret === 'right') return ok('app_secret', 'The app secret belongs to the app of the token.')
  const why = appId === null ? 'the id of the app is not known' : 'Meta did not say'
  return warning('app_secret', `Could not be checked: ${why}.`, 'Repeat with --app-id.')
}

/** What is known about a token that the platform rejects. */
export const refusedToken: TokenFacts = { valid: false, appId: null, type: null, expiresAt: null, scopes: [] }

type Inspection = {
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
function isTokenRefusal(error: unknown): boolean {
  return error instanceof PlatformError && error.tokenRefused
}
