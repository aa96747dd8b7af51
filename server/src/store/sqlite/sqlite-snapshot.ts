import type { DatabaseSync } from 'node:sqlite'
import { createPrivate } from '../../lib/private-file.ts'
import { openSqlite } from './sqlite-connection.ts'

/** Facts about a copy of the database: whether it is complete, and which master key decrypts it. */
export type SnapshotFacts = {
  /** The last step of the schema. */
  schema: number
  masterKeyId: string | null
  records: Record<string, number>
  /** Files whose bytes are in a bucket, not in the data folder. */
  elsewhere: { place: string; files: number; bytes: number }[]
}

/** Counts with which an operator can check completeness. */
const countedTables = [
  'accounts',
  'people',
  'api_keys',
  'channels',
  'templates',
  'messages',
  'events',
  'webhooks',
  'media',
]

/** The database as of one moment, in a file of its own, while others go on writing. Free pages are left out. */
export function takeSnapshot(from: string, to: string): void {
  createPrivate(to)
  const db = openSqlite(from, 'read')
  try {
    db.prepare('vacuum into ?').run(to)
  } finally {
    db.close()
  }
}

/** In a copy that becomes the database: cursors of the feed made from the original are refused (events/read-feed.ts). */
export function startFeedEpoch(path: string, epoch: string): void {
  const db = openSqlite(path, 'write')
  try {
    db.prepare(
      `insert into installation (name, value) values ('feed_epoch', ?)
       on conflict (name) do update set value = excluded.value`,
    ).run(epoch)
  } finally {
    db.close()
  }
}

/** Reads every page: null when the file is damaged, or no database of this program. */
export function inspectSnapshot(path: string): SnapshotFacts | null {
  try {
    const db = openSqlite(path, 'read')
    try {
      return db.prepare('pragma quick_check').get()?.quick_check === 'ok' ? factsOf(db) : null
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

const elsewhere = `select place, count(*) as files, sum(size) as bytes from blobs
                   where place <> 'here' group by place order by place`

function factsOf(db: DatabaseSync): SnapshotFacts {
  const count = (table: string) => Number(db.prepare(`select count(*) as n from ${table}`).get()?.n)
  // Sealed values begin with the fingerprint of their key, and every installation has this one.
  const sealed = db.prepare("select value from installation where name = 'pepper'").get()?.value
  return {
    schema: Number(db.prepare('select max(id) as id from schema_migrations').get()?.id),
    masterKeyId: typeof sealed === 'string' ? (sealed.split('.')[0] ?? null) : null,
    records: Object.fromEntries(countedTables.map((table) => [table, count(table)])),
    elsewhere: db.prepare(elsewhere).all() as SnapshotFacts['elsewhere'],
  }
}
