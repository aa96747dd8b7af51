import { join } from 'node:path'
import type { Database } from '../store/engine/database.ts'
import type { Kind } from './config-kinds.ts'

const names =
  /^postgres(ql)?:\/\/(?:[^@/\s]*@)?(?:[^,/\s]*|[^,/?\s]+(?:,[^,/?\s]+)+)(?:\/(?!\S*[?&]target_session_attrs=(?!(?:read-write|primary)(?:&|$)))\S*)?$/

/** Other signs of a password than its own end it, and what is left of it would be taken for a host, a port or a name. */
const readsAsMeant =
  /^[a-z]+:\/\/(?:[^/?#]*@)?(?:\[[\da-f:.]+\]|[^:@/?#,[\]]*)(?::\d{1,5})?(?:,[^/?#]*)?(?:\/[^@?#]*)?(?:\?[^#]*)?$/i

/** The addresses that name an engine. Without one the data are embedded, in the data folder. */
export function databaseUrl(): Kind<string> {
  return {
    type: 'string',
    must: 'must begin with postgres:// or postgresql:// and name a server, or several with commas between them of which one takes writes: postgres://user:password@a:5432,b:5432/postern (target_session_attrs can only be read-write; # / ? % of a password are written as %23 %2F %3F %25)',
    parse: (text) => (names.test(text) && readsAsMeant.test(text) ? text : undefined),
    show: (value) => value,
  }
}

export function chooseDatabase(dataDir: string, url: string | null): Database {
  return url === null ? { kind: 'sqlite', path: join(dataDir, 'postern.db') } : { kind: 'postgres', url }
}
