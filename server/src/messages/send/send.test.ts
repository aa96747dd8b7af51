import { afterEach, describe, expect, test, vi } from 'vitest'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { claimKey, findOutcome, fingerprintOf } from '../../access/idempotency.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import type { Runtime } from '../../runtime.ts'
import { findIdempotencyKey } from '../../store/accounts/idempotency.ts'
import type { Store } from '../../store/engine/store.ts'
import { send } from './send.ts'

const sender = { accountId: 'acc_1', keyId: null, phoneNumberIds: null }
const idempotencyKey = { accountId: 'acc_1', endpoint: 'POST /v1/chat/messages/send', key: 'k', fingerprint: 'f' }

describe('a repeat of a request that still runs', () => {
  let runtime: TestRuntime
  afterEach(async () => {
    vi.useRealTimers()
    await runtime.dispose()
  })

  /** Drafting begins with a read of the number: `draft` stands for that read and what follows. */
  const sendWith = (draft: () => Promise<never>) => {
    const { store } = runtime.rt
    const read: Store['read'] = (query, ...params) =>
      (query as unknown) === findIdempotencyKey ? store.read(query, ...params) : draft()
    const rt: Runtime = { ...runtime.rt, store: { ...store, read } }
    const body = { to: '+12025550100', message: 'Hello' }
    return send(rt, { sender, request: { kind: 'text', body }, idempotencyKey, deadline: sendDeadline(rt) })
  }

  test('waits until 9.5 s after its arrival and is told to retry, however long the first takes', async () => {
    runtime = await aRuntime('sqlite')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const never = () => new Promise<never>(() => {})
    void sendWith(never)
    let refusal: unknown = null
    sendWith(never).catch((error: unknown) => {
      refusal = error
    })
    await vi.advanceTimersByTimeAsync(9_490)
    expect(refusal).toBeNull()
    await vi.advanceTimersByTimeAsync(20)
    expect(refusal).toMatchObject({ code: 'idempotency_in_progress', extras: { retryAfterSeconds: 2 } })
  })

  test('is told so in time although the database is slow to say that the first still runs', async () => {
    runtime = await aRuntime('sqlite')
    const { store } = runtime.rt
    await claimKey(runtime.rt, idempotencyKey)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const read: Store['read'] = async (...asked) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      return store.read(...asked)
    }
    let refusal: unknown = null
    findOutcome({ ...runtime.rt, store: { ...store, read } }, idempotencyKey, 9_500).catch((error: unknown) => {
      refusal = error
    })
    await vi.advanceTimersByTimeAsync(9_490)
    expect(refusal).toBeNull()
    await vi.advanceTimersByTimeAsync(20)
    expect(refusal).toMatchObject({ code: 'idempotency_in_progress' })
  })

  test('runs itself when the first ends without a response', async () => {
    runtime = await aRuntime('sqlite')
    const refusing = Promise.withResolvers<never>()
    const first = sendWith(() => refusing.promise)
    const repeat = sendWith(() => Promise.reject(new Error('drafted by the repeat')))
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
