import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { factsOf } from '@postern/server/database.ts'
import { type Config, StartRefused } from '@postern/server/settings.ts'

export type DataLock = { release(): void }

const serveLock = (dataDir: string): string => join(dataDir, 'serve.lock.db')

/** Whether a server is working on these data; on a shared database one may be, elsewhere. */
export function isServed({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): boolean {
  if (factsOf(database).shared) return true
  const file = serveLock(dataDir)
  if (!existsSync(file)) return false
  const lock = lockFile(file)
  lock?.release()
  return lock === null
}

/** One server per data folder: quota counters live in its memory, and two would count apart. */
export function lockDataFolder(dataDir: string): DataLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFile(serveLock(dataDir))
  if (lock) return lock
  throw new StartRefused(
    `Another 'postern serve' is using the data folder ${dataDir}: stop it, or choose another folder with --data.`,
  )
}

/**
 * A transaction that stays open: the system holds its lock on the file, also between containers that share a volume, and
 * lets go of it when the process ends, however it ends. The number of a process would tell neither. Null: another process has it.
 */
export function lockFile(file: string): DataLock | null {
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    db.exec('begin exclusive')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null
    throw error
  }
}

const sqliteBusy = 5
