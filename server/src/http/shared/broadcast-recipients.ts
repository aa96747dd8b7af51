import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireBroadcast } from '../../broadcasts/broadcast.ts'
import { copyBroadcast } from '../../broadcasts/create-broadcast.ts'
import { previewBroadcast, testBroadcast } from '../../broadcasts/estimate.ts'
import { type RowSource, readCsvRows, readNdjsonRows, readObjectRows } from '../../broadcasts/recipients/read-rows.ts'
import { readUploadProblems, receiveUpload } from '../../broadcasts/recipients/receive-upload.ts'
import { listRecipients, recipientsFile } from '../../broadcasts/results.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { Broadcast, BroadcastPath } from '../../contract/broadcasts/broadcasts.ts'
import {
  BroadcastCopy,
  BroadcastPreview,
  BroadcastPreviewRequest,
  BroadcastRecipients,
  BroadcastTest,
  BroadcastTestRequest,
  RecipientsFileQuery,
  RecipientsQuery,
  RecipientsUpload,
  UploadPath,
  UploadQuery,
  UploadResult,
} from '../../contract/broadcasts/recipients.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer, tooLarge } from '../edge/body/read-body.ts'
import { type App, routesOf } from '../edge/context.ts'
import { withIdleLimit } from '../edge/finished.ts'
import { type Mount, requireAlso, requirePeople } from './mount.ts'

const route = routesOf('Broadcasts')
const fileBytesMax = 256 * 1024 * 1024
const csvAnswer = { 200: streamAnswer('text/csv', 'A file of comma-separated values.') }

/** The recipients of a broadcast: uploaded, looked at, tried, and with what became of them. */
export function addBroadcastRecipientRoutes(app: App, rt: Runtime, mount: Mount): void {
  // A scope of its own: nowhere else are lines a body.
  void app.register(async (scope: App) => addUploadRoute(scope, rt, mount))

  app.get(
    `${mount.chat}/broadcasts/:broadcast_id/uploads/:upload_id/problems`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'getUploadProblems',
      summary: 'Download the invalid lines of an upload',
      params: UploadPath,
      response: csvAnswer,
    }),
    async (request, reply) =>
      sendCsv(reply, 'problems.csv', await readUploadProblems(rt, mount.principalOf(rt, request), request.params)),
  )
  addTrialRoutes(app, rt, mount)
  addResultRoutes(app, rt, mount)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** A body of lines, unread. */
    lines: { kind: 'csv' | 'ndjson'; stream: IncomingMessage } | null
  }
}

function addUploadRoute(app: App, rt: Runtime, mount: Mount): void {
  app.decorateRequest('lines', null)
  for (const [type, kind] of [['text/csv', 'csv'] as const, ['application/x-ndjson', 'ndjson'] as const]) {
    app.addContentTypeParser(type, async (request: FastifyRequest, stream: IncomingMessage) => {
      request.lines = { kind, stream }
      return null
    })
  }
  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/recipients`,
    route({
      config: { ...mount.may('broadcasts:write'), takesLines: true },
      operationId: 'uploadRecipients',
      summary: 'Add recipients to a broadcast',
      description:
        'As JSON with up to 1,000 recipients, or as a file of up to 256 MiB: `text/csv`, whose first line names the columns, or `application/x-ndjson` with one recipient as JSON in each line. Invalid lines are skipped and reported. An upload takes effect when it completes: an interrupted upload adds nothing, and neither does uploading the same file again.',
      params: BroadcastPath,
      querystring: UploadQuery,
      consumes: ['application/json', 'text/csv', 'application/x-ndjson'],
      body: optionalBody(ref(RecipientsUpload)),
      ...furtherChecks('to_column', 'recipients'),
      response: { 201: answer(ref(UploadResult)) },
    }),
    async (request, reply) => {
      const { dry_run: dryRun = false, replace = false, to_column: toColumn = null } = request.query
      const source = sourceOf(rt, request, request.body?.recipients ?? null, toColumn)
      const owner = mount.principalOf(rt, request)
      const taken = await receiveUpload(rt, owner, request.params.broadcast_id, source, { dryRun, replace })
      return reply.code(201).send(ok(taken))
    },
  )
}

function sourceOf(
  rt: Runtime,
  request: FastifyRequest,
  recipients: readonly unknown[] | null,
  toColumn: string | null,
): RowSource {
  const { lines } = request
  if (lines) {
    if (Number(request.headers['content-length'] ?? 0) > fileBytesMax) throw tooLarge(fileBytesMax)
    const pieces = limited(withIdleLimit<Uint8Array>(lines.stream, rt.config.bodyTimeoutMs))
    return lines.kind === 'csv' ? readCsvRows(pieces, toColumn) : readNdjsonRows(pieces)
  }
  if (recipients === null) throw invalidField('recipients', 'required', 'Give recipients, or send a CSV file.')
  return readObjectRows(recipients)
}

async function* limited(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > fileBytesMax) throw tooLarge(fileBytesMax)
      yield piece
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('malformed_request', 'The body ended before it was complete. Nothing was added.', {
      cause: error,
    })
  }
}

function addTrialRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/preview`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'previewBroadcast',
      summary: 'Preview the message of one recipient',
      description: 'Also needs the scope `messages:read`, because it shows the contents of the file.',
      params: BroadcastPath,
      body: optionalBody(ref(BroadcastPreviewRequest)),
      ...furtherChecks('line'),
      response: { 200: answer(ref(BroadcastPreview)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      await requireBroadcast(rt, principal, request.params.broadcast_id)
      requirePeople(principal)
      return ok(await previewBroadcast(rt, principal, request.params.broadcast_id, request.body?.line ?? null))
    },
  )

  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/test`,
    route({
      config: mount.may('broadcasts:write', { idempotent: true, charged: true }),
      operationId: 'testBroadcast',
      summary: 'Send the message of one recipient to yourself',
      description:
        'Really sends up to 5 messages, which Meta charges. Also needs the scopes `messages:send` and `messages:read`, because it shows the contents of the file.',
      params: BroadcastPath,
      body: ref(BroadcastTestRequest),
      ...furtherChecks('to', 'line'),
      response: { 200: answer(ref(BroadcastTest)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      await requireBroadcast(rt, principal, request.params.broadcast_id)
      requireAlso(principal, 'messages:send')
      requirePeople(principal)
      return ok(await testBroadcast(rt, principal.sender, request.params.broadcast_id, request.body))
    },
  )

  app.post(
    `${mount.chat}/broadcasts/:broadcast_id/copy`,
    route({
      config: mount.may('broadcasts:write', { idempotent: true }),
      operationId: 'copyBroadcast',
      summary: 'Copy some recipients into a new draft',
      description:
        'The new draft has the same template and values. Recipients who failed with `recipient_marketing_limited` less than a day ago are left out: a second try within a day makes the limit worse.',
      params: BroadcastPath,
      body: ref(BroadcastCopy),
      ...furtherChecks('results'),
      response: { 201: answer(ref(Broadcast)) },
    }),
    async (request, reply) => {
      const principal = mount.principalOf(rt, request)
      const { broadcast_id: id } = request.params
      const copy = await copyBroadcast(rt, principal.sender, id, request.body, await principal.author())
      return reply.code(201).send(ok(copy))
    },
  )
}

function addResultRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/broadcasts/:broadcast_id/recipients`,
    route({
      config: mount.may('broadcasts:read'),
      operationId: 'listRecipients',
      summary: 'List recipients with their results',
      description: 'Also needs the scope `messages:read`.',
      params: BroadcastPath,
      querystring: RecipientsQuery,
      response: { 200: answer(ref(BroadcastRecipients)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      await requireBroadcast(rt, principal, request.params.broadcast_id)
      requirePeople(principal)
      const { result = null, code = null, limit = 100, cursor = null } = request.query
      const wanted = { result, code, limit, cursor }
      return ok(await listRecipients(rt, principal, request.params.broadcast_id, wanted))
    },
  )

  app.get(
    `${mount.chat}/broadcasts/:broadcast_id/recipients.csv`,
    route({
      config: mount.may('broadcasts:read', { recent: true }),
      operationId: 'exportRecipients',
      summary: 'Download recipients with their results',
      description: 'As CSV, with the scope `costs:read` also with prices. Also needs the scope `messages:read`.',
      params: BroadcastPath,
      querystring: RecipientsFileQuery,
      response: csvAnswer,
    }),
    async (request, reply) => {
      const principal = mount.principalOf(rt, request)
      await requireBroadcast(rt, principal, request.params.broadcast_id)
      requirePeople(principal)
      const { result = null, code = null } = request.query
      const file = await recipientsFile(rt, principal, request.params.broadcast_id, {
        ...{ result, code },
        seesCosts: principal.seesCosts,
      })
      return sendCsv(reply, 'recipients.csv', file)
    },
  )
}

function sendCsv(reply: FastifyReply, filename: string, lines: AsyncIterable<string>): FastifyReply {
  reply
    .header('content-type', 'text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${filename}"`)
  return reply.send(Readable.from(lines, { objectMode: false }))
}
