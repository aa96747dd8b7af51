import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/postgres/databases.ts'

const indexedTexts = `select i.indexrelid::regclass || '.' || a.attname as name, c.collname as collation
  from pg_index i join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    join pg_attribute a on a.attrelid = i.indexrelid join pg_collation c on c.oid = a.attcollation`

/** In the order of a language, an index is wrong after an update of the system that changes that order. */
test('every index on PostgreSQL is in the order of bytes', async () => {
  const { database, remove } = await freshDatabase('postgres')
  onTestFinished(remove)
  const client = new pg.Client(database.kind === 'postgres' ? database.url : '')
  await client.connect()
  const { rows } = await client.query<{ name: string; collation: string }>(indexedTexts)
  await client.end()
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ collation }) => collation !== 'C').map(({ name }) => name)).toEqual([])
})
