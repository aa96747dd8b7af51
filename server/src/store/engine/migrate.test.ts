import { describe, expect, test } from 'vitest'
import { engines, freshDatabase } from '../../../../test/support/postgres/databases.ts'
import { migrations } from '../migrations/all.ts'
import { migrate, migrationStates, requireOurSchema } from './migrate.ts'

describe.each(engines)('a database on %s', (engine) => {
  test('whose schema was made by another text of a migration is refused by name, and stays as it is', async () => {
    const made = await freshDatabase(engine)
    try {
      const last = migrations.at(-1)
      if (!last) throw new Error('There is no migration.')
      const edited = { ...last, statements: [...last.statements, 'create table made_by_mistake (id bigint)'] }
      const others = [...migrations.slice(0, -1), edited]
      const refusal = {
        name: 'StoreRefusesToStart',
        message: `Migration ${last.id} (${last.name}) in the database is not the one this program has.`,
      }
      await expect(migrate(made.database, { now: 1, migrations: others })).rejects.toMatchObject(refusal)
      await expect(migrationStates(made.database, others)).rejects.toMatchObject(refusal)
      await requireOurSchema(made.database)
      expect(await migrate(made.database, { now: 1 })).toEqual([])
    } finally {
      await made.remove()
    }
  })
})
