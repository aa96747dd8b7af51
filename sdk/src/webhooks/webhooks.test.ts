import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { WebhookVerificationError } from '../errors.ts'
import { sign, type VerifyInput, verify } from './webhooks.ts'

const coded = `whsec_${randomBytes(32).toString('base64')}`
const plain = 'my-plain-secret_123'
const id = 'evt_01jd4kb2c4d6e8f0g1h3j5k7m9'
const body = JSON.stringify({
  id,
  type: 'message.received',
  api_version: 'v1',
  timestamp: '2026-11-15T00:12:31.482Z',
  data: { message_id: 'wamid.1', client_reference: null, content: { text: 'Olá 👋' }, contact: { name: 'Ana' } },
})

function reasonOf(input: VerifyInput): unknown {
  try {
    return verify(input)
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : error
  }
}

describe.each([
  ['a whsec_ secret', coded, new Webhook(coded)],
  ['a plain secret', plain, new Webhook(plain, { format: 'raw' })],
  ['a plain secret that happens to be base64', 'abcd1234', new Webhook('abcd1234', { format: 'raw' })],
])('with %s', (_, secret, oracle) => {
  test('sign is accepted by the reference library', () => {
    expect(oracle.verify(body, sign({ id, body, secret }))).toMatchObject({ id })
  })

  test('verify accepts what the reference library signs', () => {
    const now = new Date()
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': oracle.sign(id, now, body),
    }
    expect(verify({ body, headers, secret })).toMatchObject({ id, apiVersion: 'v1' })
  })
})

describe('verify', () => {
  const headers = sign({ id, body, secret: coded })

  test('returns the event with its names in camelCase and its type narrowed', () => {
    const event = verify({ body, headers, secret: coded })
    if (event.type !== 'message.received') throw new Error('wrong type')
    expect(event.data.content?.text).toBe('Olá 👋')
    expect(event.data.messageId).toBe('wamid.1')
    expect(event.data.contact?.name).toBe('Ana')
  })

  test('returns the challenge of a verification request', () => {
    const challenge = JSON.stringify({ type: 'webhook.verification', challenge: 'abc' })
    const event = verify({
      body: challenge,
      headers: sign({ id: 'vrf_1', body: challenge, secret: plain }),
      secret: plain,
    })
    expect(event).toEqual({ type: 'webhook.verification', challenge: 'abc' })
  })

  test.each<[string, VerifyInput['body']]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['bytes', new TextEncoder().encode(body)],
    ['an ArrayBuffer', new TextEncoder().encode(body).buffer],
  ])('takes the body as %s', (_, raw) => {
    expect(verify({ body: raw, headers, secret: coded })).toMatchObject({ id })
  })

  test.each<[string, VerifyInput['headers']]>([
    ['a Headers', new Headers(headers)],
    [
      'an object in another case',
      {
        'Webhook-Id': id,
        'Webhook-Timestamp': headers['webhook-timestamp'],
        'WEBHOOK-SIGNATURE': headers['webhook-signature'],
      },
    ],
    ['an object with lists', { ...headers, 'webhook-signature': ['v1,wrong', headers['webhook-signature']] }],
  ])('takes the headers as %s', (_, given) => {
    expect(verify({ body, headers: given, secret: coded })).toMatchObject({ id })
  })

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('says that %s is missing', (name) => {
    const rest = Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
    expect(reasonOf({ body, headers: rest, secret: coded })).toBe('missing_headers')
  })

  test.each([-301, 302])('says that a timestamp %i seconds away is outside the tolerance', (seconds) => {
    const old = sign({ id, body, secret: coded, timestamp: Date.now() / 1_000 + seconds })
    expect(reasonOf({ body, headers: old, secret: coded })).toBe('timestamp_outside_tolerance')
    expect(reasonOf({ body, headers: old, secret: coded, toleranceSeconds: 600 })).toMatchObject({ id })
  })

  test('refuses a timestamp that is no number, and a tolerance that is none', () => {
    const odd = { ...headers, 'webhook-timestamp': 'now' }
    expect(reasonOf({ body, headers: odd, secret: coded })).toBe('timestamp_outside_tolerance')
    expect(reasonOf({ body, headers, secret: coded, toleranceSeconds: Number.NaN })).toBe('timestamp_outside_tolerance')
  })

  test.each<[string, Partial<VerifyInput>]>([
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: plain }],
    ['another id', { headers: { ...headers, 'webhook-id': 'evt_other' } }],
    [
      'an unknown signature version',
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') } },
    ],
    ['half a signature', { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].slice(0, 20) } }],
    ['more than a signature', { headers: { ...headers, 'webhook-signature': `${headers['webhook-signature']}A` } }],
    ['an empty signature', { headers: { ...headers, 'webhook-signature': 'v1,' } }],
  ])('says that no signature matches %s', (_, change) => {
    expect(reasonOf({ body, headers, secret: coded, ...change })).toBe('no_signature_matches')
  })

  test('accepts either of two signatures, as sent while a secret is rotated', () => {
    const timestamp = Number(headers['webhook-timestamp'])
    const older = sign({ id, body, secret: plain, timestamp })['webhook-signature']
    const both = `${older} ${headers['webhook-signature']}`
    const rotating = { ...headers, 'webhook-signature': both }
    expect(reasonOf({ body, headers: rotating, secret: coded })).toMatchObject({ id })
    expect(reasonOf({ body, headers: rotating, secret: plain })).toMatchObject({ id })
  })

  test('refuses a parsed body with a sentence that says what to pass', () => {
    const parsed: unknown = JSON.parse(body)
    expect(() => verify({ body: parsed as string, headers, secret: coded })).toThrow(/raw request body/)
  })

  test('does not quote a signed body that is no JSON', () => {
    const words = 'private words'
    const signed = sign({ id, body: words, secret: coded })
    expect(() => verify({ body: words, headers: signed, secret: coded })).toThrow(/^(?!.*private).*not JSON/)
  })
})

describe('a secret', () => {
  test.each([
    ['is empty', ''],
    ['is missing', undefined as unknown as string],
    ['has a broken whsec_ part', 'whsec_xyz!'],
    ['is a whsec_ of too few bytes', `whsec_${randomBytes(23).toString('base64')}`],
    ['is a whsec_ of too many bytes', `whsec_${randomBytes(65).toString('base64')}`],
    ['is a whsec_ without its padding', `whsec_${randomBytes(32).toString('base64').replace('=', '')}`],
    [
      'is a whsec_ that decodes but is not canonical',
      `whsec_${Buffer.alloc(32).toString('base64').replace(/A=$/, 'B=')}`,
    ],
    ['is not ASCII', 'sécret'],
    ['is too long', 'x'.repeat(257)],
    ['is asymmetric', `whsk_${randomBytes(32).toString('base64')}`],
  ])('that %s is refused, never used', (_, secret) => {
    const headers = sign({ id, body, secret: coded })
    expect(() => verify({ body, headers, secret })).toThrow(TypeError)
    expect(() => sign({ id, body, secret })).toThrow(TypeError)
  })
})
