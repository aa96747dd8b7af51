import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { operation } from '../engine/operation.ts'
import type { Store } from '../engine/store.ts'
import { Unit } from '../engine/unit.ts'
import { takeForSends } from './admission.ts'

const useQuota = operation({
  name: 'test.use_quota',
  input: { account_id: 'text', hour_used: 'int', day_used: 'int' },
  sql: `insert into quotas (account_id, hour_start, hour_used, day_start, day_used)
        select account_id, 0, hour_used, 0, day_used from rows where true`,
})

/** Only on PostgreSQL do sends take from the quota with their first write. */
describe('the quota of a send that is decided by its first write', () => {
  let store: Store
  let dispose: () => Promise<void>
  beforeAll(async () => {
    ;({ store, dispose } = await freshStore('postgres'))
  })
  afterAll(() => dispose())

  function take(account_id: string) {
    const unit = new Unit()
    const windows = { hour_quota: 10, hour_start: 0, day_quota: 100, day_start: 0 }
    const call = unit.add(takeForSends, { account_id, wanted: 1, ...windows })
    return store.write(unit).then(
      (result) => result.rows(call).map(({ hour_used, day_used }) => ({ hour_used, day_used }))[0],
      (error: Error) => error.name,
    )
  }

  test.each([
    ['the hour', { hour_used: 10, day_used: 10 }, { hour_used: 9, day_used: 10 }],
    ['the day', { hour_used: 1, day_used: 100 }, { hour_used: 1, day_used: 99 }],
  ])('has no room when %s is used up, for one send and for several of a batch', async (name, full, last) => {
    const [used, nearly, another] = [`acc_used_${name}`, `acc_nearly_${name}`, `acc_other_${name}`]
    const unit = new Unit()
    const rows = { [used]: full, [nearly]: last, [another]: { hour_used: 0, day_used: 0 } }
    for (const [account_id, windows] of Object.entries(rows)) unit.add(useQuota, { account_id, ...windows })
    await store.write(unit)
    expect(await take(used)).toBe('ConditionFailed')
    const ofABatch = await Promise.all([take(used), take(another), take(nearly)])
    expect(ofABatch).toEqual([
      'ConditionFailed',
      { hour_used: 1, day_used: 1 },
      { hour_used: last.hour_used + 1, day_used: last.day_used + 1 },
    ])
    expect(await take(nearly)).toBe('ConditionFailed')
  })
})
