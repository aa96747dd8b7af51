import { fstatSync, readSync, statSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/**
 * `secure_delete` writes zeros over what is deleted. It does not write over what a page keeps of a row that moved to another
 * page when pages were split or merged: such pieces lie between the list of a page's cells and its cells, where SQLite never
 * reads. No statement clears that space but `vacuum`, which holds up all writes for 10 s per GB. So zeros are written there
 * in the file itself, while a transaction without changes makes sure that nobody else writes to it: it holds the lock of
 * writers, and as the log is empty, every checkpoint has to wait for it. A page on which the space is not exactly where it
 * must be is left alone.
 */
const pagesAtOnce = 4_096
const triesMax = 20

/**
 * Pages that continue a long row, and those of the list of free pages, begin with the number of the next one. From 128 GB on
 * the first byte of such a number could be that of a list of cells, on any page of the file. A file with a map of its pages
 * says which are lists of cells; without one, larger files stay as they are.
 */
const pagesMax = 2 ** 25

/** Handles the pages from `from` on, and gives the number to go on with; null after the last one. */
export function zeroUnused(db: DatabaseSync, path: string, { file, from }: { file: number; from: number }) {
  if (from === 1) emptyLog(db)
  const layout = readLayout(file)
  const end = Math.min(from + pagesAtOnce, layout.pages + 1)
  const pages = Array.from({ length: Math.max(0, end - from) }, (_, index) => from + index)
  const found = withRemains(file, layout, pages)
  if (found.length > 0) {
    alone(db, path, () => {
      // Read again: until now a vacuum of another program could have given the file another layout.
      const settled = readLayout(file)
      for (const page of withRemains(file, settled, found)) {
        const [start, length] = unusedOf(readPage(file, settled, page), settled) ?? [0, 0]
        writeSync(file, zeros, 0, length, (page - 1) * settled.pageBytes + start)
      }
    })
  }
  return end <= layout.pages ? end : null
}

/** What was moved from pages to come to pages that were handled already is found by another round. */
export const rounds = 2

const zeros = Buffer.alloc(65_536)

function withRemains(file: number, layout: Layout, pages: readonly number[]): number[] {
  return pages.filter((page) => {
    if (page === 1 || page > layout.pages || !layout.isCells(page)) return false
    const content = readPage(file, layout, page)
    const [start, length] = unusedOf(content, layout) ?? [0, 0]
    return !content.subarray(start, start + length).equals(zeros.subarray(0, length))
  })
}

/**
 * Runs `write` while nothing is written to the file. The commit changes a page, so that every other connection forgets the
 * pages it remembers: they still have what was there, and would bring it back.
 */
function alone(db: DatabaseSync, path: string, write: () => void): void {
  for (let tries = 1; tries <= triesMax; tries++) {
    emptyLog(db)
    db.exec('begin immediate')
    try {
      // Another connection has committed since.
      if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) continue
      write()
      db.exec('pragma user_version = 1')
      db.exec('commit')
      return
    } finally {
      if (db.isTransaction) db.exec('rollback')
    }
  }
  throw new Error('The database is too busy to clear what was erased.')
}

/** Everything that was committed is in the file itself then. */
function emptyLog(db: DatabaseSync): void {
  const { busy } = db.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
  if (busy !== 0) throw new Error('Another program reads the database file, so its log cannot be emptied.')
}

/** `pages` is 0 for a file that is too large. */
type Layout = { pageBytes: number; usable: number; pages: number; isCells(page: number): boolean }

/** A root and an inner page or leaf of a tree, as the map of pages calls them. */
const cellKinds: readonly number[] = [1, 5]
const mapEntryBytes = 5

/** The first page begins with the sizes. With `auto_vacuum` some pages say of those that follow what they are. */
function readLayout(file: number): Layout {
  const header = Buffer.alloc(100)
  readSync(file, header, 0, header.length, 0)
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const usable = pageBytes - header.readUInt8(20)
  const hasMap = header.readUInt32BE(52) !== 0
  const perMap = Math.floor(usable / mapEntryBytes) + 1
  const pages = Math.floor(fstatSync(file).size / pageBytes)
  const lockPage = Math.floor(2 ** 30 / pageBytes) + 1
  const layout = { pageBytes, usable, pages: hasMap || pages < pagesMax ? pages : 0, isCells }
  let known: { mapPage: number; entries: Buffer } = { mapPage: 0, entries: Buffer.alloc(0) }
  return layout

  function isCells(page: number): boolean {
    if (page === lockPage) return false
    if (!hasMap) return true
    const first = Math.floor((page - 2) / perMap) * perMap + 2
    const mapPage = first === lockPage ? first + 1 : first
    if (page <= mapPage) return false
    if (known.mapPage !== mapPage) known = { mapPage, entries: readPage(file, layout, mapPage) }
    return cellKinds.includes(known.entries.readUInt8((page - mapPage - 1) * mapEntryBytes))
  }
}

function readPage(file: number, { pageBytes }: Pick<Layout, 'pageBytes'>, page: number): Buffer {
  const content = Buffer.alloc(pageBytes)
  readSync(file, content, 0, pageBytes, (page - 1) * pageBytes)
  return content
}

/** Bytes of the head of a page by its kind: inner pages and leaves of indexes and tables. */
const headBytes: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }

/** Start and length of what lies between the list of cells and the cells; null for a page that is no list of cells. */
function unusedOf(content: Buffer, { usable }: Layout): [start: number, length: number] | null {
  const head = headBytes[content.readUInt8(0)]
  if (head === undefined) return null
  const cells = content.readUInt16BE(3)
  const listEnd = head + 2 * cells
  const cellsStart = content.readUInt16BE(5) || 65_536
  if (listEnd > cellsStart || cellsStart > usable) return null
  for (let cell = 0; cell < cells; cell++) {
    const at = content.readUInt16BE(head + 2 * cell)
    if (at < cellsStart || at > usable - 4) return null
  }
  return [listEnd, cellsStart - listEnd]
}
