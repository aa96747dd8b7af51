import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { lastArchived } from '../store/engine/database.ts'

/** Written by `postern backup` into the data folder. */
export const lastBackupFile = 'last-backup.json'

/**
 * Time of the last backup. SQLite: by `postern backup` of this folder. PostgreSQL is saved by its own tools, of which it
 * knows only when it last archived its log; null says that nothing is known.
 */
export async function readBackup(rt: Runtime): Promise<{ at: string | null; by: 'backup' | 'archive' }> {
  if (rt.store.shared) {
    const [row] = await rt.store.read(lastArchived, {})
    return { at: formatInstant(row?.at ?? null), by: 'archive' }
  }
  const text = await readFile(join(rt.config.dataDir, lastBackupFile), 'utf8').catch(() => null)
  const madeAt = text === null ? null : madeAtOf(text)
  return { at: madeAt, by: 'backup' }
}

function madeAtOf(text: string): string | null {
  try {
    const { made_at: at } = JSON.parse(text) as { made_at?: unknown }
    return typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : null
  } catch {
    return null
  }
}
