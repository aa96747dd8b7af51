import type { Applied, Session } from '../migrations/migration.ts'
import { openSqlite } from './sqlite-connection.ts'

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
