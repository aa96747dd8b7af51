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

describe('a batch that comes in parts', () => {
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
    batches.take({ learn, units: [...add(1), ...count] })
    expect(db.isTransaction).toBe(true)
    batches.take({ learn: [], units: add(2) })
    const reply = batches.commit({ id: 7, begun: 3, learn: [], units: [...add(3), ...count] })
    // For each unit how many rows it gave, and these: the call and its values.
    expect(reply).toEqual({ id: 7, results: [0, 1, 0, 1, 0, 0, 1, 0, 3], failures: [], idle: [] })
    expect(db.isTransaction).toBe(false)
    expect(stored()).toEqual([1, 2, 3])
  })

  test.each([
    ['first', [...add(1), ...add(1)], add(2), 1],
    ['last', [...add(1), ...add(2)], add(1), 2],
  ])('undoes a unit of its %s part alone', (_, first, last, failed) => {
    batches.take({ learn, units: first })
    const reply = batches.commit({ id: 8, begun: 2, learn: [], units: last })
    expect(reply).toMatchObject({ failures: [{ unit: failed, error: { code: 1555 } }] })
    expect(stored()).toEqual([1, 2])
  })

  test('stores nothing when its beginning was given to a thread that has died, and the next one is whole', () => {
    const reply = batches.commit({ id: 9, begun: 2, learn, units: add(3) })
    expect(reply).toEqual({ id: 9, failed: { message: 'The beginning of the batch is lost.', code: null } })
    expect([stored(), db.isTransaction]).toEqual([[], false])
    batches.commit({ id: 10, begun: 0, learn: [], units: add(4) })
    expect(stored()).toEqual([4])
  })
})
