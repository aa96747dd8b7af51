import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { readIdempotencyKey } from '../../access/idempotency.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { MediaFile, MediaForm } from '../../contract/media.ts'
import { optionalBody, ref } from '../../contract/schema.ts'
import { nearest } from '../../lib/text/edit-distance.ts'
import { discardBlob } from '../../media/blobs/loose-blobs.ts'
import type { Staged } from '../../media/keep-media.ts'
import { fileBytesMax } from '../../media/types/media-kinds.ts'
import { createMedia, stageUpload } from '../../media/upload-media.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, routesOf } from '../edge/context.ts'
import { noSuchField } from '../field-sentence.ts'
import { type FieldPart, readMediaForm } from './media-form.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Media')

/** A file to send later. */
export function addUploadRoutes(app: App, rt: Runtime, mount: Mount): void {
  // A scope of its own: nowhere else is a form a body.
  void app.register(async (scope: App) => addUploadRoute(scope, rt, mount))
}

async function addUploadRoute(app: App, rt: Runtime, mount: Mount): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart)
  app.addContentTypeParser('*', (_request: FastifyRequest, _payload: unknown, done: (error: Error) => void) => {
    done(notAForm())
  })
  app.post(
    `${mount.chat}/media`,
    route({
      // What a repeat must equal is known when the file has been read, so the handler looks at the key.
      config: { ...mount.may('media:write', { idempotent: 'in_handler', charged: true }), takesForm: true },
      operationId: 'uploadMedia',
      summary: 'Upload a file',
      consumes: ['multipart/form-data'],
      // The form is checked while it streams in; before that there is no body.
      body: optionalBody(MediaForm),
      response: { 201: answer(ref(MediaFile)) },
    }),
    async (request, reply) => {
      const key = readIdempotencyKey(request.headers['idempotency-key'])
      const { accountId } = mount.principalOf(rt, request)
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
    let filenameField: string | null = null
    const form = await readMediaForm(request, limits, {
      takeFile: (file) => stageUpload(rt, accountId, file),
      dropFile: (staged: Staged) => discardBlob(rt, staged),
      takeField: (part) => {
        filenameField = readField(part, filenameField)
      },
    })
    return { ...form, filenameField }
  } catch (error) {
    const outcome = error instanceof AppError ? 'refused' : 'failed'
    rt.metrics.mediaUploads.inc({ kind: 'unknown', outcome })
    throw error
  }
}

function notAForm(): AppError {
  return new AppError('unsupported_media_type', 'Send the file as multipart/form-data, in a part named file.', {
    headers: { connection: 'close' },
  })
}

const fields = ['file', 'filename']

function readField({ fieldname, value, valueTruncated }: FieldPart, earlier: string | null): string {
  if (fieldname === 'file') {
    throw invalidField('file', 'invalid_type', 'Send it as a file part, with a file name in its Content-Disposition.')
  }
  if (fieldname !== 'filename') throw unknownField(fieldname)
  if (earlier !== null) throw invalidField('filename', 'duplicate', 'Send the name once.')
  if (valueTruncated) throw invalidField('filename', 'too_long', 'At most 240 characters.')
  if (typeof value !== 'string') throw invalidField('filename', 'invalid_type', 'Must be text.')
  return value
}

function unknownField(name: string): AppError {
  return invalidField(name.slice(0, 64), 'unknown_field', noSuchField(name, nearest(name, fields, 3), fields))
}
