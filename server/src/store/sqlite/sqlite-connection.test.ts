import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite } from './sqlite-connection.ts'
import { takeSnapshot } from './sqlite-snapshot.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-mode-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const modesOf = (path: string) =>
  ['', '-wal', '-shm'].map((end) => (statSync(`${path}${end}`).mode & 0o777).toString(8))

test('database, log and index of the log are readable by their owner alone, in any folder', () => {
  const open = join(folder, 'open')
  mkdirSync(open, { mode: 0o755 })
  const path = join(open, 'postern.db')
  const db = openSqlite(path, 'write')
  db.exec('create table facts (id integer)')
  expect(modesOf(path)).toEqual(['600', '600', '600'])
  db.close()
})

test('files that were readable by others no longer are once the database is opened', () => {
  const path = join(folder, 'postern.db')
  const before = openSqlite(path, 'write')
  before.exec('create table facts (id integer)')
  for (const end of ['', '-wal', '-shm']) chmodSync(`${path}${end}`, 0o644)
  const after = openSqlite(path, 'write')
  expect(modesOf(path)).toEqual(['600', '600', '600'])
  after.close()
  before.close()
})

test('a snapshot is readable by its owner alone', () => {
  const path = join(folder, 'source.db')
  openSqlite(path, 'write').close()
  const copy = join(folder, 'copy.db')
  takeSnapshot(path, copy)
  expect((statSync(copy).mode & 0o777).toString(8)).toBe('600')
})
