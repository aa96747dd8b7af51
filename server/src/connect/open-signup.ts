import { randomBytes } from 'node:crypto'
import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import { seal, sharedApp } from '../channels/channel-app.ts'
import { AppError } from '../contract/app-error.ts'
import { hourMs } from '../lib/durations.ts'
import type { AppAccess } from '../platform/chat-platform.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import {
  beginRedeeming,
  endSignup,
  findSignupByState,
  grantSignup,
  insertSignup,
  type SignupRow,
} from '../store/channels/signups.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { unitOf } from '../store/engine/unit.ts'

/**
 * Embedded Signup without Meta's script. The browser is sent to Meta with a `state`, and comes back with it and a code that
 * is worth one token. Of what comes back, the code alone counts: ids beside it are claims, compared later with what the
 * token can see. `state` is stored as a hash, belongs to one person, and works in the browser that holds its cookie; the
 * token is stored before anything else is done with it, so that a wrong PIN does not cost the whole signup.
 */
export type SignupApp = AppAccess & { configId: string }

const opensMs = hourMs

/** Signup needs an app with Meta's advanced access, which is the operator's. Null where there is none. */
export function signupApp(rt: Runtime): SignupApp | null {
  const shared = sharedApp(rt)
  const { signupConfigId: configId, channelBaseUrl: baseUrl, channelGraphVersion: graphVersion } = rt.config
  return shared && configId !== null ? { ...shared, configId, baseUrl, graphVersion } : null
}

export function requireSignupApp(rt: Runtime): SignupApp {
  const app = signupApp(rt)
  if (app) return app
  throw new AppError(
    'signup_not_available',
    'This gateway has no app for Embedded Signup. Connect with a token instead.',
  )
}

/** `browser` is the secret of the browser's cookie. */
export async function openSignup(
  rt: Runtime,
  member: Member,
  { browser, onBusinessApp }: { browser: string; onBusinessApp: boolean },
): Promise<{ id: string; url: string }> {
  const app = requireSignupApp(rt)
  const state = randomBytes(32).toString('base64url')
  const now = rt.clock.now()
  const id = rt.newId('sgn')
  const redirectUri = returnUrl(rt)
  const row: SignupRow = {
    id,
    account_id: member.accountId,
    user_id: member.userId,
    state_hash: hashOf(rt, state),
    browser_hash: hashOf(rt, browser),
    redirect_uri: redirectUri,
    on_business_app: Number(onBusinessApp),
    step: 'opened',
    access_token: null,
    claimed_waba_id: null,
    channel_id: null,
    phone_number_id: null,
    contacts_sync: null,
    history_sync: null,
    problem: null,
    created_at: now,
    updated_at: now,
  }
  const entry = entryBy(member, 'channel.signup_started', { type: 'signup', id, name: 'WhatsApp' })
  await writeAudited(rt, entry, (unit) => unit.add(insertSignup, row))
  return { id, url: dialogUrl(rt, app, { state, redirectUri, onBusinessApp }) }
}

/** The redirect URI; entered in the app under "Valid OAuth redirect URIs". */
export function returnUrl(rt: Runtime): string {
  return `${rt.urls.console}/connect`
}

type Dialog = { state: string; redirectUri: string; onBusinessApp: boolean }

/** The hosted page and Facebook Login show the same screens; they name the app differently. */
export function dialogUrl(rt: Runtime, app: SignupApp, { state, redirectUri, onBusinessApp }: Dialog): string {
  const extras = {
    sessionInfoVersion: '3',
    version: 'v4',
    ...(onBusinessApp && { featureType: 'whatsapp_business_app_onboarding' }),
  }
  const asked = { config_id: app.configId, redirect_uri: redirectUri, state, extras: JSON.stringify(extras) }
  const { signupUrl } = rt.config
  if (new URL(signupUrl).pathname !== '/') {
    return `${signupUrl}/?${new URLSearchParams({ app_id: app.appId, ...asked })}`
  }
  const login = { client_id: app.appId, response_type: 'code', override_default_response_type: 'true', ...asked }
  return `${signupUrl}/${app.graphVersion}/dialog/oauth?${new URLSearchParams(login)}`
}

export type SignupReturn = { state: string; code?: string | null; error?: string | null; wabaId?: string | null }

/**
 * Stores the token that the code is worth, and gives the id of the signup. A page that is loaded again gives the same signup
 * and trades nothing.
 */
export async function returnFromSignup(
  rt: Runtime,
  member: Member,
  browser: string | null,
  given: SignupReturn,
): Promise<string> {
  const app = requireSignupApp(rt)
  const [row] = await rt.store.read(findSignupByState, { state_hash: hashOf(rt, given.state) })
  const isOurs = row?.account_id === member.accountId && row.user_id === member.userId
  if (!row || !isOurs || browser === null || row.browser_hash !== hashOf(rt, browser)) throw foreign()
  if (row.step !== 'opened') return row.id
  if (row.created_at + opensMs < rt.clock.now()) throw rejected('It was started more than an hour ago. Start it again.')
  if (!given.code) {
    await end(rt, row.id, given.error === 'access_denied' ? 'canceled' : 'refused')
    return row.id
  }
  try {
    const claim = { id: row.id, claimed_waba_id: given.wabaId ?? null, now: rt.clock.now() }
    await rt.store.write(unitOf(beginRedeeming, claim))
  } catch (error) {
    // The same page, loaded twice.
    if (error instanceof ConditionFailed) return row.id
    throw error
  }
  await redeem(rt, app, row, given.code)
  return row.id
}

async function redeem(rt: Runtime, app: SignupApp, row: SignupRow, code: string): Promise<void> {
  try {
    const token = await rt.platform.redeemCode(app, { code, redirectUri: row.redirect_uri })
    if (!token) return await end(rt, row.id, 'lost')
    const access_token = seal(rt, row, 'access_token', token.accessToken)
    await rt.store.write(unitOf(grantSignup, { id: row.id, access_token, now: rt.clock.now() }))
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    await end(rt, row.id, error.outcome === 'refused' ? 'code_rejected' : 'lost')
  }
}

/** Why a signup ended without a channel; the sentences are in finish-signup.ts. */
export type SignupProblem = 'canceled' | 'refused' | 'code_rejected' | 'lost' | 'token_refused' | 'given_up'

export async function end(rt: Runtime, id: string, problem: SignupProblem): Promise<void> {
  await rt.store.write(unitOf(endSignup, { id, problem, now: rt.clock.now() }))
}

/** The same sentence for an unknown state, another person and another browser. */
function foreign(): AppError {
  return rejected('It was not started in this browser by this user. Start it again here.')
}

function rejected(sentence: string): AppError {
  return new AppError('signup_rejected', `This signup can't be finished. ${sentence}`)
}

function hashOf(rt: Runtime, secret: string): string {
  return rt.secrets.mac('signup', secret).toString('base64url')
}
