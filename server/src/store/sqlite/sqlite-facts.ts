import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { EngineFacts, SqliteDatabase } from '../engine/database.ts'

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
