import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { readIdempotencyKey } from '../../access/idempotency.ts'
import { AppError } from '../../contract/app-error.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { DeletedMedia, MediaFile, MediaForm, MediaParams } from '../../contract/media.ts'
import { optionalBody, ref } from '../../contract/schema.ts'
import { createMedia } from '../../media/create-media.ts'
import { deleteMedia } from '../../media/delete-media.ts'
import type { Staged } from '../../media/intake.ts'
import { discardBlob } from '../../media/loose-blobs.ts'
import { toMediaRecord } from '../../media/media-record.ts'
import { openContent } from '../../media/open-content.ts'
import { requireMedia } from '../../media/require-media.ts'
import { fileBytesMax } from '../../media/types/media-kinds.ts'
import { stageUpload } from '../../media/upload-media.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer } from '../edge/body/stream-answer.ts'
import { type App, callerOf } from '../edge/context.ts'
import { readMediaForm } from './media-form.ts'

const tags = ['Media']

/** Files: uploads of the account, and what its customers sent. */
export async function addMediaRoutes(app: App, rt: Runtime): Promise<void> {
  // A scope of its own: nowhere else is a form a body.
  await app.register(async (scope) => addUploadRoute(scope as unknown as App, rt))
  addReadRoutes(app, rt)
}

async function addUploadRoute(app: App, rt: Runtime): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  app.addContentTypeParser('*', (_request: FastifyRequest, _payload: unknown, done: (error: Error) => void) => {
    done(notAForm())
  })
  app.post(
    '/v1/chat/media',
    {
      // What a repeat must equal is known when the file has been read, so the handler looks at the key.
      config: { access: { scope: 'media:write' }, idempotent: 'in_handler' },
      schema: {
        operationId: 'uploadMedia',
        summary: 'Upload a file to send later',
        tags,
        consumes: ['multipart/form-data'],
        // The form is checked while it streams in; before that there is no body.
        body: optionalBody(MediaForm),
        response: { 201: answer(ref(MediaFile)) },
      },
    },
    async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key'])
      const { accountId } = callerOf(request)
      const { file, partFilename, filenameField } = await takeForm(rt, request, accountId)
      const { record, replayed } = await createMedia(rt, file, { part: partFilename, field: filenameField }, key)
      if (replayed) reply.header('idempotent-replayed', 'true')
      rt.metrics.mediaUploads.inc({ kind: record.type, outcome: 'stored' })
      return reply.code(201).send(ok(record))
    },
  )
}

async function takeForm(rt: Runtime, request: FastifyRequest, accountId: string) {
  try {
    if (!request.isMultipart()) throw notAForm()
    const limits = { idleMs: rt.config.bodyTimeoutMs, fileBytesMax }
    return await readMediaForm(
      request,
      limits,
      (file) => stageUpload(rt, accountId, file),
      (staged: Staged) => discardBlob(rt, staged.blobId),
    )
  } catch (error) {
    const outcome = error instanceof AppError ? 'refused' : 'failed'
    rt.metrics.mediaUploads.inc({ kind: 'unknown', outcome })
    throw error
  }
}

function addReadRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/chat/media/:media_id',
    {
      config: { access: 'token' },
      schema: {
        operationId: 'getMedia',
        summary: 'Facts about a file',
        description: 'Own uploads need `media:read` or `media:write`, files of customers need `media:read`.',
        tags,
        params: MediaParams,
        response: { 200: answer(ref(MediaFile)) },
      },
    },
    async (request) => ok(toMediaRecord(await requireMedia(rt, callerOf(request), request.params.media_id))),
  )

  app.get(
    '/v1/chat/media/:media_id/content',
    {
      config: { access: 'token' },
      schema: {
        operationId: 'getMediaContent',
        summary: 'The bytes of a file',
        description: 'Own uploads need `media:read` or `media:write`, files of customers need `media:read`.',
        tags,
        params: MediaParams,
        response: { 200: streamAnswer('*/*', 'The bytes of the file, with its own `Content-Type`.', 'binary') },
      },
    },
    async (request, reply) => {
      const { mimeType, bytes, disposition, content } = await openContent(
        rt,
        callerOf(request),
        request.params.media_id,
      )
      reply
        .header('content-type', mimeType)
        .header('content-length', bytes)
        .header('content-disposition', disposition)
        .header('content-security-policy', 'sandbox')
      return reply.send(Readable.from(content, { objectMode: false }))
    },
  )

  app.delete(
    '/v1/chat/media/:media_id',
    {
      config: { access: { scope: 'media:write' } },
      schema: {
        operationId: 'deleteMedia',
        summary: 'Delete a file',
        tags,
        params: MediaParams,
        response: { 200: answer(ref(DeletedMedia)) },
      },
    },
    async (request) => {
      const { media_id } = request.params
      await deleteMedia(rt, callerOf(request).accountId, media_id)
      return ok({ media_id, deleted: true as const })
    },
  )
}

function notAForm(): AppError {
  return new AppError('unsupported_media_type', 'Send the file as multipart/form-data, in a part named file.', {
    headers: { connection: 'close' },
  })
}
