import { afterEach, describe, expect, test, vi } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { fingerprintOf } from '../../access/idempotency.ts'
import type { Draft } from './draft.ts'
import { send } from './send.ts'

const sender = { accountId: 'acc_1', keyId: null, phoneNumberIds: null }
const idempotencyKey = { accountId: 'acc_1', endpoint: 'POST /v1/chat/messages/send', key: 'k', fingerprint: 'f' }

describe('a repeat of a request that still runs', () => {
  let runtime: TestRuntime
  afterEach(async () => {
    vi.useRealTimers()
    await runtime.dispose()
  })

  const request = (draftOf: () => Promise<Draft>) => ({
    sender,
    idempotencyKey,
    draftOf,
    answerOf: () => ({}),
    arrivedMs: performance.now(),
  })

  test('waits until 9.5 s after its arrival and is told to come again, however long the first takes', async () => {
    runtime = await aRuntime('sqlite')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const never = () => new Promise<Draft>(() => {})
    void send(runtime.rt, request(never))
    let refusal: unknown = null
    send(runtime.rt, request(never)).catch((error: unknown) => {
      refusal = error
    })
    await vi.advanceTimersByTimeAsync(9_490)
    expect(refusal).toBeNull()
    await vi.advanceTimersByTimeAsync(20)
    expect(refusal).toMatchObject({ code: 'idempotency_in_progress', extras: { retryAfterSeconds: 2 } })
  })

  test('takes the turn of a first that ends without an answer', async () => {
    runtime = await aRuntime('sqlite')
    const refusing = Promise.withResolvers<Draft>()
    const first = send(
      runtime.rt,
      request(() => refusing.promise),
    )
    const drafted = Promise.reject<Draft>(new Error('drafted by the repeat'))
    const repeat = send(
      runtime.rt,
      request(() => drafted),
    )
    refusing.reject(new Error('refused'))
    await expect(first).rejects.toThrow('refused')
    await expect(repeat).rejects.toThrow('drafted by the repeat')
  })
})

describe('the fingerprint of a body', () => {
  test('is the same for a field that is null and one that is left out, at any depth', () => {
    const given = { to: '+12025550100', from: null, fallback: { template: 'a', components: null } }
    expect(fingerprintOf(given)).toBe(fingerprintOf({ fallback: { template: 'a' }, to: '+12025550100' }))
    expect(fingerprintOf({ a: [null] })).not.toBe(fingerprintOf({ a: [] }))
    expect(fingerprintOf({ a: false })).not.toBe(fingerprintOf({}))
  })
})
