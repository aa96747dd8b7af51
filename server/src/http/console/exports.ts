import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { seesCosts } from '../../access/caller.ts'
import type { Member } from '../../access/console-member.ts'
import { findRequests } from '../../access/request-log.ts'
import { LogExportQuery } from '../../contract/console/messages.ts'
import { AuditExportQuery, RequestExportQuery } from '../../contract/console/records.ts'
import { formatInstant } from '../../lib/instant.ts'
import { type Cell, csvLine } from '../../lib/text/csv.ts'
import { findMessages } from '../../messages/console-log.ts'
import { messagePricer, priceColumns } from '../../messages/message-price.ts'
import { beginExport, type ExportedLog, readAuditLog } from '../../overview/console-audit.ts'
import type { PageRequest } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Exports')
const limit = 500

/**
 * The three logs as files, for as much as their filters let through. Rows come from the lists themselves, so a file
 * shows and hides exactly what the page does. Taking a log away needs a fresh password and leaves a line.
 */
export function addExportRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/exports/messages',
    route({
      config: { console: 'messages:read', recent: true },
      operationId: 'exportMessages',
      summary: 'The message log as CSV, newest first',
      querystring: LogExportQuery,
      response: csvAnswer,
    }),
    async (request, reply) => {
      const member = memberOf(request)
      const priceOf = seesCosts(member) ? await messagePricer(rt, member.accountId) : null
      return exportLog(rt, request, reply, {
        log: 'messages',
        columns: priceOf ? [...messageColumns, ...messagePrices] : messageColumns,
        read: (_, page) => findMessages(rt, member, request.query, page, priceOf),
        rowsOf: ({ entries }) => entries,
      })
    },
  )

  app.get(
    '/console/api/exports/requests',
    route({
      config: { console: 'logs:read', recent: true },
      operationId: 'exportRequests',
      summary: 'Calls to the API as CSV, newest first',
      querystring: RequestExportQuery,
      response: csvAnswer,
    }),
    (request, reply) =>
      exportLog(rt, request, reply, {
        log: 'requests',
        columns: requestColumns,
        read: (member, page) => findRequests(rt, member, request.query, page),
        rowsOf: ({ requests }) => requests,
      }),
  )

  app.get(
    '/console/api/exports/audit',
    route({
      config: { console: 'audit:read', recent: true },
      operationId: 'exportAuditLog',
      summary: 'The audit log as CSV, newest first',
      querystring: AuditExportQuery,
      response: csvAnswer,
    }),
    (request, reply) =>
      exportLog(rt, request, reply, {
        log: 'audit',
        columns: auditColumns,
        read: (member, page) => readAuditLog(rt, member, request.query, page),
        rowsOf: ({ entries }) => entries,
      }),
  )
}

type LogExport<Page, Row> = {
  log: ExportedLog
  columns: CsvColumns<Row>
  read(member: Member, page: PageRequest): Promise<Page>
  rowsOf(page: Page): readonly Row[]
}

async function exportLog<Page extends { pagination: { next_cursor: string | null } }, Row>(
  rt: Runtime,
  request: FastifyRequest<{ Querystring: Record<string, unknown> }>,
  reply: FastifyReply,
  { log, columns, read, rowsOf }: LogExport<Page, Row>,
): Promise<FastifyReply> {
  const member = memberOf(request)
  await beginExport(rt, member, log, request.query)
  return sendCsv(reply, fileName(rt, log), columns, async (cursor) => {
    const page = await read(member, { limit, cursor })
    return { rows: rowsOf(page), next: page.pagination.next_cursor }
  })
}

type Entries<Read extends (...args: never[]) => Promise<unknown>, Name extends string> =
  Awaited<ReturnType<Read>> extends Record<Name, readonly (infer Row)[]> ? Row : never

type MessageEntry = Entries<typeof findMessages, 'entries'>

const messageColumns: CsvColumns<MessageEntry> = [
  ['at', ({ at }) => at],
  ['id', ({ id }) => id],
  ['direction', ({ direction }) => direction],
  ['customer', ({ customer }) => customer],
  ['name', ({ name }) => name],
  ['type', ({ type }) => type],
  ['template', ({ template }) => template],
  ['preview', ({ preview }) => preview],
  ['status', ({ status }) => status],
  ['unresolved', ({ unresolved }) => unresolved],
  ['code', ({ code }) => code],
  ['http_status', ({ http_status }) => http_status],
  ['client_reference', ({ client_reference }) => client_reference],
]

const messagePrices: CsvColumns<MessageEntry> = priceColumns.map(([name, cellOf]) => [
  name,
  ({ price }) => cellOf(price ?? null),
])

const requestColumns: CsvColumns<Entries<typeof findRequests, 'requests'>> = [
  ['at', ({ at }) => at],
  ['id', ({ id }) => id],
  ['method', ({ method }) => method],
  ['route', ({ route }) => route],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code],
  ['key_id', ({ key_id }) => key_id],
  ['key_name', ({ key_name }) => key_name],
  ['duration_ms', ({ duration_ms }) => duration_ms],
  ['body', ({ body }) => body],
]

const auditColumns: CsvColumns<Entries<typeof readAuditLog, 'entries'>> = [
  ['occurred_at', ({ occurred_at }) => occurred_at],
  ['id', ({ id }) => id],
  ['action', ({ action }) => action],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['targets', ({ targets }) => JSON.stringify(targets)],
  ['ip', ({ ip }) => ip],
  ['user_agent', ({ user_agent }) => user_agent],
  ['request_id', ({ request_id }) => request_id],
  ['metadata', ({ metadata }) => JSON.stringify(metadata)],
]

function fileName(rt: Runtime, log: string): string {
  return `postern-${log}-${formatInstant(rt.clock.now()).slice(0, 10)}.csv`
}

/** Documentation of a route with a CSV response. */
const csvAnswer = { 200: streamAnswer('text/csv', 'A file of comma-separated values.') }

type CsvColumns<Row> = readonly (readonly [name: string, cellOf: (row: Row) => Cell])[]
type CsvPage<Row> = { rows: readonly Row[]; next: string | null }

/** Streams a list as a file, page by page: a long one takes time, never memory. */
function sendCsv<Row>(
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
