import { describe, expect, onTestFinished, test } from 'vitest'
import { migrate, migrationStates } from '../../server/src/store/migrate.ts'
import { migrations } from '../../server/src/store/migrations/all.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { engines, freshDatabase } from '../support/postgres/databases.ts'
import { openRaw } from '../support/raw-database.ts'

const next = { id: 9_999, name: 'next', statements: ['create table next_version (id bigint primary key)'] }
const elsewhere =
  /created by a development version of Postern from before the first release.+start with an empty database/

describe.each(engines)('the schema on %s', (engine) => {
  test('is not opened by a program that is older, and one that runs goes on', async () => {
    const test = await freshDatabase(engine)
    const store = await openStore({ database: test.database, now: 1, migrateFirst: false })
    try {
      await migrate(test.database, { now: 2, migrations: [...migrations, next] })
      await expect(openStore({ database: test.database, now: 3 })).rejects.toThrow(
        /The database has schema version 9999, this program knows up to \d+\. Start the newer version/,
      )
      await store.probeWrite()
      await store.probeRead()
    } finally {
      await store.close()
      await test.remove()
    }
  })

  test('of another development version is rejected with what to do, and nothing of it is changed', async () => {
    const { database, remove } = await freshDatabase(engine)
    onTestFinished(remove)
    const edited = migrations.map((one) => ({ ...one, statements: [...one.statements, ...next.statements] }))
    await expect(migrate(database, { now: 2, migrations: edited })).rejects.toThrow(elsewhere)
    await expect(migrationStates(database, edited)).rejects.toThrow(elsewhere)
    const raw = await openRaw(database)
    onTestFinished(() => raw.close())
    expect(await raw.tables()).not.toContain('next_version')
    expect(await raw.rows('schema_migrations')).toHaveLength(migrations.length)
  })

  test('from before the baseline is rejected in the same way, although its numbers are higher', async () => {
    const { database, remove } = await freshDatabase(engine)
    onTestFinished(remove)
    const raw = await openRaw(database)
    onTestFinished(() => raw.close())
    await raw.insert('schema_migrations', { id: 57, name: 'template ttl', checksum: 'c57', applied_at: 1 })
    const edited = migrations.map((one) => ({ ...one, statements: [...one.statements, ...next.statements] }))
    await expect(migrate(database, { now: 2, migrations: edited })).rejects.toThrow(elsewhere)
  })
})
