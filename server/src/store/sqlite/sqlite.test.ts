import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { query } from '../engine/operation.ts'

const aList = query({ name: 'test.list', params: {}, returns: { one: 'int' }, lane: 'list', sql: 'select 1 as one' })

test('a store lists from the first question on, and starts no thread for a question after its end', async () => {
  const { store, dispose } = await freshStore('sqlite')
  const lists = await Promise.all([store.read(aList, {}), store.read(aList, {})])
  expect(lists).toEqual([[{ one: 1 }], [{ one: 1 }]])
  await dispose()
  await expect(store.read(aList, {})).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'not_stored' })
})

test('a store that never listed anything ends as well', async () => {
  const { store, dispose } = await freshStore('sqlite')
  await dispose()
  await expect(store.read(aList, {})).rejects.toMatchObject({ name: 'StoreUnavailable' })
})

test('what was deleted is gone from the file, also where a page kept it of a row that had moved', async () => {
  const { store, test: made, dispose } = await freshStore('sqlite')
  const { database } = made
  if (database.kind !== 'sqlite') throw new Error('Another engine.')
  const db = new DatabaseSync(database.path)
  db.exec(
    'pragma secure_delete = on; create table moved (id integer primary key, word text); create index words on moved (word)',
  )
  const insert = db.prepare('insert into moved values (?, ?)')
  // In an order that splits and merges pages; every tenth row is to be erased.
  for (let id = 0; id < 5_000; id++) {
    const place = (id * 7_919) % 5_000
    insert.run(place, `${place % 10 === 0 ? 'Quetzal' : 'x'}${place}${'y'.repeat((place * 31) % 300)}`)
  }
  db.exec("delete from moved where word like 'Quetzal%'; pragma wal_checkpoint(truncate)")
  db.close()
  expect(readFileSync(database.path, 'latin1')).toContain('Quetzal')
  await store.dropRemains()
  expect(readFileSync(database.path, 'latin1')).not.toContain('Quetzal')
  await dispose()
})
