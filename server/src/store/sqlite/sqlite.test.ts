import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { operation, query } from '../engine/operation.ts'
import { unitOf } from '../engine/unit.ts'

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

/** A row that stays as it is would not be written. */
const touch = operation({
  name: 'test.touch',
  input: { remainder: 'int' },
  key: ['remainder'],
  sql: 'update moved set turn = 1 - moved.turn from rows where moved.id % 10 = rows.remainder',
})

test.each([
  ['a file of a few pages', ''],
  ['a file of 100 MB', 'create table filler (content blob); insert into filler values (zeroblob(100000000))'],
  ['a file without a map of its pages', 'pragma auto_vacuum = none; vacuum'],
])('what was deleted is gone from %s, also where a page kept it of a row that had moved', async (_file, prepare) => {
  const { store, test: made, dispose } = await freshStore('sqlite')
  const { database } = made
  if (database.kind !== 'sqlite') throw new Error('Another engine.')
  const db = new DatabaseSync(database.path, { timeout: 5_000 })
  db.exec(`pragma secure_delete = on; ${prepare}`)
  db.exec(
    'create table moved (id integer primary key, word text, turn integer default 0); create index words on moved (word); begin',
  )
  const insert = db.prepare('insert into moved (id, word) values (?, ?)')
  // In an order that splits and merges pages; every tenth row is to be erased.
  for (let id = 0; id < 5_000; id++) {
    const place = (id * 7_919) % 5_000
    insert.run(place, `${place % 10 === 0 ? 'Quetzal' : 'x'}${place}${'y'.repeat((place * 31) % 300)}`)
  }
  db.exec('commit')
  // The writer remembers the pages as they are before they are cleared.
  await store.write(unitOf(touch, { remainder: 1 }))
  const before = db.prepare("select id, word from moved where word not like 'Quetzal%' order by id").all()
  db.exec("delete from moved where word like 'Quetzal%'; pragma wal_checkpoint(truncate)")
  expect(inFile(database.path)).toBe(true)

  const cleared = store.dropRemains()
  let isCleared = false
  void cleared.then(() => {
    isCleared = true
  })
  for (let remainder = 0; !isCleared; remainder++) await store.write(unitOf(touch, { remainder: remainder % 10 }))
  await cleared
  for (let remainder = 1; remainder < 10; remainder++) await store.write(unitOf(touch, { remainder }))
  await store.dropRemains()
  expect(inFile(database.path)).toBe(false)
  await store.write(unitOf(touch, { remainder: 1 }))
  db.exec('pragma wal_checkpoint(truncate)')
  expect(inFile(database.path)).toBe(false)
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare('select id, word from moved order by id').all()).toEqual(before)
  db.close()
  await dispose()
})

test('what is free beyond an eighth goes back to the disk, while everything else goes on, and nothing else changes', async () => {
  const { store, test: made, dispose } = await freshStore('sqlite')
  const { database } = made
  if (database.kind !== 'sqlite') throw new Error('Another engine.')
  const db = new DatabaseSync(database.path, { timeout: 5_000 })
  db.exec(
    'pragma secure_delete = on; create table moved (id integer primary key, word text, turn integer default 0); begin',
  )
  const insert = db.prepare('insert into moved (id, word) values (?, ?)')
  for (let id = 0; id < 20_000; id++) insert.run(id, `${id % 2 === 0 ? 'Quetzal' : 'x'}${'y'.repeat(2_500)}`)
  db.exec('commit; delete from moved where id % 20 <> 1; pragma wal_checkpoint(truncate)')
  const kept = db.prepare('select id, word from moved order by id').all()
  const before = statSync(database.path).size

  const shrinking = store.giveBack()
  let isSmall = false
  void shrinking.then(() => {
    isSmall = true
  })
  for (let remainder = 0; !isSmall; remainder++) await store.write(unitOf(touch, { remainder: remainder % 10 }))
  await shrinking
  await store.dropRemains()
  const { page_count: pages, freelist_count: free } = { ...one('page_count'), ...one('freelist_count') }
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThanOrEqual(Math.max(4_096, Math.ceil(Number(pages) / 8)))
  expect(statSync(database.path).size).toBeLessThan(before - 8_000_000)
  expect(inFile(database.path)).toBe(false)
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare('select id, word from moved order by id').all()).toEqual(kept)
  db.close()
  await dispose()

  function one(name: string) {
    return db.prepare(`pragma ${name}`).get() as Record<string, number>
  }
})

/** In a process of its own: a handle of this one that is closed takes the locks of SQLite with it. */
function inFile(path: string): boolean {
  return spawnSync('grep', ['--text', '--quiet', 'Quetzal', path]).status === 0
}
