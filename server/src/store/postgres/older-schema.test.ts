import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { operation, query } from '../engine/operation.ts'
import { Unit } from '../engine/unit.ts'

const name = 'test.renamed'
const returns = { name: 'text' } as const
const rename = operation({
  name,
  input: { id: 'text', name: 'text' },
  key: ['id'],
  returns: { id: 'text', ...returns },
  sql: 'update accounts set name = rows.name from rows where accounts.id = rows.id returning accounts.id, accounts.name',
})
const text = { params: {}, returns, sql: 'select name from accounts' }
const reads = [query({ name: 'test.point', ...text }), query({ name: 'test.list', lane: 'list', ...text })]

/** As a node of the version before lives through a migration. PostgreSQL refuses what was prepared, for as long as its connection lasts. */
test('statements that give a column of another type since they were prepared are run on another connection', async () => {
  const { store, test: made, dispose } = await freshStore('postgres')
  onTestFinished(dispose)
  const other = new pg.Client(made.database.kind === 'postgres' ? made.database.url : '')
  await other.connect()
  await other.query(
    `insert into accounts (id, name, plan, status, created_at, updated_at, revision) values ('acc_1', 'before', 'free', 'active', 1, 1, 1)`,
  )
  const renameTo = (to: string) => {
    const unit = new Unit()
    const renamed = unit.add(rename, { id: 'acc_1', name: to })
    return store.write(unit).then((result) => result.rows(renamed))
  }
  for (const [index, type] of ['text', 'varchar(100)', 'text collate "C"'].entries()) {
    await other.query(`alter table accounts alter column name type ${type}`)
    expect(await renameTo(`name ${index}`)).toEqual([{ id: 'acc_1', name: `name ${index}` }])
    for (const read of reads) expect(await store.read(read, {})).toEqual([{ name: `name ${index}` }])
  }
  await other.end()
})
