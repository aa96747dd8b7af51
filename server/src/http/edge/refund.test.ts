import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../../../../test/support/runtime.ts'
import { createKey } from '../../access/keys/create-key.ts'
import { operator } from '../../audit/audit.ts'
import { answer } from '../../contract/envelope.ts'
import { plans } from '../../contract/plans.ts'
import { createAccount } from '../../installation/account.ts'
import { createApp } from '../app.ts'
import type { App } from './context.ts'

describe.each(engines)('a request that fails on our side, on %s', (engine) => {
  let world: TestRuntime
  let app: App
  beforeAll(async () => {
    world = await aRuntime(engine)
    const schema = { response: { 200: answer(Type.Null()) } }
    app = await createApp(world.rt, {
      readiness: { check: async () => [] },
      resources: [
        (routes) =>
          void routes.get('/v1/fails', { config: { access: 'token' }, schema }, async () => {
            throw new Error('a bug')
          }),
      ],
    })
  })
  afterAll(async () => {
    await app.close()
    await world.dispose()
  })

  test('is not charged: the plan lets more of them through than it has requests', async () => {
    const { account, owner } = await createAccount(world.rt, { name: 'Acme', plan: 'free', actor: operator })
    const names = { accountId: account.id, name: 'Shop', createdBy: owner.id, actor: operator }
    const { row, secret } = await createKey(world.rt, { ...names, scopes: [], allowedIps: null })
    const authorization = `Basic ${Buffer.from(`${row.public_key}:${secret}`).toString('base64')}`
    const statuses = new Set<number>()
    for (let request = 0; request < (plans.free.hour ?? 0) + 20; request++) {
      statuses.add((await app.inject({ url: '/v1/fails', headers: { authorization } })).statusCode)
    }
    expect([...statuses]).toEqual([500])
  })
})
