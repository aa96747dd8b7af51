import { join } from 'node:path'
import type { Database } from '../store/engine/database.ts'
import { type Kind, string } from './config-kinds.ts'

/** The addresses that name an engine. Without one the data are embedded, in the data folder. */
export function databaseUrl(): Kind<string> {
  return string(
    'must begin with postgres:// or postgresql:// and name a server, or several with commas between them of which one takes writes: postgres://user:password@a:5432,b:5432/postern (target_session_attrs can only be read-write)',
    /^postgres(ql)?:\/\/(?:[^@/\s]*@)?(?:[^,/\s]*|[^,/?\s]+(?:,[^,/?\s]+)+)(?:\/(?!\S*[?&]target_session_attrs=(?!(?:read-write|primary)(?:&|$)))\S*)?$/,
  )
}

export function chooseDatabase(dataDir: string, url: string | null): Database {
  return url === null ? { kind: 'sqlite', path: join(dataDir, 'postern.db') } : { kind: 'postgres', url }
}
