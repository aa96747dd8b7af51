import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { SqliteBatches } from './sqlite-batches.ts'

const statement = { columns: 0, required: false, onlyChecks: false, wakes: false }
const learn = [
  { ...statement, name: 'test.add', text: 'insert into added (n) values (?)', parameters: 1 },
  { ...statement, name: 'test.count', text: 'select count(*) from added', parameters: 0, columns: 1 },
]
/** A unit with one call of one row, as it goes over the wire. */
const add = (n: number) => [3, 0, 1, n]
const count = [2, 1, 1]

describe('a batch', () => {
  let db: DatabaseSync
  let batches: SqliteBatches
  beforeEach(() => {
    db = new DatabaseSync(':memory:')
    db.exec('create table added (n integer primary key)')
    batches = new SqliteBatches(db, (text) => {
      const prepared = db.prepare(text)
      prepared.setReturnArrays(true)
      return prepared
    })
  })
  const stored = () =>
    db
      .prepare('select n from added order by n')
      .all()
      .map(({ n }) => n)

  test('is one transaction, and its results are in the order of its units', () => {
    const units = [...add(1), ...count, ...add(2), ...add(3), ...count]
    const reply = batches.commit({ id: 7, learn, units })
    // For each unit how many rows it gave, and these: the call and its values.
    expect(reply).toEqual({ id: 7, results: [0, 1, 0, 1, 0, 0, 1, 0, 3], failures: [], idle: [] })
    expect(db.isTransaction).toBe(false)
    expect(stored()).toEqual([1, 2, 3])
  })

  test.each([
    ['in its middle', [1, 1, 2], 1],
    ['at its end', [1, 2, 1], 2],
  ])('undoes a unit %s alone', (_, numbers, failed) => {
    const reply = batches.commit({ id: 8, learn, units: numbers.flatMap(add) })
    expect(reply).toMatchObject({ failures: [{ unit: failed, error: { code: 1555 } }] })
    expect(stored()).toEqual([1, 2])
  })

  test('that cannot be stored fails whole, and the next one is whole', () => {
    const other = [...add(3), 3, 9, 1, 1]
    expect(batches.commit({ id: 9, learn, units: other })).toMatchObject({ failures: [{ unit: 1 }] })
    db.exec('begin')
    expect(batches.commit({ id: 10, learn: [], units: add(4) })).toMatchObject({ id: 10, failed: {} })
    expect(db.isTransaction).toBe(false)
    batches.commit({ id: 11, learn: [], units: add(5) })
    expect(stored()).toEqual([3, 5])
  })
})
