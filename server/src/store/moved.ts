import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Database } from './engine/database.ts'
import { StoreRefusesToStart } from './engine/store-error.ts'

/** Beside a database file whose data were copied to another database and are used there. */
function noteOf(database: Database): string | null {
  return database.kind === 'sqlite' ? `${database.path}.moved` : null
}

/** From now on the data of `source` are used in `target`: what is sent from both would be sent twice. */
export function noteMoved(source: Database, target: Database): void {
  const [old, current] = [noteOf(source), noteOf(target)]
  if (current) rmSync(current, { force: true })
  if (old)
    writeFileSync(old, 'These data were copied to PostgreSQL. Delete this file to use them here again.\n', {
      mode: 0o600,
    })
}

export function refuseMoved(database: Database): void {
  const note = noteOf(database)
  if (!note || !existsSync(note)) return
  throw new StoreRefusesToStart(
    `These data were moved to PostgreSQL by 'postern copy': set POSTERN_DATABASE_URL or POSTERN_DATABASE_URL_FILE, for the gateway and for every command. To use the old data again, delete ${note}.`,
  )
}
