import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '../../server/src/store/engine/operation.ts'
import { tablePrivacy } from '../../server/src/store/table-privacy.ts'
import { engines } from '../support/postgres/databases.ts'
import { aRuntime, type TestRuntime } from '../support/runtime.ts'

const schema = {
  sqlite: `select m.name as place, p.name as name from sqlite_master m, pragma_table_info(m.name) p
           where m.type = 'table' and m.name not like 'sqlite_%'`,
  postgres: `select table_name::text as place, column_name::text as name from information_schema.columns
             where table_schema = current_schema()`,
}

describe.each(engines)('the schema on %s', (engine) => {
  let world: TestRuntime
  beforeAll(async () => {
    world = await aRuntime(engine)
  })
  afterAll(() => world.dispose())

  test('has no column that nobody has declared as saying something about a customer, or nothing', async () => {
    const returns = { place: 'text', name: 'text' } as const
    const stored = await world.rt.store.read(
      query({ name: 'test.schema', params: {}, returns, lane: 'list', sql: schema[engine] }),
      {},
    )
    expect(stored.length).toBeGreaterThan(300)
    const undeclared = stored.filter(({ place, name }) => {
      const declared = tablePrivacy[place]
      return declared === undefined || (typeof declared === 'object' && !(name in declared))
    })
    expect(undeclared).toEqual([])
  })
})
