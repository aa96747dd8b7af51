import type { DatabaseSync } from 'node:sqlite'

/**
 * SQLite uses freed pages again, and its file stays as large as it ever was. What is free beyond an eighth of it goes back to
 * the disk: after a shorter retention or an account that was deleted, not in steady operation, where each day takes what
 * another one frees. The writer moves 1 MB at a time, which holds it for some 3 ms.
 */
const stepPages = 256
const sharePages = 8
/** 16 MB: less is not worth a write. */
const keptMin = 4_096

/** Gives back some pages; how many are left to give. None in a file without a map of its pages: only `vacuum` shrinks it. */
export function shrink(db: DatabaseSync): number {
  const number = (name: string) => Number(db.prepare(`pragma ${name}`).get()?.[name])
  const pages = number('page_count')
  const spare = number('freelist_count') - Math.max(keptMin, Math.floor(pages / sharePages))
  if (spare <= 0 || number('auto_vacuum') === 0) return 0
  db.exec(`pragma incremental_vacuum(${Math.min(stepPages, spare)})`)
  return Math.max(0, spare - stepPages)
}
