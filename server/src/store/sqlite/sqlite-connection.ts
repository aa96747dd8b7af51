import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { createPrivate, keepPrivate } from '../../lib/private-file.ts'
import type { EngineFacts, SqliteDatabase } from '../engine/database.ts'
import type { Applied, Session } from '../schema/table-statements.ts'

/**
 * Every connection is opened here. `synchronous=FULL` is set and read back, because "committed" must mean "on disk";
 * the busy time-out is 5 s, because with the default of 0 two writers fail each other by the thousand.
 * `secure_delete=on` writes zeros over what is deleted or replaced, because erased customers must not be readable in
 * the file. The cheaper `fast` leaves whole pages that fell free as they were. Readers have it too, for the copy that
 * `vacuum into` makes: what its pages keep of values that were moved would outlive their erasure in a restored database.
 * `auto_vacuum=incremental` holds for files made from now on: they have a map of their pages, by which `shrink` takes them
 * from the end. The map takes 2 % more log and no time that could be measured. The files are for their owner alone.
 */
export function openSqlite(path: string, mode: 'write' | 'read'): DatabaseSync {
  if (mode === 'write') makePrivate(path)
  const db = new DatabaseSync(path, { timeout: 5_000, readOnly: mode === 'read' })
  if (mode === 'write') db.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal')
  db.exec(
    `pragma secure_delete = on; pragma synchronous = full; pragma foreign_keys = off; pragma temp_store = memory;
     pragma cache_size = -16000`,
  )
  const level = db.prepare('pragma synchronous').get()?.synchronous
  if (level !== 2) throw new Error(`SQLite keeps synchronous=${level}; full durability needs 2.`)
  return db
}

/** SQLite gives the log and its index the mode of the database file when it makes them, and leaves those that exist. */
function makePrivate(path: string): void {
  createPrivate(path)
  for (const end of ['', '-wal', '-shm']) keepPrivate(`${path}${end}`)
}

export async function openSqliteSession(path: string): Promise<Session> {
  const db = openSqlite(path, 'write')
  return {
    engine: 'sqlite',
    async run(sql, values = []) {
      db.prepare(sql).run(...values)
    },
    async rows(sql) {
      return db.prepare(sql).all() as unknown as Applied[]
    },
    async locked(work) {
      db.exec('begin immediate')
      try {
        await work()
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    async close() {
      db.close()
    },
  }
}

export function sqliteFacts({ path }: SqliteDatabase): EngineFacts {
  return {
    title: 'SQLite',
    traceName: 'sqlite',
    shared: false,
    ownTools: null,
    hasData: () => existsSync(path),
    serverUrls: () => [],
  }
}

const roomBytes = 1024 * 1024

/**
 * Writes a file beside the database and removes it: on a full disk the log still accepts commits for as long as it has pages
 * to write over. File systems reserve room when a file is written, so nothing has to reach the disk.
 */
export async function findRoom(databasePath: string): Promise<void> {
  const path = `${databasePath}-room`
  try {
    await writeFile(path, Buffer.alloc(roomBytes), { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}
