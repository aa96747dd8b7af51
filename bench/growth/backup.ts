import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { root, startProcess } from '../../test/support/child-process.ts'
import { diskFolder } from '../../test/support/folders.ts'
import type { PostgresServer } from '../../test/support/postgres/postgres.ts'
import { createDatabase } from '../../test/support/postgres/postgres-databases.ts'
import type { GatewayProcess } from '../gateway.ts'
import { type Row, round } from '../harness.ts'

/** As docs/backup.md says: `postern backup` and `restore` on SQLite, PostgreSQL's own tools on PostgreSQL, while the gateway runs. */
export async function measureBackup(gateway: GatewayProcess, postgres: PostgresServer | undefined): Promise<Row> {
  const folder = await mkdtemp(join(diskFolder(), 'postern-bench-backup-'))
  const file = join(folder, 'backup')
  try {
    const backup = await timed(
      postgres ? ['pg_dump', '-Fc', '-f', file, gateway.databaseUrl ?? ''] : postern('backup', file, gateway.folder),
    )
    if (typeof backup === 'string') return { backup }
    const target = postgres ? await createDatabase(postgres.url) : null
    const restore = await timed(
      target ? ['pg_restore', '-d', target.url, file] : postern('restore', file, join(folder, 'restored')),
    )
    const gigabytes = round((await stat(file)).size / 1e9, 2)
    return { 'backup, s': backup, 'GB of it': gigabytes, 'restore, s': restore }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function postern(command: 'backup' | 'restore', file: string, data: string): string[] {
  return [process.execPath, join(root, 'cli/bin/postern.js'), command, file, '--data', data]
}

/** Seconds, or why it could not be done: a `pg_dump` that is older than the server refuses. */
async function timed([command = '', ...args]: readonly string[]): Promise<number | string> {
  const startedAt = performance.now()
  const running = startProcess(command, args)
  const code = await running.ended
  if (code !== 0) return running.output.stderr.trim().split('\n')[0] ?? String(code)
  return round((performance.now() - startedAt) / 1_000, 1)
}
