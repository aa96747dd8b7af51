import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAppSecretProofs } from './cloud-request.ts'

const expected = (accessToken: string, appSecret: string) =>
  createHmac('sha256', appSecret).update(accessToken).digest('hex')

test('the proof is that of the token and the secret of this call, whichever of them has changed', () => {
  const proofOf = createAppSecretProofs()
  const calls = [
    { accessToken: 'token-1', appSecret: 'secret-1' },
    { accessToken: 'token-1', appSecret: 'secret-1' },
    { accessToken: 'token-1', appSecret: 'secret-2' },
    { accessToken: 'token-2', appSecret: 'secret-2' },
    { accessToken: 'token-1', appSecret: 'secret-1' },
  ]
  for (const call of calls) expect(proofOf(call)).toBe(expected(call.accessToken, call.appSecret))
})

test('without a secret there is none, also for a token that had one', () => {
  const proofOf = createAppSecretProofs()
  proofOf({ accessToken: 'token-1', appSecret: 'secret-1' })
  expect(proofOf({ accessToken: 'token-1', appSecret: '' })).toBeNull()
  expect(proofOf({ accessToken: 'token-1' })).toBeNull()
})
