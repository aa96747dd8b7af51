import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/postgres/databases.ts'
import type { Value } from '../engine/operation.ts'
import { toArray, toPlaces } from './postgres-array.ts'

const cleanup = new AsyncDisposableStack()
let client: pg.Client
beforeAll(async () => {
  const { database, remove } = await freshDatabase('postgres')
  cleanup.defer(remove)
  client = new pg.Client(database.kind === 'postgres' ? database.url : '')
  await client.connect()
  cleanup.defer(() => client.end())
})
afterAll(() => cleanup.disposeAsync())

const read = async (text: string) => (await client.query('select $1::text[] as list', [text])).rows[0].list

const rowsOf = (values: readonly Value[]) => values.map((value) => ({ value }))

test('what PostgreSQL reads from a column is what was written, whatever the texts hold', async () => {
  const odd = [
    '"',
    '\\',
    '\n',
    '\t',
    '\u0001',
    '\u007f',
    '\u0085',
    '\u2028',
    '👍',
    'ی',
    '{',
    '}',
    ',',
    "'",
    'NULL',
    ' ',
  ]
  const texts = ['', ...odd, ...odd.flatMap((one) => odd.map((other) => `a${one}"\\${other}b`))]
  texts.push(JSON.stringify({ text: 'It\'s "quoted" \\ and\nbroken', list: [1, null, '👍'] }))
  expect(await read(toArray(rowsOf(texts), 'value'))).toEqual(texts)
})

test('numbers, bytes and nothing are written as PostgreSQL writes them', async () => {
  expect(await read(toArray(rowsOf([1, null, -2.5, Buffer.from([0, 255])]), 'value'))).toEqual([
    '1',
    null,
    '-2.5',
    '\\x00ff',
  ])
})

test('places are counted from 1', async () => {
  expect(await read(toPlaces(1))).toEqual(['1'])
  expect(await read(toPlaces(3))).toEqual(['1', '2', '3'])
})
