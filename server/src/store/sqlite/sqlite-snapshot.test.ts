import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from './sqlite-connection.ts'
import { startFeedEpoch, takeSnapshot } from './sqlite-snapshot.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-snapshot-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const customers = 4_000
/** In no order, as numbers of customers and sealed values are: pages of an index are split where such a value comes between. */
const nameOf = (nth: number) => `customer-${hash('sha256', String(nth)).slice(0, 24)}`

test('what is erased from a restored snapshot is in none of its files', () => {
  const path = join(folder, 'postern.db')
  const source = openSqlite(path, 'write')
  source.exec(`create table installation (name text primary key, value text);
    create table messages (id text primary key, customer text, sealed text);
    create index messages_customer on messages (customer)`)
  const insert = source.prepare('insert into messages values (?, ?, ?)')
  source.exec('begin')
  for (let nth = 0; nth < customers; nth++) insert.run(`msg_${nameOf(nth)}`, nameOf(nth), `old-key.${nameOf(nth)}`)
  source.exec('commit')
  source.close()

  const restored = join(folder, 'restored')
  takeSnapshot(path, restored)
  startFeedEpoch(restored, 'epoch')
  const db = openSqlite(restored, 'write')
  expect(db.prepare('select count(*) as n from messages').get()?.n).toBe(customers)
  // Half of them are erased; of the others what was sealed is sealed with another key.
  db.exec(`delete from messages where rowid % 2 = 0; update messages set sealed = 'new-key.'`)
  const kept = new Set(
    db
      .prepare('select customer from messages')
      .all()
      .map(({ customer }) => String(customer)),
  )
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()

  const files = readdirSync(folder).filter((name) => name.startsWith('restored'))
  const bytes = files.map((name) => readFileSync(join(folder, name), 'latin1')).join('')
  const found = new Set(bytes.match(/customer-[0-9a-f]{24}/g))
  expect([...found].filter((name) => !kept.has(name))).toEqual([])
  expect(bytes.match(/old-key\./g)).toBeNull()
  expect(kept.size).toBe(customers / 2)
})
