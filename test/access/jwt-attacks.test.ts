import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { installationId } from '../../server/src/access/installation.ts'
import { createKey } from '../../server/src/access/keys/create-key.ts'
import { loadSigningKeys } from '../../server/src/access/tokens/token-codec.ts'
import { operator } from '../../server/src/audit/audit.ts'
import { scopes } from '../../server/src/contract/scopes.ts'
import { createApp } from '../../server/src/http/app.ts'
import type { App } from '../../server/src/http/edge/context.ts'
import { addAuthRoutes } from '../../server/src/http/v1/auth.ts'
import { createAccount } from '../../server/src/installation/account.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

type Json = Record<string, unknown>

let world: TestRuntime
let app: App
let token = ''
let secret: Buffer = Buffer.alloc(0)
let issuer = ''

beforeAll(async () => {
  world = await aRuntime('sqlite')
  app = await createApp(world.rt, { readiness: { check: async () => [] }, resources: [addAuthRoutes] })
  const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'enterprise', actor: operator })
  const key = await createKey(world.rt, {
    accountId: account.id,
    name: 'Key',
    scopes,
    createdBy: owner.id,
    actor: operator,
  })
  const payload = { api_key: key.row.public_key, api_secret: key.secret }
  token = (await app.inject({ method: 'POST', url: '/v1/auth/token', payload })).json().data.access_token
  const [active] = await loadSigningKeys(world.rt)
  secret = active?.secret ?? secret
  issuer = await installationId(world.rt)
})
afterAll(async () => {
  await app.close()
  await world.dispose()
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = () => decodeProtectedHeader(token) as Json
const claims = () => decodeJwt(token) as Json

/** A token whose signature is right for what it says: everything but the signature must refuse it. */
function forged(head: Json, body: Json, key: Buffer = secret, algorithm = 'sha256'): string {
  const signed = `${encode(head)}.${encode(body)}`
  return `${signed}.${createHmac(algorithm, key).update(signed).digest('base64url')}`
}
function without(source: Json, name: string): Json {
  const { [name]: _, ...rest } = source
  return rest
}

async function answer(bearer: string): Promise<string> {
  const response = await app.inject({ url: '/v1/auth/me', headers: { authorization: `Bearer ${bearer}` } })
  return `${response.statusCode} ${response.json().error?.code ?? 'ok'}`
}

describe('an access token', () => {
  test('is a plain signed JWT to an independent library', async () => {
    const { payload, protectedHeader } = await jwtVerify(token, secret, {
      issuer,
      audience: 'postern',
      typ: 'at+jwt',
      algorithms: ['HS256'],
      currentDate: new Date(world.clock.now()),
      requiredClaims: ['sub', 'acc', 'scope', 'jti', 'fam', 'iat', 'exp'],
    })
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.any(String) })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
    expect(payload.jti).toMatch(/^tok_/)
    expect(JSON.stringify(payload)).not.toMatch(/ptk_|pts_|Acme/)
  })

  test('is accepted as signed by that library, and refused when it signs with another key', async () => {
    const made = (key: Uint8Array) =>
      new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(header().kid) }).sign(key)
    expect(await answer(await made(secret))).toBe('200 ok')
    expect(await answer(await made(randomBytes(32)))).toBe('401 invalid_token')
  })

  test('is signed with 256 random bits', () => {
    expect(secret).toHaveLength(32)
    expect(new Set(secret).size).toBeGreaterThan(16)
  })
})

describe('the attacks of RFC 8725', () => {
  const ed25519 = generateKeyPairSync('ed25519')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

  const attacks: [name: string, bearer: () => string][] = [
    // 2.1 weak signatures and insufficient validation
    ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg): [string, () => string][] => [
      [`alg "${alg}" without signature`, () => `${encode({ ...header(), alg })}.${encode(claims())}.`],
      [`alg "${alg}" with a signature`, () => `${encode({ ...header(), alg })}.${token.split('.').slice(1).join('.')}`],
      [`alg "${alg}" signed anyway`, () => forged({ ...header(), alg }, claims())],
    ]),
    ['no alg', () => forged(without(header(), 'alg'), claims())],
    ['HS512 with our key', () => forged({ ...header(), alg: 'HS512' }, claims(), secret, 'sha512')],
    ['HS384 with our key', () => forged({ ...header(), alg: 'HS384' }, claims(), secret, 'sha384')],
    ['RS256 with a key of its own', () => asymmetric('RS256', rsa.privateKey, 'sha256')],
    ['EdDSA with a key of its own', () => asymmetric('EdDSA', ed25519.privateKey, null)],
    ['an empty key', () => forged(header(), claims(), Buffer.alloc(0))],
    ['the key id as key', () => forged(header(), claims(), Buffer.from(String(header().kid)))],
    ['another scope, old signature', () => replaced({ ...claims(), scope: 'everything' })],
    ['a longer life, old signature', () => replaced({ ...claims(), exp: 9_999_999_999 })],
    ['half a signature', () => token.slice(0, -20)],
    ['no signature', () => token.split('.').slice(0, 2).join('.')],
    ['an empty signature', () => `${token.split('.').slice(0, 2).join('.')}.`],
    // 2.6, 3.10 keys named by the token itself
    ['a jwk in the header', () => forged({ ...header(), jwk: { kty: 'oct', k: 'AAAA' } }, claims(), Buffer.alloc(3))],
    ['a jku in the header', () => forged({ ...header(), jku: 'https://evil.test/jwks' }, claims(), Buffer.alloc(32))],
    ['an x5u in the header', () => forged({ ...header(), x5u: 'https://evil.test/x5u' }, claims(), Buffer.alloc(32))],
    ['an extension that is critical', () => forged({ ...header(), crit: ['exp2'], exp2: 1 }, claims())],
    // 3.10 the key id is data, not a path and not a statement
    ...[
      '',
      '../../../../dev/null',
      '/proc/self/environ',
      "' or 1=1 --",
      'http://evil.test/key',
      '__proto__',
      'constructor',
      'x'.repeat(1_500),
    ].map((kid): [string, () => string] => [
      `kid ${kid.slice(0, 24)}`,
      () => forged({ ...header(), kid }, claims(), Buffer.alloc(0)),
    ]),
    ['no kid', () => forged(without(header(), 'kid'), claims())],
    ['a kid that is a list', () => forged({ ...header(), kid: [header().kid] }, claims())],
    ['a kid that is an object', () => forged({ ...header(), kid: { toString: header().kid } }, claims())],
    // 3.8, 3.9, 3.11 issuer, audience, type
    ['another issuer', () => forged(header(), { ...claims(), iss: 'ins_other' })],
    ['no issuer', () => forged(header(), without(claims(), 'iss'))],
    ['another audience', () => forged(header(), { ...claims(), aud: 'console' })],
    ['no audience', () => forged(header(), without(claims(), 'aud'))],
    ['another type', () => forged({ ...header(), typ: 'JWT' }, claims())],
    ['no type', () => forged(without(header(), 'typ'), claims())],
    ...['sub', 'acc', 'jti', 'fam', 'exp', 'iat'].map((name): [string, () => string] => [
      `no ${name}`,
      () => forged(header(), without(claims(), name)),
    ]),
    ['an exp that is text', () => forged(header(), { ...claims(), exp: String(claims().exp) })],
    ['an exp that is null', () => forged(header(), { ...claims(), exp: null })],
    ['a start in the future', () => forged(header(), { ...claims(), nbf: 4_102_444_800 })],
    ['an id that was never given out', () => forged(header(), { ...claims(), jti: 'tok_00000000000000000000000000' })],
    ['an id that is an object', () => forged(header(), { ...claims(), jti: { $ne: '' } })],
    // 3.1, 3.7 shapes
    ['five parts, as an encrypted token', () => `${token}.AAAA.AAAA`],
    ['one part', () => token.replaceAll('.', '')],
    ['a signed token inside a token', () => forged({ ...header(), cty: 'JWT' }, { jwt: token })],
    ['the JSON form', () => encode({ protected: token.split('.')[0], payload: token.split('.')[1] })],
    ['padding', () => `${token}==`],
    ['claims that are a list', () => forged(header(), [claims()] as unknown as Json)],
    ['a header that is not JSON', () => `AAAA.${token.split('.').slice(1).join('.')}`],
    ['ten thousand characters', () => 'a.'.repeat(5_000)],
  ]

  test.each(attacks)('%s: refused', async (_, bearer) => {
    expect(await answer(bearer())).toBe('401 invalid_token')
  })

  test('leave the real token working', async () => {
    expect(await answer(token)).toBe('200 ok')
  })

  test('another writing of the same signature is the same token: revoked together', async () => {
    const [active] = await loadSigningKeys(world.rt)
    expect(active?.secret.equals(secret)).toBe(true)
    const last = token.at(-1) ?? ''
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // 43 characters carry 258 bits for 256: the last two are free, and four characters mean the same.
    const twin = token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(last) ^ 1)
    expect(['200 ok', '401 invalid_token']).toContain(await answer(twin))
    await app.inject({ method: 'POST', url: '/v1/auth/revoke', headers: { authorization: `Bearer ${token}` } })
    expect(await answer(token)).toBe('401 token_revoked')
    expect(await answer(twin)).toMatch(/^401 /)
  })

  function replaced(body: Json): string {
    const [head, , signature] = token.split('.')
    return `${head}.${encode(body)}.${signature}`
  }

  function asymmetric(alg: string, key: Parameters<typeof sign>[2], digest: string | null): string {
    const signed = `${encode({ ...header(), alg })}.${encode(claims())}`
    return `${signed}.${sign(digest, Buffer.from(signed), key).toString('base64url')}`
  }
})

describe('a token', () => {
  test('counts in one place only: one Authorization header with one bearer', async () => {
    const { account, owner } = await createAccount(world.rt, { name: 'B', plan: 'enterprise', actor: operator })
    const input = { accountId: account.id, name: 'Key', scopes, createdBy: owner.id, actor: operator }
    const key = await createKey(world.rt, input)
    const payload = { api_key: key.row.public_key, api_secret: key.secret }
    const fresh = (await app.inject({ method: 'POST', url: '/v1/auth/token', payload })).json().data.access_token
    const codeFor = async (url: string, authorization?: string) =>
      (await app.inject({ url, headers: authorization === undefined ? {} : { authorization } })).json().error?.code
    expect(await codeFor('/v1/auth/me', `bearer ${fresh}`)).toBeUndefined()
    expect(await codeFor('/v1/auth/me', `Bearer  ${fresh}`)).toBeUndefined()
    expect(await codeFor(`/v1/auth/me?access_token=${fresh}`)).toBe('missing_credentials')
    expect(await codeFor('/v1/auth/me', `Basic ${fresh}`)).toBe('invalid_credentials')
    expect(await codeFor('/v1/auth/me', 'Bearer ')).toBe('invalid_token')
    expect(await codeFor('/v1/auth/me', 'Bearer')).toBe('invalid_token')
    expect(await codeFor('/v1/auth/me', fresh)).toBe('invalid_token')
    expect(await codeFor('/v1/auth/me', `Bearer ${fresh} ${fresh}`)).toBe('invalid_token')
    expect(await codeFor('/v1/auth/me', `Bearer ${fresh}, Bearer ${fresh}`)).toBe('invalid_token')
  })
})
