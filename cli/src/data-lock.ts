import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '@postern/server/config.ts'
import { StartRefused } from '@postern/server/start-failure.ts'

export type DataLock = { release(): void }

const lockFile = (dataDir: string): string => join(dataDir, 'serve.lock')

/** Whether a server may be working on these data: for certain on SQLite, possibly elsewhere on PostgreSQL. */
export function isServed({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): boolean {
  if (database.kind === 'postgres') return true
  const file = lockFile(dataDir)
  return existsSync(file) && isAlive(Number(readFileSync(file, 'utf8')))
}

/** One server per data folder: quota counters live in its memory, and two would count apart. */
export function lockDataFolder(dataDir: string): DataLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = lockFile(dataDir)
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
      return { release: () => rmSync(file, { force: true }) }
    } catch (error) {
      if ((error as { code?: string }).code !== 'EEXIST') throw error
      const holder = Number(readFileSync(file, 'utf8'))
      if (holder !== process.pid && isAlive(holder)) {
        throw new StartRefused(
          `Another postern serve (process ${holder}) uses the data folder ${dataDir}: stop it, or choose another folder with --data.`,
        )
      }
      rmSync(file, { force: true })
    }
  }
  throw new StartRefused(`The lock file ${file} cannot be taken: remove it if no server is running.`)
}

/** Signal 0 asks without harm; EPERM means the process is there but somebody else's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
