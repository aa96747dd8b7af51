import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const clientId = 'postern-test'
export const clientSecret = 'a-secret-of-the-client-with-enough-characters'

export type Claims = { email?: string; email_verified?: boolean; name?: string }
/** Makes another ID token of the claims of the right one. */
export type Tamper = (claims: JWTPayload, sign: (claims: JWTPayload) => Promise<string>) => Promise<string>

export type TestProvider = {
  readonly issuer: string
  /** By subject. */
  readonly people: Map<string, Claims>
  /** Who sits in front of the browser there. */
  signsInAs: string
  tamper: Tamper | null
  /** Known once the console listens. */
  register(consoleUrl: string): void
  stop(): Promise<void>
}

/** The certified provider of the npm registry, whose person signs in without being asked. */
export async function aProvider(): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'test' }).sign(privateKey)
  const world: TestProvider = {
    issuer,
    people: new Map(),
    signsInAs: '',
    tamper: null,
    register: (consoleUrl) => serve(world, server, { jwk, sign, consoleUrl }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return world
}

type Keys = { jwk: object; sign: (claims: JWTPayload) => Promise<string>; consoleUrl: string }

function serve(world: TestProvider, server: Server, { jwk, sign, consoleUrl }: Keys): void {
  const provider = new Provider(world.issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${consoleUrl}/console/api/oidc/callback`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['one key for all tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...world.people.get(id) }),
    }),
    loadExistingGrant: async ({ oidc }: { oidc: { session?: { accountId?: string } } }) => {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    await next()
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || !world.tamper || !body?.id_token) return
    const [, payload = ''] = body.id_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload
    context.body = { ...body, id_token: await world.tamper(claims, sign) }
  })
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: world.signsInAs } })
  })
}

/** A browser without pages: cookies by origin, and redirects that are followed by hand. */
export class Jar {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** As another person at the same browser: nobody is signed in there any more. */
  leave(url: string): void {
    this.#cookies.delete(new URL(url).origin)
  }

  cookie(url: string): string {
    return [...(this.#cookies.get(new URL(url).origin) ?? [])].map((pair) => pair.join('=')).join('; ')
  }

  keep(url: string, response: Response): void {
    const { origin } = new URL(url)
    const known = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, known)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const at = pair.indexOf('=')
      if (pair.slice(at + 1) === '') known.delete(pair.slice(0, at))
      else known.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }

  async call(url: string, method = 'GET', body?: unknown) {
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        cookie: this.cookie(url),
        'sec-fetch-site': 'same-origin',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    this.keep(url, response)
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever the gateway answers
    return { status: response.status, json: (await response.json().catch(() => null)) as any }
  }

  /** Follows redirects as a navigation does, until a page that is not one; `stopBefore` is not asked for any more. */
  async follow(from: string, stopBefore: (url: string) => boolean): Promise<string> {
    let url = from
    for (let steps = 0; steps < 12; steps++) {
      if (stopBefore(url)) return url
      const headers = { cookie: this.cookie(url), 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
      const response = await fetch(url, { redirect: 'manual', headers })
      this.keep(url, response)
      const next = response.headers.get('location')
      if (next === null) throw new Error(`${response.status} at ${url}: ${(await response.text()).slice(0, 300)}`)
      url = new URL(next, url).href
    }
    throw new Error('Too many redirects.')
  }
}
