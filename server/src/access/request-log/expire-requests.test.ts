import { describe, expect, test } from 'vitest'
import { idAt } from '../../../../test/support/id-at.ts'
import { engines } from '../../../../test/support/postgres/databases.ts'
import { aRuntime } from '../../../../test/support/runtime.ts'
import { readRequests } from '../../../../test/support/store-queries.ts'
import { operator } from '../../audit/audit.ts'
import { createAccount } from '../../installation/account.ts'
import { insertRequests } from '../../store/accounts/request-log.ts'
import { Unit } from '../../store/engine/unit.ts'
import { expireOldRequests } from '../request-log.ts'

const keep = 100

describe.each(engines)('the request log of one account, on %s,', (engine) => {
  test('is cut to its newest rows in batches, small ones where there is one writer', async () => {
    const { rt, clock, dispose } = await aRuntime(engine)
    const { account } = await createAccount(rt, { name: 'Acme', plan: 'free', actor: operator })
    const now = clock.now()
    const unit = new Unit()
    // Ten of each moment: the cut goes through rows of the same time.
    const rows = Array.from({ length: 2_605 }, (_, index) => ({
      id: idAt('req', now, index),
      account_id: account.id,
      key_id: null,
      at: now + Math.floor(index / 10),
      method: 'GET',
      route: '/v1/auth/me',
      status: 401,
      code: 'token_expired',
      duration_ms: 1,
      body: null,
      path: null,
      answer: null,
    }))
    unit.add(insertRequests, ...rows)
    await rt.store.write(unit)
    const deleted: number[] = []
    const writeApart: typeof rt.store.writeApart = async (batch) => {
      const result = await rt.store.writeApart(batch)
      deleted.push(result.rows({ index: 0, returns: {} }).length)
      return result
    }
    await expireOldRequests({ ...rt, store: { ...rt.store, writeApart } }, keep)
    expect(Math.max(...deleted)).toBe(engine === 'sqlite' ? 100 : 1_000)
    expect(deleted.reduce((sum, count) => sum + count, 0)).toBe(2_505)
    const params = { account_id: account.id, before_at: now + 1_000_000, before_id: '', count: 1_000 }
    const left = await rt.store.read(readRequests, params)
    expect(left.map(({ id }) => id)).toEqual(
      rows
        .slice(-keep)
        .map(({ id }) => id)
        .reverse(),
    )
    await dispose()
  })
})
