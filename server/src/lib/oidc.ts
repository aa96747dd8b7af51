import type { Configuration } from 'openid-client'

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string | null }

/** The authorization request, and the values that the response must match. */
export type OidcStart = { url: string; state: string; nonce: string; verifier: string }
export type OidcIdentity = {
  readonly issuer: string
  readonly subject: string
  /** Only one that the provider has verified. */
  readonly email: string | null
  readonly name: string | null
}

export type OidcChecks = { state: string; nonce: string; verifier: string; fresh: boolean }

/** Sign-in by one OpenID provider: authorization code with PKCE, state, nonce, and every check of the ID token. */
export type Oidc = {
  readonly issuer: string
  /** `fresh`: the provider asks the person again, although they are signed in there. */
  start(options: { redirectUri: string; fresh: boolean }): Promise<OidcStart>
  /** Rejects with `OidcRefused` for anything that is not exactly the reply to what was started. */
  finish(currentUrl: URL, checks: OidcChecks): Promise<OidcIdentity>
}

/** The reply is not one to sign anybody in by. */
export class OidcRefused extends Error {
  override readonly name = 'OidcRefused'
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super(`The reply of the sign-in provider was rejected: ${reason}.`, { cause })
    this.reason = reason
  }
}

/** The provider does not respond. */
export class OidcUnavailable extends Error {
  override readonly name = 'OidcUnavailable'

  constructor(cause: unknown) {
    super('The sign-in provider did not respond.', { cause })
  }
}

const timeoutSeconds = 8
/** A person who was asked again has answered within this time. */
const freshSeconds = 5 * 60
const toleranceSeconds = 10

/** The library is loaded, and the provider asked for its configuration, at the first sign-in. */
export function createOidc(settings: OidcSettings): Oidc {
  let discovered: Promise<Configuration> | null = null

  async function configuration(): Promise<Configuration> {
    discovered ??= discover(settings)
    try {
      return await discovered
    } catch (error) {
      discovered = null
      throw new OidcUnavailable(error)
    }
  }

  return {
    issuer: settings.issuer,
    async start({ redirectUri, fresh }) {
      const config = await configuration()
      const client = await import('openid-client')
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(fresh ? { prompt: 'login', max_age: '0' } : {}),
      })
      return { url: url.href, state, nonce, verifier }
    },
    async finish(currentUrl, { state, nonce, verifier, fresh }) {
      const config = await configuration()
      const client = await import('openid-client')
      try {
        const tokens = await client.authorizationCodeGrant(config, currentUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
          ...(fresh ? { maxAge: freshSeconds } : {}),
        })
        const claims = tokens.claims()
        if (!claims) throw new OidcRefused('no_id_token')
        // Many providers give the address only there.
        const isComplete = claims.email !== undefined || config.serverMetadata().userinfo_endpoint === undefined
        const told = isComplete ? claims : await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        const { email, name } = told
        const isVerified = told.email_verified === true && typeof email === 'string'
        return {
          issuer: claims.iss,
          subject: claims.sub,
          email: isVerified ? (email as string) : null,
          name: typeof name === 'string' && name.trim() !== '' ? name.trim() : null,
        }
      } catch (error) {
        throw asRefusal(error)
      }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await import('openid-client')
  const isPlain = issuer.startsWith('http:')
  return client.discovery(
    new URL(issuer),
    clientId,
    { ...(clientSecret === null ? {} : { client_secret: clientSecret }), [client.clockTolerance]: toleranceSeconds },
    clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      timeout: timeoutSeconds,
      // The signature of an ID token is checked although it comes over TLS: a proxy in between may not sign anybody in.
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    },
  )
}

/**
 * Everything the provider or the library says is a refusal; what says nothing at all, or 5xx, is a provider that is away.
 */
function asRefusal(error: unknown): Error {
  if (error instanceof OidcRefused) return error
  const { code, status, name } = error as { code?: unknown; status?: unknown; name?: unknown }
  const isAway =
    code === 'OAUTH_TIMEOUT' ||
    (typeof status === 'number' && status >= 500) ||
    (name === 'TypeError' && code === undefined)
  if (isAway) return new OidcUnavailable(error)
  return new OidcRefused(typeof code === 'string' ? code.toLowerCase() : 'invalid', error)
}
