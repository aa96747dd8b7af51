import { expect, test } from 'vitest'
import { schemaTables } from '../../server/src/store/sqlite/sqlite-copy-end.ts'
import { declaredStatements } from '../support/statements.ts'

const tables = new Map(schemaTables().map((table) => [table.name, table.columns.map(({ name }) => name)]))
const statements = await declaredStatements('sqlite')

function sqlOf(name: string): string {
  const found = statements.get(name)
  if (found?.kind !== 'operation') throw new Error(`There is no operation ${name}.`)
  return found.operation.sql
}

/** What two rows of one person become, and the columns that say whose row it is. */
const merges = [
  ['contacts.merge', 'contacts', ['number_id', 'customer_id', 'account_id']],
  ['conversations.merge', 'conversations', ['customer_id', 'account_id']],
  ['customers.inherit', 'customers', ['id', 'account_id', 'created_at', 'merged_into', 'merged_at', 'revision']],
] as const

test.each(merges)('%s decides about every column of two customers who are one', (name, table, own) => {
  const [, changes = ''] = /\bset\s+(.*?)(\bfrom\b.*)?$/s.exec(sqlOf(name)) ?? []
  const decided = (tables.get(table) ?? []).filter((column) => new RegExp(`\\b${column} = `).test(changes))
  expect([...decided, ...own].sort()).toEqual(tables.get(table)?.toSorted())
})

test.each(merges.slice(0, 2))('%s takes every column along where only one of the two has a row', (name, table) => {
  const [, columns = ''] = /insert into \w+ \(([^)]*)\)/.exec(sqlOf(name)) ?? []
  expect(
    columns
      .split(',')
      .map((column) => column.trim())
      .sort(),
  ).toEqual(tables.get(table)?.toSorted())
})
