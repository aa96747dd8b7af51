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
