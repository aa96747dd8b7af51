import { existsSync } from 'node:fs'
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
