import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { dataFolder } from '../../../../test/support/folders.ts'
import { zeroUnused } from './sqlite-remains.ts'

const pageBytes = 4_096
let folder: string
let path: string
let db: DatabaseSync
let file: number
beforeEach(() => {
  folder = mkdtempSync(join(dataFolder(), 'postern-remains-'))
  path = join(folder, 'remains.db')
  db = new DatabaseSync(path)
})
afterEach(() => {
  db.close()
  closeSync(file)
  rmSync(folder, { recursive: true })
})

/** In an order that splits pages, which keep pieces of every tenth row after it was deleted. */
function fill(prepare: string, longRow = ''): void {
  db.exec(`${prepare}; pragma journal_mode = wal; pragma secure_delete = on`)
  file = openSync(path, 'r+')
  db.exec('create table moved (id integer primary key, word text); begin')
  const insert = db.prepare('insert into moved values (?, ?)')
  for (let id = 0; id < 5_000; id++) {
    const place = (id * 7_919) % 5_000
    const word = `${place % 10 === 0 ? 'Quetzal' : 'x'}${place}${'y'.repeat((place * 31) % 300)}`
    insert.run(place, place % 5 === 1 ? word + longRow : word)
  }
  db.exec("commit; delete from moved where word like 'Quetzal%'; pragma wal_checkpoint(truncate)")
  expect(inFile()).toBe(true)
}

/** In a process of its own: a handle of this one that is closed takes the locks of SQLite with it. */
function inFile(): boolean {
  return spawnSync('grep', ['--text', '--quiet', 'Quetzal', path]).status === 0
}

test('a program that has read pages just before they are cleared does not write back what was on them', () => {
  fill('')
  const other = new DatabaseSync(path)
  const readBefore = new Proxy(db, {
    get(target, name) {
      if (name === 'exec') {
        return (sql: string) => {
          if (sql === 'begin immediate') other.prepare('select count(word) from moved where length(word) > 9').get()
          target.exec(sql)
        }
      }
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  expect(zeroUnused(readBefore, path, { file, from: 1 })).toBeNull()
  expect(inFile()).toBe(false)
  // A row that stays as it is would not be written.
  other.exec("update moved set word = replace(word, 'y', 'z'); pragma wal_checkpoint(truncate)")
  expect(inFile()).toBe(false)
  other.close()
})

test('pages of rows beside those that continue long ones are cleared where a map tells them apart', () => {
  fill('pragma auto_vacuum = incremental', 'z'.repeat(2 * pageBytes))
  const before = db.prepare('select * from moved order by id').all()
  let next: number | null = 1
  while (next !== null) next = zeroUnused(db, path, { file, from: next })
  expect(inFile()).toBe(false)
  expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(db.prepare('select * from moved order by id').all()).toEqual(before)
})

test('a file of 128 GB without a map is left as it is: the number of a next page there can look like a list of cells', () => {
  fill('pragma auto_vacuum = none')
  spawnSync('truncate', ['-s', String(2 ** 25 * pageBytes), path])
  expect(zeroUnused(db, path, { file, from: 1 })).toBeNull()
  const pages = Number(db.prepare('pragma page_count').get()?.page_count)
  const { stdout } = spawnSync('head', ['-c', String(pages * pageBytes), path], { maxBuffer: 2 ** 26 })
  expect(stdout.includes('Quetzal')).toBe(true)
})
