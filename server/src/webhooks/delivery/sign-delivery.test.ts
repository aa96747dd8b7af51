import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../lib/clock.ts'
import { createSecrets } from '../../lib/secrets.ts'
import { generateSecret, secretPurpose, signDelivery, signingBytes } from './sign-delivery.ts'

const secrets = createSecrets(randomBytes(32))
const clock = manualClock(Date.now())
const seal = (text: string) => secrets.seal(secretPurpose, 'whk_1', text)
const body = Buffer.from('{"text":"emoji 💬 and \u2028"}')
const message = { id: 'evt_1', timestampSeconds: Math.floor(clock.now() / 1_000), body }
const signer = { id: 'whk_1', secret: null, previous_secret: null, previous_secret_until: null }

function verify(verifier: Webhook, signature: string | null): unknown {
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signature ?? '',
  }
  return verifier.verify(body, headers)
}

describe('the signature', () => {
  test('of a whsec_ secret verifies with the public library as it is', () => {
    const secret = generateSecret()
    const signature = signDelivery({ secrets, clock }, { ...signer, secret: seal(secret) }, message)
    expect(signature).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/)
    expect(verify(new Webhook(secret), signature)).toEqual(JSON.parse(String(body)))
  })

  test.each(['my-plain-secret_123', 'abcd1234', 'with space', '~', 'x'.repeat(65), 'y'.repeat(256)])(
    'of the plain secret %s verifies as raw',
    (secret) => {
      const signature = signDelivery({ secrets, clock }, { ...signer, secret: seal(secret) }, message)
      expect(() => verify(new Webhook(secret, { format: 'raw' }), signature)).not.toThrow()
      const rewritten = `whsec_${Buffer.from(secret).toString('base64')}`
      expect(() => verify(new Webhook(rewritten), signature)).not.toThrow()
    },
  )

  test('during a rotation both secrets sign, the newest first; afterwards one', () => {
    const [fresh, old] = [generateSecret(), generateSecret()]
    const until = clock.now() + 1_000
    const rotating = { ...signer, secret: seal(fresh), previous_secret: seal(old), previous_secret_until: until }
    const both = signDelivery({ secrets, clock }, rotating, message)
    for (const secret of [fresh, old]) expect(() => verify(new Webhook(secret), both)).not.toThrow()
    expect(both?.split(' ')[0]).toBe(
      new Webhook(fresh).sign('evt_1', new Date(message.timestampSeconds * 1_000), body.toString()),
    )
    clock.advance(1_000)
    const alone = signDelivery({ secrets, clock }, rotating, message)
    expect(() => verify(new Webhook(old), alone)).toThrow()
  })

  test('is missing without a secret', () => {
    expect(signDelivery({ secrets, clock }, signer, message)).toBeNull()
  })

  test('never uses a secret that should have been refused', () => {
    for (const secret of ['whsec_xyz!', '', 'sécret', 'x'.repeat(257)]) expect(() => signingBytes(secret)).toThrow()
  })
})
