import { AppError } from '../../contract/app-error.ts'
import { minuteMs } from '../../lib/durations.ts'
import { type OidcIdentity, OidcRefused, OidcUnavailable } from '../../lib/oidc.ts'
import { takeNow } from '../../limits/rate.ts'
import { networkOf } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { expireFlows, findFlow, insertFlow, takeFlow } from '../../store/accounts/identities.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import { hashToken } from '../sessions.ts'

/**
 * Why a browser is at the provider. `bound` is the link that an invitation is taken up by, or the session that is
 * linked or confirmed.
 */
type Purpose = 'enter' | 'invite' | 'link' | 'confirm'
export type Flow = { purpose: Purpose; bound: string | null; returnTo: string }
export type Proven = Flow & { identity: OidcIdentity }

/** Why nobody was signed in, for the page that says so. */
type OidcProblem = 'rejected' | 'unavailable' | 'unknown' | 'privileged' | 'taken' | 'other_person' | 'no_address'

export class OidcProblemError extends Error {
  readonly problem: OidcProblem

  constructor(problem: OidcProblem) {
    super(problem)
    this.problem = problem
  }
}

const flowLifeMs = 10 * minuteMs
const flowsPerAddress = { everyMs: 6_000, burst: 30 }
const flowsExpiredAtOnce = 100

/** Starts at the provider; `browser` is a secret of this browser, which alone can finish. */
export async function startFlow(rt: Runtime, flow: Flow, { browser, ip }: { browser: string; ip: string }) {
  const oidc = requireOidc(rt)
  const place = rt.secrets.mac('attempts', `sign-in flow ${networkOf(ip)}`).toString('base64url')
  const waitMs = await takeNow(rt.sharedRate, [{ key: `flow ${place}`, ...flowsPerAddress }])
  if (waitMs > 0) {
    const sentence = 'Too many sign-ins were started from this address.'
    throw new AppError('too_many_attempts', sentence, { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
  const started = await oidc
    .start({ redirectUri: redirectUri(rt), fresh: flow.purpose === 'confirm' })
    .catch((error: unknown) => {
      rt.log.warn({ err: error, issuer: oidc.issuer }, 'oidc.unavailable')
      throw new AppError('sign_in_provider_unavailable', 'The sign-in provider did not respond. Try again in a moment.')
    })
  const { state, nonce, verifier, url } = started
  const now = rt.clock.now()
  const unit = new Unit()
  unit.add(expireFlows, { before: now, count: flowsExpiredAtOnce })
  unit.add(insertFlow, {
    ...{ state_hash: hashToken(state), browser_hash: hashToken(browser), nonce, verifier },
    ...{ purpose: flow.purpose, bound: flow.bound, return_to: flow.returnTo, expires_at: now + flowLifeMs },
  })
  await rt.store.write(unit)
  return { url }
}

/**
 * The provider's response. The flow is consumed before the provider is called, so a response counts once, and only in the
 * browser that started it.
 */
export async function proveFlow(rt: Runtime, query: string, browser: string | null): Promise<Proven> {
  const oidc = requireOidc(rt)
  const currentUrl = new URL(`${redirectUri(rt)}${query}`)
  const state = currentUrl.searchParams.get('state')
  if (state === null || browser === null) throw rejected(rt, 'no_state')
  const key = { state_hash: hashToken(state), browser_hash: hashToken(browser), now: rt.clock.now() }
  const [flow] = await rt.store.read(findFlow, key)
  if (!flow) throw rejected(rt, 'state_of_another_browser')
  try {
    await rt.store.write(unitOf(takeFlow, key))
  } catch (error) {
    throw error instanceof ConditionFailed ? rejected(rt, 'used_twice') : error
  }
  const { purpose, bound, return_to: returnTo, nonce, verifier } = flow
  try {
    const identity = await oidc.finish(currentUrl, { state, nonce, verifier, fresh: purpose === 'confirm' })
    return { purpose: purpose as Purpose, bound, returnTo, identity }
  } catch (error) {
    if (error instanceof OidcUnavailable) {
      rt.log.warn({ err: error, issuer: oidc.issuer }, 'oidc.unavailable')
      throw new OidcProblemError('unavailable')
    }
    throw error instanceof OidcRefused ? rejected(rt, error.reason) : error
  }
}

/** The operator finds the reason in the log; the browser is not told what exactly was wrong. */
function rejected(rt: Runtime, reason: string): OidcProblemError {
  rt.metrics.consoleLogins.inc({ outcome: 'failed' })
  rt.log.warn({ reason }, 'oidc.refused')
  return new OidcProblemError('rejected')
}

function requireOidc({ oidc }: Runtime) {
  if (oidc) return oidc
  throw new AppError('endpoint_not_found', 'This installation has no sign-in provider.')
}

function redirectUri({ urls }: Runtime): string {
  return `${urls.console}/console/api/oidc/callback`
}
