import { describe, expect, test } from 'vitest'
import { type RowSource, readCsvRows, readNdjsonRows } from './read-rows.ts'

const lines = 3_000
const csv = `to,code\n${Array.from({ length: lines }, (_, nth) => `+35191${1_000_000 + nth},é${nth}\n`).join('')}`
const ndjson = Array.from({ length: lines }, (_, nth) => `{"to":"+35191${1_000_000 + nth}"}\n`).join('')

/** As a request brings it: one large piece, of which nothing is left to wait for. */
async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** The number of rows, and how many were read at most before other work ran. */
async function readWhile(source: RowSource): Promise<{ rows: number; atOnce: number }> {
  let [rows, since, atOnce, isOver] = [0, 0, 0, false]
  const others = () => {
    since = 0
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  for await (const found of source.rows) {
    rows += found.length
    since += found.length
    atOnce = Math.max(atOnce, since)
  }
  isOver = true
  return { rows, atOnce }
}

describe('a large piece of a file', () => {
  test.each([
    ['CSV', readCsvRows(onePiece(csv), null)],
    ['NDJSON', readNdjsonRows(onePiece(ndjson))],
  ])('of %s is read a few hundred lines at a time, and requests go on between them', async (_, source) => {
    const { rows, atOnce } = await readWhile(source)
    expect(rows).toBe(lines)
    expect(atOnce).toBeLessThan(500)
  })
})
