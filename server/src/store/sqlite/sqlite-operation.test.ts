import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { operation } from '../engine/operation.ts'
import { sqliteOperation } from './sqlite-statements.ts'

const input = { id: 'text', name: 'text', now: 'int' } as const

/** What is left in the table after the operation has run for each of these rows. */
function run(sql: string, rows: readonly (string | number)[][]): unknown[] {
  const db = new DatabaseSync(':memory:')
  db.exec('create table t (id text primary key, name text, n bigint)')
  const { text, parameters } = sqliteOperation(operation({ name: 'test', input, sql }))
  const columns = Object.keys(input)
  for (const row of rows) db.prepare(text).all(...parameters.map((name) => row[columns.indexOf(name)] ?? null))
  const left = db.prepare('select id, name, n from t order by id').all()
  db.close()
  return left.map((row) => Object.values(row))
}

const compiled = (sql: string, more = {}) => sqliteOperation(operation({ name: 'test', input, sql, ...more })).text

describe('an operation on SQLite', () => {
  test('that only takes values gets them as parameters, wherever its lines are broken', () => {
    expect(
      compiled('insert into t (name, id, n)\n select name, id, 7\n from rows\n where true\n on conflict do nothing'),
    ).toBe('insert into t (name, id, n) values (?, ?, 7)\n on conflict do nothing')
    expect(
      compiled('update t set name = rows.name, n = t.n + 1\n from rows\n where t.id = rows.id returning t.id'),
    ).toBe('update t set name = ?, n = t.n + 1 where t.id = ? returning t.id')
  })

  test.each([
    ['makes something of the values', 'insert into t (id, n) select id, now + 1 from rows'],
    ['inserts under a condition', 'insert into t (id, n) select id, now from rows where id <> name'],
    ['joins', 'insert into t (id, n) select t.id, rows.now from rows join t on t.id = rows.id'],
    [
      'asks again on conflict',
      'insert into t (id) select id from rows where true on conflict do update set n = (select now from rows)',
    ],
    ['asks again in a part', 'update t set n = (select max(now) from rows) from rows where t.id = rows.id'],
    ['deletes', 'delete from t where id in (select id from rows)'],
  ])('that %s gets the relation', (_, sql) => {
    expect(compiled(sql)).toMatch(/^with rows\(id, name, now\) as \(values \(\?, \?, \?\)\) /)
  })

  test('with expressions of its own gets the relation they speak of', () => {
    const ctes = 'latest as (select max(now) as at from rows)'
    expect(compiled('update t set n = rows.now from rows where t.id = rows.id', { ctes })).toContain(ctes)
  })

  test('is given no value that it has no use for', () => {
    const { parameters } = sqliteOperation(
      operation({ name: 'test', input, sql: 'update t set n = n + 1 from rows where t.id = rows.id' }),
    )
    expect(parameters).toEqual(['id'])
    expect(run('insert into t (id, n) select id, 5 from rows', [['a', 'unused', 1]])).toEqual([['a', null, 5]])
  })

  test('numbers its places only where a value is used twice, and takes none from a text', () => {
    const places = (sql: string) => {
      const { text, parameters } = sqliteOperation(operation({ name: 'test', input, sql }))
      return [text, parameters]
    }
    expect(places("update t set name = rows.name || '?1' from rows where t.id = rows.id")).toEqual([
      "update t set name = ? || '?1' where t.id = ?",
      ['name', 'id'],
    ])
    expect(places('update t set name = rows.name || rows.name from rows where t.id = rows.id')).toEqual([
      'update t set name = ?1 || ?1 where t.id = ?2',
      ['name', 'id'],
    ])
  })

  test('stores the same either way', () => {
    const rows = [
      ['a', 'Ada', 1],
      ['b', "O'Neil -- rows.id ?1", 2],
    ]
    const direct = run('insert into t (id, name, n) select id, name, now from rows', rows)
    expect(direct).toEqual(run('insert into t (id, name, n) select id, name, now + 0 from rows', rows))
    expect(direct).toEqual([
      ['a', 'Ada', 1],
      ['b', "O'Neil -- rows.id ?1", 2],
    ])
  })
})
