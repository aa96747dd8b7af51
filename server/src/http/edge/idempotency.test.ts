import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { createKey } from '../../access/keys/create-key.ts'
import { operator } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { scopes } from '../../contract/scopes.ts'
import { createAccount } from '../../installation/account.ts'
import { hourMs } from '../../lib/durations.ts'
import type { Store } from '../../store/engine/store.ts'
import { createApp } from '../app.ts'
import { addAuthRoutes } from '../v1/auth.ts'
import type { App } from './context.ts'

describe.each(engines)('an Idempotency-Key on a route that takes it by itself, on %s', (engine) => {
  let world: TestRuntime
  let app: App
  let credentials: object
  let token: string
  let runs: string[]
  /** Repeats that wait for the answer of the first. */
  let waiting: number
  /** What the handler does, by the number of its run. */
  let work: (run: number) => Promise<void>

  beforeAll(async () => {
    world = await aRuntime(engine)
    countWaiting(world.rt.store)
    const readiness = { check: async () => [] }
    app = await createApp(world.rt, { readiness, resources: [addAuthRoutes, addThings] })
  })
  // Keys of one account mean nothing to another.
  beforeEach(async () => {
    runs = []
    waiting = 0
    work = async () => {}
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'enterprise', actor: operator })
    const key = { accountId: account.id, name: 'Test', scopes, createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(world.rt, key)
    credentials = { api_key: row.public_key, api_secret: secret }
    await getToken()
  })
  afterAll(async () => {
    await app.close()
    await world.dispose()
  })

  async function getToken(): Promise<void> {
    const issued = await app.inject({ method: 'POST', url: '/v1/auth/token', payload: credentials })
    token = issued.json().data.access_token
  }

  function countWaiting(store: Store): void {
    const { onCommit } = store
    const counted: Store['onCommit'] = (topic, listener) => {
      const stop = onCommit(topic, listener)
      if (topic === 'messages') waiting++
      return () => {
        if (topic === 'messages') waiting--
        stop()
      }
    }
    Object.assign(store, { onCommit: counted })
  }

  function addThings(one: App): void {
    const params = Type.Object({ id: Type.String() })
    const config = { access: 'token', idempotent: true } as const
    one.post('/v1/things/:id/replay', { config, schema: { params } }, async ({ params: { id } }) => {
      const run = runs.push(id)
      await work(run)
      return { success: true, data: { id, run } } as never
    })
  }

  const post = (id: string, key = 'k', payload: object = {}) =>
    app.inject({
      method: 'POST',
      url: `/v1/things/${id}/replay`,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      payload,
    })

  test('is forgotten after 24 hours, also before the sweep has deleted it', async () => {
    expect((await post('one')).json().data).toEqual({ id: 'one', run: 1 })
    world.clock.advance(24 * hourMs - 1)
    await getToken()
    expect((await post('one')).json().data).toEqual({ id: 'one', run: 1 })
    world.clock.advance(1)
    expect((await post('one')).json().data).toEqual({ id: 'one', run: 2 })
  })

  test('belongs to one path: the same key and body for another thing is another request', async () => {
    expect((await post('one')).json().data).toEqual({ id: 'one', run: 1 })
    expect((await post('two')).json().data).toEqual({ id: 'two', run: 2 })
    const again = await post('one')
    expect([again.json().data, again.headers['idempotent-replayed']]).toEqual([{ id: 'one', run: 1 }, 'true'])
  })

  const upstream = { code: 100, title: 'Invalid parameter', detail: 'No.', trace_id: 'T' }

  test('keeps what the platform refused: the repeat gets the same refusal, another body is refused', async () => {
    work = () =>
      Promise.reject(new AppError('template_invalid', 'No.', { upstream, cause: new Error('with the whole request') }))
    const [first, again] = [await post('one'), await post('one')]
    expect(runs).toHaveLength(1)
    const shown = (answer: typeof first) => ({ ...answer.json().error, request_id: null })
    expect(shown(first)).toMatchObject({ code: 'template_invalid', upstream })
    expect([again.statusCode, shown(again)]).toEqual([first.statusCode, shown(first)])
    expect(first.headers['idempotent-replayed']).toBeUndefined()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await post('one', 'k', { other: true })).json().error.code).toBe('idempotency_key_reused')
  })

  test.each([
    ['was refused before the platform was asked', new AppError('template_invalid', 'No.')],
    ['the platform had no time for', new AppError('channel_rate_limited', 'Later.', { upstream })],
    ['the platform was away for', new AppError('upstream_unavailable', 'Away.', { upstream })],
    ['failed on our side', new Error('broken')],
  ])('is free again after what %s', async (_, error) => {
    work = (run) => (run === 1 ? Promise.reject(error) : Promise.resolve())
    expect((await post('one')).statusCode).toBeGreaterThan(299)
    expect((await post('one', 'k', { other: true })).json().data).toEqual({ id: 'one', run: 2 })
  })

  test('that is let go while repeats wait is taken by one of them, and the others get its answer', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    work = async (run) => {
      const gate = gates[run - 1]
      if (!gate) return
      await gate.promise
      throw new AppError('upstream_unavailable', 'Nothing happened.')
    }
    const requests = Array.from({ length: 7 }, () => post('one'))
    // One runs and all others wait for it; the same once more, now that they have met the key a second time.
    await waitFor(() => runs.length === 1 && waiting === 6)
    gates[0]?.resolve()
    await waitFor(() => runs.length === 2 && waiting === 5)
    gates[1]?.resolve()
    const answers = await Promise.all(requests)
    expect(runs).toHaveLength(3)
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([...Array(5).fill(200), 500, 500])
    const given = answers.filter(({ statusCode }) => statusCode === 200).map((answer) => answer.json().data)
    expect(given).toEqual(Array(5).fill({ id: 'one', run: 3 }))
  })
})
