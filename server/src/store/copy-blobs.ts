import { type Copy, noteStep } from './copy-data.ts'
import type { CopyEnd } from './engine/copy-end.ts'

/** The bytes behind a row of `blobs`, where they are not in a bucket. */
export type CopiedBlob = { readonly id: string; readonly size: number; readonly sha256: string }

/** Where an engine keeps bytes: SQLite in files of the data folder, PostgreSQL in rows. */
export type Shelf = {
  open(id: string, size: number): Promise<AsyncIterable<Uint8Array>>
  put(id: string, pieces: AsyncIterable<Uint8Array>): Promise<void>
}

const stepName = 'blob files'
const pageRows = 500

/** Those that are not copied yet, or all of them. */
export async function* blobsToCopy({ from, to }: Copy, which: 'missing' | 'all'): AsyncGenerator<CopiedBlob> {
  const [step] = await to.rows('select after_key from copy_steps where name = ?1', [stepName])
  let after = which === 'missing' && step ? String((JSON.parse(String(step[0])) as string[])[0]) : ''
  for (;;) {
    const page = await from.rows(
      `select id, size, sha256 from blobs where place = 'here' and id > ?1 order by id limit ${pageRows}`,
      [after],
    )
    for (const [id, size, sha256] of page) yield { id: String(id), size: Number(size), sha256: String(sha256) }
    if (page.length < pageRows) return
    after = String(page.at(-1)?.[0])
  }
}

/** With its note in one transaction where the bytes are rows. */
export async function putBlob({ to }: Copy, id: string, put: () => Promise<void>): Promise<void> {
  await to.inOne(async () => {
    await put()
    await noteStep(to, { name: stepName, after: [id], rows: 0 })
  })
}

/** Of both sides; `folder` is that of SQLite. */
export function shelvesOf({ from, to }: Copy, folder: Shelf): { from: Shelf; to: Shelf } {
  const shelfOf = (end: CopyEnd) => (end.engine === 'sqlite' ? folder : chunkShelf(end))
  return { from: shelfOf(from), to: shelfOf(to) }
}

function chunkShelf(end: CopyEnd): Shelf {
  const read = async (id: string, seq: number) => {
    const [row] = await end.rows('select bytes from blob_chunks where blob_id = ?1 and seq = ?2', [id, seq])
    return row?.[0] instanceof Uint8Array ? row[0] : null
  }
  return {
    async open(id) {
      return (async function* () {
        for (let seq = 0; ; seq++) {
          const bytes = await read(id, seq)
          if (!bytes) return
          yield bytes
        }
      })()
    },
    async put(id, pieces) {
      let seq = 0
      for await (const piece of pieces) {
        await end.rows('insert into blob_chunks (blob_id, seq, bytes) values (?1, ?2, ?3)', [id, seq, piece])
        seq++
      }
    },
  }
}
