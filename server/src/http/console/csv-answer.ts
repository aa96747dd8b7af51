import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Cell, csvLine } from '../../lib/text/csv.ts'
import { streamAnswer } from '../edge/body/stream-answer.ts'

/** What a route that answers with CSV documents. */
export const csvAnswer = { 200: streamAnswer('text/csv', 'A file of comma-separated values.') }

export type CsvColumns<Row> = readonly (readonly [name: string, cellOf: (row: Row) => Cell])[]
export type CsvPage<Row> = { rows: readonly Row[]; next: string | null }

/** Streams a list as a file, page by page: a long one takes time, never memory. */
export function sendCsv<Row>(
  reply: FastifyReply,
  filename: string,
  columns: CsvColumns<Row>,
  readPage: (cursor: string | null) => Promise<CsvPage<Row>>,
): FastifyReply {
  reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${filename}"`)
  return reply.send(Readable.from(linesOf(columns, readPage), { objectMode: false }))
}

async function* linesOf<Row>(
  columns: CsvColumns<Row>,
  readPage: (cursor: string | null) => Promise<CsvPage<Row>>,
): AsyncGenerator<string> {
  // Without the mark, spreadsheets on Windows read UTF-8 as another alphabet.
  yield `\uFEFF${csvLine(columns.map(([name]) => name))}`
  let cursor: string | null = null
  do {
    const { rows, next } = await readPage(cursor)
    for (const row of rows) yield csvLine(columns.map(([, cellOf]) => cellOf(row)))
    cursor = next
  } while (cursor !== null)
}
