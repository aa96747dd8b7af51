import type { Runtime } from '../../runtime.ts'
import { findAnyJoined } from '../../store/accounts/people.ts'

/** What the sign-in page needs to know before anybody is known. */
export async function describeWays(rt: Runtime) {
  const [found] = await rt.store.read(findAnyJoined, {})
  return {
    password: rt.config.passwordSignIn,
    provider: rt.oidc === null ? null : new URL(rt.oidc.issuer).host,
    mail: rt.mailer !== null && rt.config.passwordSignIn,
    set_up: found !== undefined,
  }
}
